import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { builtInErrors } from '../contract/catalogue.js'
import type { Operation } from '../contract/operation.js'
import { jsonrpc } from '../jsonrpc/client/transport.js'
import { rest } from '../rest/client/transport.js'
import { createClientOf } from './client.js'
import type { ClientCalls, JsonRpcCalls } from './client-calls.js'
import { ApiError, isApiError } from './client-error.js'
import type { CallOptions, ClientOptions } from './client-options.js'
import { apiKey, bearer } from './credentials/client-auth.js'
import type { Transport } from './transport.js'

interface Types {
  'clients.get': { params: { id: number }; result: { id: number }; errors: 'not_found' }
  'status.get': { params: Record<string, never>; result: null; errors: never }
}

interface Client extends ClientCalls<Types> {
  readonly clients: { get(params: { id: number }, options?: CallOptions): Promise<{ id: number }> }
  readonly status: { get(params?: Record<string, never>, options?: CallOptions): Promise<null> }
}

const clientsGet: Operation = {
  name: 'clients.get',
  source: '#/paths/~1clients~1{id}/get',
  rest: {
    method: 'GET',
    path: '/clients/{id}',
    parameters: [
      {
        name: 'id',
        param: 'id',
        in: 'path',
        required: true,
        style: 'simple',
        explode: false,
        coerce: { types: ['integer'] },
      },
    ],
    status: 200,
  },
  rpc: 'clients.get',
  security: [{ apiKey: [] }, { jwt: [] }],
  errors: ['not_found'],
  idempotent: true,
  datetimes: {},
}
const statusGet: Operation = {
  ...clientsGet,
  name: 'status.get',
  rpc: 'status.get',
  rest: { method: 'GET', path: '/status', parameters: [], status: 204 },
  security: [],
}
const contract = {
  operations: { 'clients.get': clientsGet, 'status.get': statusGet },
  errors: builtInErrors,
  securitySchemes: {
    apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
    jwt: { type: 'http', scheme: 'bearer' },
  },
} as const

interface Received {
  method: string | undefined
  url: string | undefined
  headers: IncomingMessage['headers']
  body: string
}

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A server of both protocols for the two operations. Only client 1 exists. */
async function service() {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    received.push({ method: request.method, url: request.url, headers: request.headers, body })
    if (request.method === 'POST') answerRpc(JSON.parse(body), response)
    else answerRest(request.url ?? '', response)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  closing.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return { received, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const notFound = {
  type: 'urn:problem-type:not_found',
  title: 'Not found',
  status: 404,
  code: 'not_found',
  detail: 'No client 2.',
  requestId: 'r-1',
}

function answerRest(url: string, response: ServerResponse): void {
  if (url.startsWith('/status')) response.writeHead(204).end()
  else if (/^\/clients\/1\b/.test(url))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":1}')
  else response.writeHead(404, { 'content-type': 'application/problem+json' }).end(JSON.stringify(notFound))
}

function answerRpc(
  envelope: { id: unknown; method: string; params: { id?: number } },
  response: ServerResponse,
): void {
  const { id, method, params } = envelope
  const found = method === 'status.get' ? { result: null } : { result: { id: 1 } }
  const outcome =
    method === 'clients.get' && params.id !== 1
      ? { error: { code: -32004, message: 'Not found', data: notFound } }
      : found
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }))
}

type Options = Omit<ClientOptions<Transport>, 'transport'>
const transports = {
  rest: (address: string) => rest(address),
  jsonrpc: (address: string) => jsonrpc(address),
}

