import { beforeAll, describe, expect, test } from 'vitest'
import { createClientOf } from '../../client/client.js'
import type { ClientCalls } from '../../client/client-calls.js'
import { isApiError } from '../../client/client-error.js'
import { apiOf } from '../../fixtures/api.js'
import { type AnyTypes, contractOf, type Definition, parameter } from '../../fixtures/contract.js'
import { type Served, served } from '../../fixtures/serve.js'
import { servers } from '../../fixtures/servers.js'
import { jsonrpc } from '../../jsonrpc/client/transport.js'
import { rest } from '../client/transport.js'
import { entityTagOf, entityTagText, readEntityTag } from './entity-tag.js'

const parameters = [
  parameter('id', ['integer'], { in: 'path' }),
  parameter('If-Match', ['string'], { in: 'header', param: 'expected', entityTag: true }),
]
const params = {
  type: 'object',
  properties: { id: { type: 'integer' }, expected: { type: 'string', maxLength: 5 } },
  required: ['id'],
  additionalProperties: false,
}
const definitions: Record<string, Definition> = {
  get: { method: 'GET', path: '/carts/{id}', parameters, params, entityTag: ['meta', 'version'] },
  put: { method: 'PUT', path: '/carts/{id}', parameters, params, entityTag: ['meta', 'version'] },
  post: {
    method: 'POST',
    path: '/carts',
    parameters: parameters.slice(1),
    params,
    body: { kind: 'fields', required: true },
  },
  say: { method: 'GET', path: '/said', entityTag: ['version'] },
}
/** Carts by id, some without a usable tag. */
const carts: Readonly<Record<number, unknown>> = {
  1: { meta: { version: 'v1' } },
  2: { meta: { version: 'no tag' } },
  3: { meta: { version: 3 } },
  4: { meta: null },
  5: null,
  6: { meta: { version: '*' } },
}
const cart = ({ id, expected }: { id: number; expected?: string }) =>
  expected === undefined ? carts[id] : { meta: { version: 'v1' }, expected }
const api = apiOf(definitions, {
  handlers: {
    default: {
      get: cart,
      put: cart,
      post: cart,
      say: (_: unknown, { reply }: { reply: { header(name: string, value: string): void } }) => {
        reply.header('ETag', 'W/"mine"')
        return { version: 'v1' }
      },
    },
  },
})

test.each([
  ['"v1"', 'v1'],
  [' "v1"\t', 'v1'],
  ['""', ''],
  ['*', '*'],
  ['"a,b"', 'a,b'],
  ['"é\\"', 'é\\'],
  ['W/"v1"', undefined],
  ['"a", "b"', undefined],
  ['"*"', undefined],
  ['v1', undefined],
  ['"v1', undefined],
  ['"a b"', undefined],
  ['', undefined],
])('reads the precondition %s as %j', (text, opaque) => {
  expect(readEntityTag(text)).toBe(opaque)
})

test.each(['v1', '', '*', 'a,b', '\\', '!~é'])(
  '%j comes back from the header that it is written as',
  (text) => {
    expect(readEntityTag(entityTagText(text) ?? 'none')).toBe(text)
  },
)

test.each(['a b', '"', 'a\n', '\0', '☎', '\x7f'])('%j is written as no entity tag', (text) => {
  expect(entityTagText(text)).toBeUndefined()
})

test("reads a result's entity tag only from own members", () => {
  expect(entityTagOf({ a: { b: 'x' } }, ['a', 'b'])).toBe('"x"')
  expect(entityTagOf(Object.create({ version: 'x' }), ['version'])).toBeUndefined()
  expect(entityTagOf({}, ['constructor', 'name'])).toBeUndefined()
})

