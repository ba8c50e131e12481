import { describe, expect, test, vi } from 'vitest'
import { clientOf, transports } from '../fixtures/client.js'
import { contractOf, type Definition, parameter } from '../fixtures/contract.js'
import { jsonrpc } from '../jsonrpc/client/transport.js'
import { rest } from '../rest/client/transport.js'
import type { Context } from '../server/api/context.js'
import { createClientOf } from './client.js'
import type { ClientMethod, StreamMethod } from './client-calls.js'
import type { ClientOptions } from './client-options.js'
import type { Transport } from './transport.js'

type Options = Partial<ClientOptions<Transport>>

interface Client {
  readonly headers: ClientMethod<{
    params: { Tenant?: string }
    result: Record<string, string>
    status: 200
  }>
  readonly count: StreamMethod<{ params: object; piece: number; status: 200 }>
}

const definitions: Record<string, Definition> = {
  headers: {
    method: 'GET',
    path: '/headers',
    parameters: [parameter('Tenant', ['string'], { in: 'header' })],
  },
  count: { method: 'GET', path: '/count', answers: [{ type: 'text/event-stream', kind: 'events' }] },
}
const handlers = {
  default: {
    headers: (_: unknown, { request }: Context<unknown>) => request?.headers,
    count: async function* () {
      yield* [1, 2]
    },
  },
}

describe.each(transports)('over %s', (protocol, transport) => {
  const connect = (options: Options) => clientOf<Client>(definitions, { handlers }, transport, options)

  test("sends default headers with every call; the call's headers override them", async () => {
    const client = await connect({ headers: { 'X-App': 'shop', 'X-Tenant': 'acme', Accept: 'text/html' } })
    const sent = await client.headers({}, { headers: { 'x-tenant': 'other' } })
    expect(sent).toMatchObject({ 'x-app': 'shop', 'x-tenant': 'other' })
    expect(sent.accept).toMatch(/^application\/json\b/)
  })

  test("around receives one call with its params; the call's headers override those that it adds", async () => {
    const calls: unknown[] = []
    const client = await connect({
      headers: { 'X-App': 'shop' },
      around: async (call, run) => {
        calls.push(call)
        const response = await run({ headers: { 'X-App': 'late', 'X-Tenant': 'acme', 'X-Trace': '1' } })
        calls.push(response.status)
        return response
      },
    })
    const sent = await client.headers({ Tenant: 'param' }, { headers: { 'X-Trace': '2' } })
    expect(sent).toMatchObject({ 'x-app': 'late', 'x-tenant': 'acme', 'x-trace': '2' })
    const told = { operation: 'headers', protocol: protocol === 'REST' ? 'rest' : 'jsonrpc' }
    expect(calls).toEqual([{ ...told, params: { Tenant: 'param' } }, 200])
  })

  test('what around answers or throws is what the caller receives', async () => {
    const rawHeaders = new Headers()
    const client = await connect({
      around: async ({ operation }, run) => {
        if (operation === 'count') throw new RangeError('not today')
        const { data } = await run()
        return { data: Object.keys(data as object).includes('host'), status: 200, headers: {}, rawHeaders }
      },
    })
    expect(await client.headers()).toBe(true)
    await expect(client.count({}).next()).rejects.toThrow(new RangeError('not today'))
  })

  test('around receives the pieces of a stream, and runs once for all attempts', async () => {
    const around = vi.fn<NonNullable<Options['around']>>(async (_, run) => {
      const response = await run()
      async function* doubled() {
        for await (const piece of response.data as AsyncIterable<number>) yield piece * 2
      }
      return { ...response, data: doubled() }
    })
    const client = await connect({ around })
    const pieces: number[] = []
    for await (const piece of client.count({})) pieces.push(piece)
    expect(pieces).toEqual([2, 4])
    expect(around).toHaveBeenCalledTimes(1)
  })

  test.each([
    ['a line break', { 'X-App': 'a\r\nX-Admin: 1' }],
    ['NUL', { 'X-App': 'a\0' }],
    ['what is no Latin-1', { 'X-App': '店' }],
    ['what is no text', { 'X-App': undefined as never }],
    ['an invalid name', { 'X App': 'a' }],
  ])('refuses a header with %s', async (_, headers) => {
    await expect(connect({ headers })).rejects.toThrow(TypeError)
    const client = await connect({ around: (_, run) => run({ headers }) })
    await expect(client.headers()).rejects.toThrow(TypeError)
  })
})

test('a param overrides a default header of the same name', async () => {
  const fetch = vi.fn(async (_: string, { headers }: { headers: Record<string, string> }) =>
    Response.json(headers.tenant),
  )
  const client = createClientOf<Client>(contractOf(definitions), {
    transport: rest('http://127.0.0.1', { fetch }),
    headers: { TENANT: 'default' },
  })
  expect([await client.headers(), await client.headers({ Tenant: 'param' })]).toEqual(['default', 'param'])
})

test('around includes all attempts of a call', async () => {
  const fetch = vi.fn(async () =>
    fetch.mock.calls.length < 3
      ? new Response('', { status: 503 })
      : new Response('{}', { headers: { 'content-type': 'application/json' } }),
  )
  const around = vi.fn<NonNullable<Options['around']>>((_, run) => run())
  const client = createClientOf<Client>(contractOf(definitions), {
    transport: rest('http://127.0.0.1', { fetch }),
    retry: { baseDelay: 1 },
    around,
  })
  expect(await client.headers()).toEqual({})
  expect([fetch.mock.calls.length, around.mock.calls.length]).toEqual([3, 1])
})

test('a batch and a notification are one call each', async () => {
  const calls: unknown[] = []
  const fetch = async (_: string, { body }: { body?: unknown }) => {
    const sent = JSON.parse(String(body))
    if (!Array.isArray(sent)) return new Response(null, { status: 204 })
    const answers = sent.map(({ id }) => ({ jsonrpc: '2.0', id, result: {} }))
    return new Response(JSON.stringify(answers), { headers: { 'content-type': 'application/json' } })
  }
  const client = createClientOf<{
    batch(calls: [string, object][]): Promise<unknown>
    notify(name: string, params: object): Promise<void>
  }>(contractOf(definitions), {
    transport: jsonrpc('http://127.0.0.1', { fetch }),
    around: async (call, run) => {
      const response = await run()
      calls.push([call.operation, call.params, response.data])
      return response
    },
  })
  const outcomes = await client.batch([
    ['headers', {}],
    ['headers', { Tenant: 'a' }],
  ])
  await client.notify('headers', { Tenant: 'b' })
  expect(calls).toEqual([
    ['batch', [{}, { Tenant: 'a' }], outcomes],
    ['headers', { Tenant: 'b' }, undefined],
  ])
})
