#!/usr/bin/env node
import { runCommand } from './run-command.js'
import { withData } from './with-data.js'

/** `npm run secret:rotate`: encrypts all API keys with a new secret. */
await runCommand('Cannot rotate the secret', () =>
  withData(async (data) => {
    process.stdout.write(`API keys encrypted with the new secret: ${await data.rotateSecret()}\n`)
  }),
)
