import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import * as v1 from '#v1/client'
import * as v2 from '#v2/client'
import { listener } from '../src/service.js'

const server = createServer(listener)
let address = ''

before(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(() => server.close())

test('callers of the old version get its shape over both protocols', async () => {
  for (const transport of [v1.rest(`${address}/v1`), v1.jsonrpc(`${address}/v1`)]) {
    const client = v1.createClient({ transport })
    assert.deepEqual(await client.people.get({ id: 1 }), { id: 1, name: 'Ada Lovelace' })
    await assert.rejects(client.people.get({ id: 2 }), (error) => v1.isApiError(error, 'not_found'))
  }
})

test('callers of the new version get its shape over both protocols', async () => {
  for (const transport of [v2.rest(`${address}/v2`), v2.jsonrpc(`${address}/v2`)]) {
    const client = v2.createClient({ transport })
    const person = { id: 1, givenName: 'Ada', familyName: 'Lovelace' }
    assert.deepEqual(await client.people.get({ id: 1 }), person)
    await assert.rejects(client.people.get({ id: 2 }), (error) => v2.isApiError(error, 'not_found'))
  }
})
