import type { RequestHandler } from 'express'
import { expect, test } from 'vitest'
import { createClientOf } from '../../client/client.js'
import type { ClientCalls } from '../../client/client-calls.js'
import type { Reply } from '../../contract/reply.js'
import { type AnyTypes, contractOf } from '../../fixtures/contract.js'
import { served, serveExpress, serveNode } from '../../fixtures/serve.js'
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

test.each([
  [{ ref: 'main' }, undefined, 'application/json'],
  [{ ref: 'main' }, '*/*', 'application/json'],
  [{ ref: 'main' }, 'application/json+sarif', 'application/json+sarif'],
  [{ ref: 'main' }, 'application/json;q=0.2, application/json+sarif', 'application/json+sarif'],
  [{ ref: 'main' }, 'application/json;q=0.1, application/*;q=0.5', 'application/json+sarif'],
  [{ ref: 'main' }, 'text/html', 'application/json'],
  [{}, undefined, 'application/json+sarif'],
  [{}, 'application/json', 'application/json+sarif'],
  [{}, 'application/json+sarif', 'application/json+sarif'],
])('%j for Accept: %s is %s, a type whose schema it fits', async (result, accept, type) => {
  const contract = contractOf({
    'scans.get': {
      method: 'GET',
      path: '/scans',
      jsonContents: {
        'application/json': { required: ['ref'] },
        'application/json+sarif': { type: 'object' },
      },
    },
  })
  const api = createApiOf<AnyTypes, unknown, unknown, string>(contract, {
    handlers: { scans: { get: () => result } },
  })
  const request = new Request('http://localhost/scans', { headers: accept === undefined ? {} : { accept } })
  const response = await api.fetch(request)
  expect(response.headers.get('content-type')).toBe(type)
  // RFC 9110 section 12.5.5: caches must not give this answer to callers who accept another type.
  expect(response.headers.get('vary')).toBe('Accept')
  const client = createClientOf<ClientCalls<AnyTypes>>(contract, {
    transport: rest('http://localhost', {
      fetch: (url, init) => api.fetch(new Request(url, init as RequestInit)),
    }),
  })
  expect(await client.call('scans.get', {})).toEqual(result)
})

test.each([[undefined], ['Accept-Language']])(
  'Vary keeps what a middleware and the handler say: %s',
  async (own) => {
    const contract = contractOf({
      'scans.get': {
        method: 'GET',
        path: '/scans',
        jsonContents: {
          'application/json': { type: 'object' },
          'application/json+sarif': { type: 'object' },
        },
      },
    })
    const api = createApiOf<AnyTypes, unknown, unknown, string>(contract, {
      handlers: {
        scans: {
          get: (_: unknown, { reply }: { reply: Reply }) => {
            if (own !== undefined) reply.header('Vary', own)
            return { ref: 'main' }
          },
        },
      },
    })
    const ofOrigins: RequestHandler = (_, response, next) => {
      response.appendHeader('Vary', 'Origin')
      next()
    }
    const server = await served(serveExpress(api, { parsers: [ofOrigins] }))
    const { headers } = await server.ask('/scans')
    expect(headers.vary).toBe(['Origin', own, 'Accept'].filter((name) => name !== undefined).join(', '))
  },
)
