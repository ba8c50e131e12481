import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { createApi } from '#api'
import { createClient, jsonrpc, rest } from '#client'
import { handlers } from '../src/handlers.js'

const server = createServer(createApi({ handlers }).node())
let address = ''

before(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(() => server.close())

test('uploads over REST, and downloads over both protocols', async () => {
  const client = createClient({ transport: rest(address) })
  const { id, bytes } = await client.files.upload({ title: 'Notes', file: new Blob(['four']) })
  assert.equal(bytes, 4)
  for (const transport of [rest(address), jsonrpc(address)]) {
    const content = await createClient({ transport }).files.download({ id })
    assert.equal(await content.text(), 'four')
  }
})

test('streams uploads until the caller leaves', async () => {
  const client = createClient({ transport: rest(address) })
  const titles: string[] = []
  for await (const { title } of client.files.watch()) {
    titles.push(title)
    if (titles.length === 3) break
    await client.files.upload({ title: `Upload ${titles.length}`, file: new Blob(['x']) })
  }
  assert.deepEqual(titles, ['Notes', 'Upload 1', 'Upload 2'])
})
