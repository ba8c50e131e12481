// @module-tag long

import { expect, test } from 'vitest'
import { createClientOf } from '../../client/client.js'
import type { ClientCalls } from '../../client/client-calls.js'
import { type AnyTypes, contractOf } from '../../fixtures/contract.js'
import { served, serveNode } from '../../fixtures/serve.js'
import { createApiOf } from '../../server.js'
import { rest } from '../client/transport.js'

test("a JSON success has the document's media type, and the client accepts it", async () => {
  const contract = contractOf({
    'orders.get': { method: 'GET', path: '/orders', jsonType: 'application/hal+json' },
  })
  const accepted: (string | undefined)[] = []
  const api = createApiOf<AnyTypes, unknown, unknown, string>(contract, {
    handlers: { orders: { get: () => ({ total: 3 }) } },
    onCall: ({ request }) => void accepted.push(request?.headers.accept),
  })
  const server = await served(serveNode(api))
  const { headers, json } = await server.ask('/orders')
  expect([headers['content-type'], json]).toEqual(['application/hal+json', { total: 3 }])
  const client = createClientOf<ClientCalls<AnyTypes>>(contract, {
    transport: rest(`http://127.0.0.1:${server.port}`),
  })
  expect(await client.call('orders.get', {})).toEqual({ total: 3 })
  expect(accepted[1]).toBe('application/hal+json, application/problem+json')
})
