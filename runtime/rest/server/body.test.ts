import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClientOf } from '../../client/client.js'
import type { ClientCalls } from '../../client/client-calls.js'
import { type AnyTypes, contractOf, type Definition } from '../../fixtures/contract.js'
import { type Served, serveNode } from '../../fixtures/serve.js'
import { jsonrpc } from '../../jsonrpc/client/transport.js'
import { createApiOf } from '../../server.js'
import { rest } from '../client/transport.js'

const note = (required: boolean): Definition => ({
  body: { required, kind: 'param', media: [{ type: 'text/plain', kind: 'text' }] },
  params: { properties: { body: { type: 'string' } }, ...(required && { required: ['body'] }) },
})
const contract = contractOf({ note: note(true), remark: note(false) })
let served: Served
beforeAll(async () => {
  const echo = (params: unknown) => params
  served = await serveNode(
    createApiOf<AnyTypes, unknown>(contract, { handlers: { default: { note: echo, remark: echo } } }),
  )
})
afterAll(() => served.close())

test.each([
  ['REST', rest],
  ['JSON-RPC', jsonrpc],
])('an empty text is a body over %s', async (_, transport) => {
  const address = `http://127.0.0.1:${served.port}`
  const client = createClientOf<ClientCalls<AnyTypes>>(contract, { transport: transport(address) })
  expect(await client.call('note', { body: '' })).toEqual({ body: '' })
})

test('no bytes without a Content-Type are no body', async () => {
  expect((await served.ask('/remark', { method: 'POST' })).json).toEqual({})
  const text = { method: 'POST', headers: { 'Content-Type': 'text/plain' } }
  expect((await served.ask('/remark', text)).json).toEqual({ body: '' })
  expect((await served.ask('/note', { method: 'POST' })).json).toMatchObject({ code: 'validation_failed' })
})

test('a query has no name for a whole body', async () => {
  const { status, json } = await served.ask('/remark?body=a', { method: 'POST' })
  expect([status, json.errors]).toMatchObject([400, [{ path: '/body', keyword: 'additionalProperties' }]])
})