describe.each(servers)('entity tags under %s', (_, serve) => {
  const start = () => served(serve(api))
  const ask = async (target: string, headers: Record<string, string> = {}, method = 'GET') =>
    (await start()).ask(target, { method, headers })

  test('are in the header of a response that has one', async () => {
    for (const method of ['GET', 'PUT']) {
      const { headers, status } = await ask('/carts/1', {}, method)
      expect([status, headers.etag]).toEqual([200, '"v1"'])
    }
    const head = await ask('/carts/1', {}, 'HEAD')
    expect([head.status, head.headers.etag]).toEqual([200, '"v1"'])
  })

  test.each([2, 3, 4, 5, 6])('are left out where there is no text that could be one: cart %d', async (id) => {
    const { headers, json, status } = await ask(`/carts/${id}`)
    expect([status, headers.etag]).toEqual([200, undefined])
    expect(json).toEqual(carts[id])
  })

  test('of a handler take precedence', async () => {
    expect((await ask('/said')).headers.etag).toBe('W/"mine"')
  })

  test.each(['GET', 'HEAD'])('answer 304 to a %s that names them', async (method) => {
    const { headers, status, text } = await ask('/carts/1', { 'If-None-Match': '"v0", W/"v1"' }, method)
    expect([status, headers.etag, text]).toEqual([304, '"v1"', ''])
    expect(headers['content-type']).toBeUndefined()
    expect((await ask('/carts/1', { 'If-None-Match': '"v0"' }, method)).status).toBe(200)
  })

  test('are read without their quotation marks', async () => {
    expect((await ask('/carts/1', { 'If-Match': '"v0"' }, 'PUT')).json).toMatchObject({ expected: 'v0' })
    expect((await ask('/carts/1', { 'if-match': '*' }, 'PUT')).json).toMatchObject({ expected: '*' })
  })

  test.each(['v0', 'W/"v0"', '"v0", "v1"', '"*"', ''])('are refused as If-Match: %s', async (condition) => {
    const { json, status } = await ask('/carts/1', { 'If-Match': condition }, 'PUT')
    expect(status).toBe(400)
    expect(json.errors).toEqual([
      {
        path: '/expected',
        keyword: 'entity-tag',
        message: 'must be one entity tag in quotation marks, neither weak nor a list, or *',
      },
    ])
  })

  test('are params of their header only: in a query or a body their name is undeclared', async () => {
    const undeclared = [{ path: '/expected', keyword: 'additionalProperties' }]
    const headers = { 'If-Match': '"v1"' }
    expect((await ask('/carts/1?expected=v1', {}, 'PUT')).json.errors).toMatchObject(undeclared)
    expect((await ask('/carts/1?expected=v1', headers, 'PUT')).json.errors).toMatchObject(undeclared)
    const served = await start()
    const { status, json } = await served.ask('/carts', {
      method: 'POST',
      headers,
      body: { expected: 'v1', id: 1 },
    })
    expect([status, json.errors]).toMatchObject([400, undeclared])
  })

  test('are validated like other params', async () => {
    expect((await ask('/carts/1', { 'If-Match': '"123456"' }, 'PUT')).json.errors).toMatchObject([
      { path: '/expected', keyword: 'maxLength' },
    ])
  })
})

describe('the client', () => {
  let url: string
  let server: Served
  beforeAll(() => {
    const contract = contractOf(definitions)
    connect = (transport) => createClientOf<ClientCalls<AnyTypes>>(contract, { transport })
  })
  let connect: (transport: ReturnType<typeof rest> | ReturnType<typeof jsonrpc>) => ClientCalls<AnyTypes>
  const call = async (protocol: typeof rest | typeof jsonrpc, expected: unknown): Promise<unknown> => {
    server = await served(servers[0]?.[1](api) as Promise<Served>)
    url = `http://127.0.0.1:${server.port}`
    return connect(protocol(url)).call('put', { id: 1, expected })
  }

  test.each(['v0', '*', 'a,b', ''])('carries %j alike over both protocols', async (expected) => {
    expect(await call(rest, expected)).toMatchObject({ expected })
    expect(await call(jsonrpc, expected)).toMatchObject({ expected })
  })

  test.each(['a b', '"', '☎', 7, null])('refuses to send %j as an entity tag', async (expected) => {
    const error = await call(rest, expected).catch((caught: unknown) => caught)
    expect(isApiError(error, 'validation_failed')).toBe(true)
    expect(error).toMatchObject({ violations: [{ path: '/expected', keyword: 'rest' }] })
  })
})
