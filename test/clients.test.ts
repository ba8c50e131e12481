import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  ApiError,
  apiKey,
  bearer,
  type Client,
  type ClientOptions,
  createClient,
  type JsonRpcClient,
  jsonrpc,
  renewingToken,
  rest,
  TransportError,
} from '@billing/api/1.0.0/client'
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import { startServiceHere, type TestService } from './service-process.js'

// The client of one version calls the service of the next, to prove that the versions are compatible.
let service: TestService
beforeAll(async () => {
  service = await startServiceHere({ API_VERSION: '1.1.0' })
})
afterAll(async () => {
  await service.stop()
  service.remove()
})

type Options = Omit<ClientOptions<never>, 'transport'>
const key = (login: string) => apiKey(service.user(login).apiKey)

describe.each([
  ['REST', (options: Options): Client => createClient({ ...options, transport: rest(service.url) })],
  ['JSON-RPC', (options: Options): Client => createClient({ ...options, transport: jsonrpc(service.url) })],
])('the client over %s', (_, connect) => {
  test('calls every operation with typed params and results', async () => {
    const client = connect({ auth: key('admin') })
    const gateways = await client.lnp.gateways.search({ limit: 2, order: ['-name'], editable: true })
    expect(gateways).toHaveLength(2)
    expect(await client.lnp.gateways.search()).toHaveLength(20)
    expect(
      await client.accounting.currencies.get_rate({ from: 'EUR', to: 'USD', at: '2026-03-01T00:00:00Z' }),
    ).toEqual({
      from: 'EUR',
      to: 'USD',
      rate: 1.0825,
      effective_from: '2026-01-01T00:00:00+00:00',
    })
    const client1 = await client.clients.get({ id: 1 })
    expectTypeOf(client1.credit).toEqualTypeOf<number>()
    // The client chooses its own version, in which clients have no version.
    const updated = { ...client1, credit: 77.7777 }
    expect(await client.clients.update({ id: 1, credit: 77.7777 })).toEqual(updated)
    const back = await client.call('clients.update', { id: 1, credit: client1.credit })
    expect(back).toEqual(client1)
  })

  test('throws the same error with the same fields', async () => {
    const error = await connect({ auth: key('reseller-a') })
      .clients.get({ id: 4 })
      .catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      code: 'not_found',
      status: 404,
      rpcCode: -32004,
      title: 'Not found',
      detail: 'There is no client 4.',
      operation: 'clients.get',
      violations: [],
      requestId: expect.any(String),
    })
  })

  test('lists the violations of each invalid value', async () => {
    const call = connect({ auth: key('admin') }).clients.update({ id: 1, credit: 0.00001 })
    await expect(call).rejects.toMatchObject({
      code: 'validation_failed',
      violations: [{ path: '/credit', keyword: 'multipleOf' }],
    })
  })

  test('refuses a wrong API key, and a missing one', async () => {
    await expect(connect({ auth: apiKey('bk_wrong') }).clients.get({ id: 1 })).rejects.toMatchObject({
      code: 'invalid_api_key',
      status: 401,
    })
    await expect(connect({}).clients.get({ id: 1 })).rejects.toMatchObject({
      code: 'unauthenticated',
      rpcCode: -32001,
    })
    await expect(connect({ auth: bearer('no.valid.token') }).clients.get({ id: 1 })).rejects.toMatchObject({
      code: 'invalid_token',
      rpcCode: -32005,
    })
  })

  test('sends the zone of the client, or that of the call', async () => {
    const client = connect({ auth: key('admin'), timezone: 'Asia/Kolkata' })
    const params = { from: 'EUR', to: 'GBP', at: '2026-03-01T00:00:00Z' }
    expect((await client.accounting.currencies.get_rate(params)).effective_from).toBe(
      '2026-01-01T05:30:00+05:30',
    )
    expect((await client.accounting.currencies.get_rate(params, { timezone: 'UTC' })).effective_from).toBe(
      '2026-01-01T00:00:00+00:00',
    )
  })

  test('obtains a token, and renews it before it expires', { tags: 'long' }, async () => {
    const { login, password } = service.user('reseller-b')
    const open = connect({})
    const told: string[] = []
    const auth = renewingToken({
      async obtain(options) {
        const { token, expires_at } = await open.iam.auth.jwt.authenticate({ login, password }, options)
        told.push('obtain')
        // A lifetime of five seconds instead of fifteen minutes, with renewal after half of it.
        return { token, expiresAt: Date.parse(expires_at) - (15 * 60_000 - 5_000) }
      },
      async renew(token, options) {
        const { token: next, expires_at } = await open.iam.auth.jwt.refresh(
          {},
          { ...options, auth: bearer(token) },
        )
        told.push('renew')
        return { token: next, expiresAt: expires_at }
      },
      margin: 60_000,
    })
    const client = connect({ auth })
    expect(await client.clients.get({ id: 4 })).toMatchObject({ id: 4 })
    await new Promise((resolve) => setTimeout(resolve, 2_600))
    expect(await client.clients.get({ id: 4 })).toMatchObject({ id: 4 })
    await expect.poll(() => told).toEqual(['obtain', 'renew'])
    expect(await client.clients.get({ id: 4 })).toMatchObject({ id: 4 })
  })

  test('ends a call that its caller aborts', async () => {
    const call = connect({ auth: key('admin') }).clients.get({ id: 1 }, { signal: AbortSignal.abort() })
    await expect(call).rejects.toMatchObject({ name: 'TransportError', reason: 'aborted' })
  })
})

describe('JSON-RPC alone', () => {
  const connect = (): JsonRpcClient =>
    createClient({ transport: jsonrpc(service.url), auth: key('reseller-a') })

  test('a batch gives the outcome of each call, in the order of the calls', async () => {
    const [client, foreign, gateways] = await connect().batch([
      ['clients.get', { id: 1 }],
      ['clients.get', { id: 5 }],
      ['lnp.gateways.search', { limit: 1 }],
    ])
    expect(client).toMatchObject({ ok: true, result: { id: 1 } })
    expect(foreign).toMatchObject({ ok: false, error: { code: 'not_found' } })
    if (gateways.ok) expectTypeOf(gateways.result[0]?.editable).toEqualTypeOf<boolean | undefined>()
    expect(gateways).toMatchObject({ ok: true, result: [{ id: 1 }] })
  })

  test('a notification is executed and gets no answer', async () => {
    const client = connect()
    expect(await client.notify('clients.update', { id: 2, credit: 5.5 })).toBeUndefined()
    expect(await client.clients.get({ id: 2 })).toMatchObject({ credit: 5.5 })
  })

  test('an unreachable service is a network error', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    const client = createClient({ transport: jsonrpc(`http://127.0.0.1:${port}`), retry: false })
    const error = await client.lnp.gateways.search().catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(TransportError)
    expect(error).toMatchObject({ reason: 'network' })
  })
})
