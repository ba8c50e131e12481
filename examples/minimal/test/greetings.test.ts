import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApi } from '#api'
import { createClient, isApiError, jsonrpc, rest } from '#client'
import { handlers } from '../src/handlers.js'

const api = createApi({ handlers })
// The clients call the api in process: no port, no server.
const fetch = (url: string, request: RequestInit) => api.fetch(new Request(url, request))
const address = 'http://127.0.0.1'

for (const transport of [rest(address, { fetch }), jsonrpc(address, { fetch })]) {
  const client = createClient({ transport })

  test('greets', async () => {
    assert.deepEqual(await client.greetings.get({ name: 'Ada' }), { text: 'Hello, Ada!' })
  })

  test('refuses a long name', async () => {
    await assert.rejects(client.greetings.get({ name: 'x'.repeat(21) }), (error) =>
      isApiError(error, 'validation_failed'),
    )
  })
}
