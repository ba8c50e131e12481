#!/usr/bin/env node
import { openData } from '../data/data.js'
import { readSettings } from '../settings/settings.js'
import { availableVersions } from '../settings/versions.js'
import { runCommand } from './run-command.js'

await runCommand('Cannot rotate the secret', async () => {
  const settings = readSettings(process.env, availableVersions())
  const data = await openData(settings, `http://${settings.host}:${settings.port}`)
  try {
    process.stdout.write(`API keys encrypted with the new secret: ${await data.rotateSecret()}\n`)
  } finally {
    await data.close()
  }
})
