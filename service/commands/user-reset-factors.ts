#!/usr/bin/env node
import { openData } from '../data/data.js'
import { readSettings } from '../settings/settings.js'
import { availableVersions } from '../settings/versions.js'
import { resetFactors } from './reset-factors.js'
import { onlyArgument, runCommand } from './run-command.js'

await runCommand('Cannot reset the second factors', async () => {
  const login = onlyArgument(process.argv.slice(2), 'usage: user:reset-factors LOGIN')
  const settings = readSettings(process.env, availableVersions())
  const data = await openData(settings, `http://${settings.host}:${settings.port}`)
  try {
    await resetFactors(data.database, login)
    process.stdout.write(`${login} now signs in with the password alone\n`)
  } finally {
    await data.close()
  }
})
