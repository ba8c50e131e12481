#!/usr/bin/env node
import { resolve } from 'node:path'
import { noteOnSecret, restore } from '../storage/embedded/backup.js'
import { claimDataDirectory } from '../storage/embedded/data-directory.js'
import { embeddedSettings } from './embedded-only.js'
import { onlyArgument, runCommand } from './run-command.js'

/** `npm run restore FOLDER`: puts a backup in place of the data directory, and keeps the replaced data. */
await runCommand('Cannot restore the backup', async () => {
  const backup = resolve(onlyArgument(process.argv.slice(2), 'usage: restore FOLDER'))
  const { dataDirectory } = embeddedSettings('pg_restore')
  const directory = await claimDataDirectory(dataDirectory)
  try {
    const replaced = await restore(backup, directory.path)
    process.stdout.write(`restored: ${directory.path}\n${noteOnSecret(backup)}`)
    if (replaced !== undefined) process.stdout.write(`replaced data: ${replaced}\n`)
  } finally {
    directory.release()
  }
})
