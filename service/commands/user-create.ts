#!/usr/bin/env node
import { text } from 'node:stream/consumers'
import { openData } from '../data/data.js'
import { readSettings } from '../settings/settings.js'
import { availableVersions } from '../settings/versions.js'
import { createUser, parseUserRequest } from './create-user.js'
import { runCommand } from './run-command.js'

await runCommand('Cannot create the user', async () => {
  const request = parseUserRequest(process.argv.slice(2))
  const settings = readSettings(process.env, availableVersions())
  const password = request.passwordFromInput ? (await text(process.stdin)).replace(/\r?\n$/, '') : undefined
  const data = await openData(settings, `http://${settings.host}:${settings.port}`)
  try {
    const account = await createUser(data.database, data.vault, request, password)
    const lines = [`login: ${request.login}`, `API key: ${account.apiKey}`]
    if (password === undefined) lines.push(`password: ${account.password}`)
    process.stdout.write(`${lines.join('\n')}\n`)
  } finally {
    await data.close()
  }
})
