#!/usr/bin/env node
import { resolve } from 'node:path'
import { askForBackup, noteOnSecret } from '../storage/embedded/backup.js'
import { claimDataDirectory } from '../storage/embedded/data-directory.js'
import { embeddedSettings } from './embedded-only.js'
import { onlyArgument, runCommand } from './run-command.js'

/** `npm run backup FOLDER`: copies the data directory, of a running node as well. */
await runCommand('Cannot create the backup', async () => {
  const target = resolve(onlyArgument(process.argv.slice(2), 'usage: backup FOLDER'))
  const { dataDirectory } = embeddedSettings('pg_dump')
  if (!(await askForBackup(dataDirectory, target))) {
    const directory = await claimDataDirectory(dataDirectory)
    try {
      await directory.backup(target)
    } finally {
      directory.release()
    }
  }
  process.stdout.write(`backup: ${target}\n${noteOnSecret(target)}`)
})
