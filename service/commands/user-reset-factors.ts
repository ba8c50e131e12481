#!/usr/bin/env node
import { resetFactors } from './reset-factors.js'
import { onlyArgument, runCommand } from './run-command.js'
import { withData } from './with-data.js'

/** `npm run user:reset-factors LOGIN`: removes the second factors of a user. */
await runCommand('Cannot reset the second factors', async () => {
  const login = onlyArgument(process.argv.slice(2), 'usage: user:reset-factors LOGIN')
  await withData(({ database }) => resetFactors(database, login))
  process.stdout.write(`${login} now signs in with the password alone\n`)
})
