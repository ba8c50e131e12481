#!/usr/bin/env node
import { text } from 'node:stream/consumers'
import { readSettings } from '../settings/settings.js'
import { availableVersions } from '../settings/versions.js'
import { createUser, parseUserRequest } from './create-user.js'
import { runCommand } from './run-command.js'
import { withData } from './with-data.js'

/** `npm run user:create`: creates a user, and prints the API key and the password. */
await runCommand('Cannot create the user', async () => {
  const request = parseUserRequest(process.argv.slice(2))
  const settings = readSettings(process.env, availableVersions())
  const password = request.passwordFromInput ? (await text(process.stdin)).replace(/\r?\n$/, '') : undefined
  await withData(async ({ database, vault }) => {
    const account = await createUser(database, vault, request, password)
    const lines = [`login: ${request.login}`, `API key: ${account.apiKey}`]
    if (password === undefined) lines.push(`password: ${account.password}`)
    process.stdout.write(`${lines.join('\n')}\n`)
  }, settings)
})