describe.each(['rest', 'jsonrpc'] as const)('over %s', (protocol) => {
  const connect = async (options: Options = {}) => {
    const { address, received } = await service()
    const transport = transports[protocol](address)
    return { client: createClientOf<Client>(contract, { transport, ...options }), received }
  }

  test('a call returns its result', async () => {
    const { client } = await connect()
    expect(await client.clients.get({ id: 1 })).toEqual({ id: 1 })
    expect(await client.call('clients.get', { id: 1 })).toEqual({ id: 1 })
  })

  test('an empty result is null', async () => {
    const { client } = await connect()
    expect(await client.status.get()).toBeNull()
  })

  test('a problem is an ApiError with the same fields', async () => {
    const { client } = await connect()
    const error = await client.clients.get({ id: 2 }).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(ApiError)
    expect({ ...(error as ApiError) }).toEqual({
      name: 'ApiError',
      code: 'not_found',
      status: 404,
      rpcCode: -32004,
      title: 'Not found',
      detail: 'No client 2.',
      violations: [],
      requestId: 'r-1',
      operation: 'clients.get',
      problem: notFound,
      retryAfterMs: undefined,
    })
    expect((error as ApiError).message).toBe('clients.get: No client 2. (not_found)')
    expect((error as ApiError).is('not_found')).toBe(true)
    expect(isApiError(error)).toBe(true)
    expect(isApiError(error, 'not_found')).toBe(true)
    expect(isApiError(error, 'conflict')).toBe(false)
    expect(isApiError(new Error('not_found'), 'not_found')).toBe(false)
  })

  test('sends an API key with calls that need one, but not with public ones', async () => {
    const { client, received } = await connect({ auth: apiKey('k-1') })
    await client.clients.get({ id: 1 })
    await client.status.get()
    expect(received.map(({ headers }) => headers['x-api-key'])).toEqual(['k-1', undefined])
  })

  test('a call may have other credentials, or none', async () => {
    const { client, received } = await connect({ auth: bearer('t-1') })
    await client.clients.get({ id: 1 }, { auth: apiKey('k-2') })
    await client.clients.get({ id: 1 }, { auth: false })
    await client.clients.get({ id: 1 })
    expect(received.map(({ headers }) => [headers['x-api-key'], headers.authorization])).toEqual([
      ['k-2', undefined],
      [undefined, undefined],
      [undefined, 'Bearer t-1'],
    ])
  })

  test("sends the client's zone; the call's overrides it, and the params' overrides both", async () => {
    const { client, received } = await connect({ timezone: 'Europe/Madrid' })
    await client.clients.get({ id: 1 })
    await client.clients.get({ id: 1 }, { timezone: 'America/New_York' })
    await client.clients.get(Object.assign({ id: 1 }, { __tz: 'Asia/Tokyo' }))
    const zones = received.map(({ url, body }) =>
      protocol === 'rest'
        ? new URL(url ?? '', 'http://x').searchParams.get('__tz')
        : JSON.parse(body).params.__tz,
    )
    expect(zones).toEqual(['Europe/Madrid', 'America/New_York', 'Asia/Tokyo'])
  })

  test("a call's headers override all others", async () => {
    const { client, received } = await connect({ auth: apiKey('k-1') })
    await client.clients.get({ id: 1 }, { headers: { 'X-API-KEY': 'mine', 'X-Trace': 'a' } })
    expect(received[0]?.headers).toMatchObject({ 'x-api-key': 'mine', 'x-trace': 'a' })
  })

  test('refuses an invalid header before it sends anything', async () => {
    const { client, received } = await connect()
    const split = client.clients.get({ id: 1 }, { headers: { 'X-A': 'a\r\nX-B: b' } })
    await expect(split).rejects.toThrow('The header X-A has characters that a header cannot carry')
    await expect(client.clients.get({ id: 1 }, { headers: { 'X A': 'a' } })).rejects.toThrow(TypeError)
    expect(received).toEqual([])
  })

  test('refuses an unknown operation and non-object params before it sends anything', async () => {
    const { client, received } = await connect()
    const loose = client as unknown as { call(name: string, params?: unknown): Promise<unknown> }
    await expect(loose.call('toString')).rejects.toThrow('There is no operation "toString"')
    await expect(loose.call('clients.get', [1])).rejects.toThrow(
      'The params of clients.get must be an object',
    )
    await expect(loose.call('clients.get', null)).rejects.toThrow(TypeError)
    expect(received).toEqual([])
  })

  test('refuses an invalid timeout', async () => {
    const { client } = await connect()
    await expect(client.clients.get({ id: 1 }, { timeout: -1 })).rejects.toThrow(RangeError)
    await expect(client.clients.get({ id: 1 }, { timeout: Number.NaN })).rejects.toThrow(RangeError)
  })
})

test('only JSON-RPC has batch and notify', async () => {
  const { address } = await service()
  const overRpc = createClientOf<Client & JsonRpcCalls<Types>>(contract, {
    transport: jsonrpc(address),
  })
  const overRest = createClientOf<Client>(contract, { transport: rest(address) })
  expect(Object.keys(overRpc).sort()).toEqual(['batch', 'call', 'clients', 'notify', 'status'])
  expect(Object.keys(overRest).sort()).toEqual(['call', 'clients', 'status'])
})

test('refuses credentials that a header cannot hold without showing them', () => {
  for (const make of [() => apiKey('secret\n1'), () => bearer('secret 1'), () => apiKey('')]) {
    expect(make).toThrow(TypeError)
    expect(make).not.toThrow(/secret/)
  }
})

test.each([
  [undefined, 'createClient: transport takes rest(address) or jsonrpc(address)'],
  [{ transport: undefined }, 'createClient: transport takes rest(address) or jsonrpc(address)'],
  [{ retry: 3 }, 'createClient: retry takes an object or false'],
  [{ retry: { retries: -1 } }, 'createClient: retry.retries takes a number of at least 0'],
  [{ timeout: '5' }, 'createClient: timeout takes a number of at least 0'],
  [{ headers: { a: undefined } }, 'The header a takes a text'],
])('says at the start what an option takes: %j', (given, message) => {
  const options = given && { transport: rest('http://127.0.0.1'), ...given }
  expect(() => createClientOf<Client>(contract, options as never)).toThrow(new TypeError(message))
})

test('warns about options that do not exist', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const options = { transport: rest('http://127.0.0.1'), timeOut: 5, retry: { retrys: 1 } }
  createClientOf<Client>(contract, options as never)
  expect(warn.mock.calls).toEqual([['createClient has no option timeOut, retry.retrys']])
  warn.mockRestore()
})

test('refuses an unknown place for the params of a GET', () => {
  expect(() => rest('http://127.0.0.1', { getParams: 'bdy' } as never)).toThrow(
    "getParams takes 'query' or 'body'",
  )
})

test('refuses an invalid service address', () => {
  for (const address of [
    '',
    'host',
    'ftp://host',
    'http://user:pass@host',
    'http://host/?a=1',
    'http://host/#a',
  ]) {
    expect(() => rest(address)).toThrow(TypeError)
    expect(() => jsonrpc(address)).toThrow(TypeError)
  }
})
