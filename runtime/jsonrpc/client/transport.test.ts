import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createClientOf } from '../../client/client.js'
import type { ClientCalls, JsonRpcCalls } from '../../client/client-calls.js'
import { builtInErrors, type ErrorCatalogue } from '../../contract/catalogue.js'
import type { Operation } from '../../contract/operation.js'
import { jsonrpc } from './transport.js'

interface Types {
  'clients.get': { params: { id?: number }; result: unknown; errors: 'client_gone' }
  hidden: { params: object; result: unknown; errors: never }
}

const get: Operation = {
  name: 'clients.get',
  source: '#',
  rest: { method: 'GET', path: '/clients', parameters: [], status: 200 },
  rpc: 'clients.get',
  security: [],
  errors: ['client_gone'],
  idempotent: false,
  datetimes: {},
}
const errors: ErrorCatalogue = {
  ...builtInErrors,
  client_gone: { title: 'Client gone', status: 410, rpc: -32004 },
}
const contract = {
  operations: { 'clients.get': get, hidden: { ...get, name: 'hidden', rpc: false } as Operation },
  errors,
  securitySchemes: {},
}

interface FakeResponse {
  status?: number
  type?: string
  /** A text as it is, other values as JSON; a function receives the request's id or ids. */
  body: unknown
}

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function connect({ body, status = 200, type = 'application/json' }: FakeResponse) {
  const received: { url: string | undefined; type: string | undefined; body: string }[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    received.push({ url: request.url, type: request.headers['content-type'], body: text })
    const sent = JSON.parse(text)
    const ids = Array.isArray(sent) ? sent.map(({ id }) => id) : sent.id
    const content = typeof body === 'function' ? body(ids) : body
    response.writeHead(status, { 'content-type': type, location: '/elsewhere' })
    response.end(typeof content === 'string' ? content : JSON.stringify(content))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  closing.push(() => {
    server.close()
    server.closeAllConnections()
  })
  const transport = jsonrpc(`http://127.0.0.1:${(server.address() as AddressInfo).port}/rpc/`)
  return {
    client: createClientOf<ClientCalls<Types> & JsonRpcCalls<Types>>(contract, { transport }),
    received,
  }
}

test('posts a call as a request object with its own id to the address', async () => {
  const { client, received } = await connect({ body: (id: number) => ({ jsonrpc: '2.0', id, result: id }) })
  await client.call('clients.get', { id: 7 })
  await client.call('clients.get')
  expect(received.map(({ body }) => JSON.parse(body))).toEqual([
    { jsonrpc: '2.0', id: 1, method: 'clients.get', params: { id: 7 } },
    { jsonrpc: '2.0', id: 2, method: 'clients.get', params: {} },
  ])
  expect(received[0]).toMatchObject({ url: '/rpc/', type: 'application/json' })
})

test('concurrent calls have different ids', async () => {
  const { client, received } = await connect({ body: (id: number) => ({ jsonrpc: '2.0', id, result: id }) })
  const results = await Promise.all(Array.from({ length: 10 }, () => client.call('clients.get')))
  expect(new Set(results).size).toBe(10)
  expect(received).toHaveLength(10)
})

test('refuses an operation that JSON-RPC does not offer before it sends anything', async () => {
  const { client, received } = await connect({ body: '' })
  await expect(client.call('hidden')).rejects.toThrow('hidden is not offered over JSON-RPC')
  expect(received).toEqual([])
})

describe('a response to one call', () => {
  test('with a result and error null is a result', async () => {
    const { client } = await connect({
      body: (id: number) => ({ jsonrpc: '2.0', id, result: 1, error: null }),
    })
    expect(await client.call('clients.get')).toBe(1)
  })

  const error = { code: -32004, message: 'No.' }
  test.each<[string, (id: number) => unknown]>([
    ['no version', (id) => ({ id, result: 1 })],
    ['another version', (id) => ({ jsonrpc: '1.0', id, result: 1 })],
    ['no id', () => ({ jsonrpc: '2.0', result: 1 })],
    ['another id', (id) => ({ jsonrpc: '2.0', id: id + 1, result: 1 })],
    ['the id as text', (id) => ({ jsonrpc: '2.0', id: String(id), result: 1 })],
    ['a result for the id null', () => ({ jsonrpc: '2.0', id: null, result: 1 })],
    ['neither result nor error', (id) => ({ jsonrpc: '2.0', id })],
    ['error null alone', (id) => ({ jsonrpc: '2.0', id, error: null })],
    ['both result and error', (id) => ({ jsonrpc: '2.0', id, result: null, error })],
    ['an error that is text', (id) => ({ jsonrpc: '2.0', id, error: 'No.' })],
    ['an error without a code', (id) => ({ jsonrpc: '2.0', id, error: { message: 'No.' } })],
    [
      'an error whose code is a fraction',
      (id) => ({ jsonrpc: '2.0', id, error: { code: 1.5, message: 'No.' } }),
    ],
    ['an error without a message', (id) => ({ jsonrpc: '2.0', id, error: { code: 1 } })],
    ['a list', (id) => [{ jsonrpc: '2.0', id, result: 1 }]],
    ['null', () => 'null'],
    ['broken JSON', () => '{"jsonrpc":'],
    ['nothing', () => ''],
  ])('that has %s is unexpected', async (_, body) => {
    const { client } = await connect({ body })
    await expect(client.call('clients.get')).rejects.toMatchObject({
      name: 'TransportError',
      reason: 'unexpected_response',
      status: 200,
    })
  })

  test('that is a page is unexpected, and the error shows its start', async () => {
    const { client } = await connect({ status: 502, type: 'text/html', body: `<html>${'x'.repeat(1000)}` })
    await expect(client.call('clients.get')).rejects.toMatchObject({
      reason: 'unexpected_response',
      status: 502,
      excerpt: `<html>${'x'.repeat(494)}`,
    })
  })

  test('that is a redirect is unexpected, and not followed', async () => {
    const { client, received } = await connect({ status: 307, body: '' })
    await expect(client.call('clients.get')).rejects.toThrow(/redirect, which clients do not follow/)
    expect(received).toHaveLength(1)
  })

  test('that is a result with the status of an error is unexpected', async () => {
    const { client } = await connect({
      status: 500,
      body: (id: number) => ({ jsonrpc: '2.0', id, result: 1 }),
    })
    await expect(client.call('clients.get')).rejects.toMatchObject({
      reason: 'unexpected_response',
      status: 500,
    })
  })
})

describe('an error', () => {
  const answering = (error: object, status = 200, id?: null) =>
    connect({ status, body: (own: number) => ({ jsonrpc: '2.0', id: id === null ? null : own, error }) })

  test('with a problem as its data has the fields of the problem', async () => {
    const violations = [{ path: '/id', keyword: 'type', message: 'must be integer' }]
    const data = {
      type: 'urn:x',
      title: 'T',
      status: 400,
      code: 'validation_failed',
      errors: violations,
      extra: 1,
    }
    const { client } = await answering({ code: -32602, message: 'T', data })
    const error = await client.call('clients.get').catch((caught: unknown) => caught)
    expect(error).toMatchObject({
      code: 'validation_failed',
      status: 400,
      rpcCode: -32602,
      violations,
      problem: data,
    })
  })

  test('with wrong member types in its problem still has every field', async () => {
    const data = {
      type: 1,
      title: null,
      status: 'x',
      code: 'odd',
      detail: {},
      errors: [1, { path: 1 }],
      requestId: 5,
    }
    const { client } = await answering({ code: -31000, message: 'T', data })
    await expect(client.call('clients.get')).rejects.toMatchObject({
      code: 'odd',
      status: 500,
      rpcCode: -31000,
      title: 'odd',
      detail: undefined,
      violations: [],
      requestId: undefined,
    })
  })

  test("without a problem has the catalogue's code for its RPC code", async () => {
    const { client } = await answering({ code: -32005, message: 'Token is over.' })
    await expect(client.call('clients.get')).rejects.toMatchObject({
      code: 'invalid_token',
      status: 401,
      title: 'Invalid token',
      detail: 'Token is over.',
    })
  })

  test('without a problem has no detail if its message is the title, as over REST', async () => {
    const { client } = await answering({ code: -32005, message: 'Invalid token', data: { reason: 'over' } })
    const error = await client.call('clients.get').catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: 'invalid_token', detail: undefined, body: { reason: 'over' } })
  })

  test('without a problem and with a shared RPC code, has the code with its HTTP status', async () => {
    const { client } = await answering({ code: -32001, message: 'No.' }, 401, null)
    await expect(client.call('clients.get')).rejects.toMatchObject({ code: 'invalid_api_key' })
    const { client: other } = await answering({ code: -32001, message: 'No.' })
    await expect(other.call('clients.get')).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  test('without a problem and with a shared RPC code, has the code that the operation declares', async () => {
    const { client } = await answering({ code: -32004, message: 'No.' })
    await expect(client.call('clients.get')).rejects.toMatchObject({ code: 'client_gone', status: 410 })
  })

  test('without a problem and with an unknown RPC code, is an unknown_error', async () => {
    const { client } = await answering({ code: 12, message: 'Odd.' })
    await expect(client.call('clients.get')).rejects.toMatchObject({
      code: 'unknown_error',
      status: 500,
      rpcCode: 12,
      title: 'Odd.',
    })
  })

  test('may be a bare problem object with an error status', async () => {
    const body = { type: 'urn:x', title: 'Payload too large', status: 413, code: 'payload_too_large' }
    const { client } = await connect({ status: 413, type: 'application/problem+json', body })
    await expect(client.call('clients.get')).rejects.toMatchObject({
      code: 'payload_too_large',
      rpcCode: -32600,
    })
  })
})

describe('a response to a batch', () => {
  const two = [
    ['clients.get', { id: 1 }],
    ['clients.get', { id: 2 }],
  ] as const
  const fine = (id: number) => ({ jsonrpc: '2.0', id, result: id })

  test('that is one error refuses the whole batch', async () => {
    const { client } = await connect({
      status: 401,
      body: { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Invalid API key' } },
    })
    await expect(client.batch(two)).rejects.toMatchObject({ code: 'invalid_api_key', operation: 'batch' })
  })

  test('may have results and the error status of the worst call', async () => {
    const { client } = await connect({
      status: 401,
      body: ([a = 0, b = 0]: number[]) => [
        { jsonrpc: '2.0', id: b, error: { code: -32001, message: 'Invalid API key' } },
        fine(a),
      ],
    })
    expect(await client.batch(two)).toMatchObject([
      { ok: true },
      { ok: false, error: { code: 'invalid_api_key' } },
    ])
  })

  test.each<[string, (ids: number[]) => unknown]>([
    ['misses an answer', ([a = 0]) => [fine(a)]],
    ['has an answer twice', ([a = 0]) => [fine(a), fine(a)]],
    ['has an answer twice beside the other', ([a = 0, b = 0]) => [fine(a), fine(a), fine(b)]],
    ['has an answer to no call', ([a = 0]) => [fine(a), fine(-1)]],
    ['has one answer too many', ([a = 0, b = 0]) => [fine(a), fine(b), fine(-1)]],
    ['has a malformed answer', ([a = 0, b = 0]) => [fine(a), { id: b, result: 1 }]],
    ['is one result', ([a = 0]) => fine(a)],
    ['is empty', () => []],
  ])('that %s is unexpected', async (_, body) => {
    const { client } = await connect({ body })
    await expect(client.batch(two)).rejects.toMatchObject({
      reason: 'unexpected_response',
      operation: 'batch',
    })
  })
})

describe('a notification', () => {
  test('has no id and ends with 204', async () => {
    const { client, received } = await connect({ status: 204, body: '' })
    expect(await client.notify('clients.get', { id: 1 })).toBeUndefined()
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({
      jsonrpc: '2.0',
      method: 'clients.get',
      params: { id: 1 },
    })
  })

  test('that is refused is an ApiError', async () => {
    const body = { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Invalid API key' } }
    const { client } = await connect({ status: 401, body })
    await expect(client.notify('clients.get')).rejects.toMatchObject({ code: 'invalid_api_key' })
  })

  test('that is answered with a result is unexpected', async () => {
    const { client } = await connect({ body: { jsonrpc: '2.0', id: 1, result: 1 } })
    await expect(client.notify('clients.get')).rejects.toMatchObject({ reason: 'unexpected_response' })
  })
})
