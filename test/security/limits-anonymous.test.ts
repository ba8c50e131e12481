// @module-tag long

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningService, startService } from '../service-process.js'
import { type Answered, call, raw, type Sent, send } from './target.js'
import { limited, untilLimited } from './until-limited.js'

describe('limits of calls without good credentials', () => {
  const limit = 30
  let service: RunningService
  beforeAll(async () => {
    service = await startService({ ANONYMOUS_LIMIT: String(limit), FAILURE_LIMIT: '20', TRUST_PROXY: '1' })
  })
  afterAll(async () => {
    await service?.stop()
    service?.remove()
  })
  let last = 0
  /** An address without counts. */
  const newAddress = () => `203.0.113.${++last}`
  const keyOf = (login: string) => ({ 'x-api-key': service.user(login).apiKey })
  const ask = (address: string, path: string, { headers, ...sent }: Sent = {}) =>
    send(service.url, path, { ...sent, headers: { 'x-forwarded-for': address, ...headers } })
  const post = (address: string, body: unknown, headers = {}) =>
    ask(address, '/', { method: 'POST', body, headers })
  const exhaust = (address: string) => untilLimited(() => ask(address, '/nothing'), limit + 5)

  test.each<[name: string, once: (address: string) => Promise<Answered>]>([
    ['unknown routes', (address) => ask(address, '/nothing')],
    ['methods that a route does not have', (address) => ask(address, '/clients/1', { method: 'PUT' })],
    ['secured operations without a credential', (address) => ask(address, '/clients/1')],
    ['pages', (address) => ask(address, '/reference/')],
    ['documents', (address) => ask(address, '/openapi.json')],
    ['the administration area', (address) => ask(address, '/admin/sign-in')],
    ['unknown methods', (address) => post(address, call('no.such', {}))],
    ['the discovery', (address) => post(address, call('rpc.discover', {}))],
    ['invalid envelopes', (address) => post(address, { jsonrpc: '1.0' })],
    ['bodies that are no JSON', (address) => post(address, '{')],
    ['bodies of other media types', (address) => post(address, 'x', { 'content-type': 'text/plain' })],
    ['invalid hosts', (address) => ask(address, '/nothing', { headers: { host: 'user@x' } })],
  ])('count %s by address', async (_name, once) => {
    const address = newAddress()
    for (let index = 0; index < limit; index++) expect((await once(address)).status).not.toBe(429)
    // A minute may end in between, which frees a place.
    const { before, answer } = await untilLimited(() => ask(address, '/nothing'), 3)
    expect(before).toBeLessThanOrEqual(2)
    expect(answer.json).toEqual(limited)
    expect(answer.headers['retry-after']).toBe(String(answer.json.retryAfter))
    expect(answer.headers['ratelimit-policy']).toBe(`"anonymous";q=${limit};w=60`)
    expect((await ask(newAddress(), '/nothing')).status).toBe(404)
  })

  test('refuse over JSON-RPC with the problem in an error', async () => {
    const address = newAddress()
    await exhaust(address)
    const { status, headers, json } = await post(address, call('no.such', {}))
    expect([status, headers['retry-after']]).toEqual([429, String(json.error.data.retryAfter)])
    expect(json).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32029, data: limited } })
  })

  test('count each call of a batch once, and run none beyond the limit', async () => {
    const batchOf = (length: number) => [
      ...Array.from({ length }, (_, id) => call('no.such', {}, id)),
      call('rpc.discover', {}, 'last'),
    ]
    const address = newAddress()
    expect((await post(address, batchOf(limit - 1))).json.at(-1).result).toBeDefined()
    expect((await ask(address, '/nothing')).status).toBe(429)
    const { json } = await post(newAddress(), batchOf(limit))
    expect(json.at(-1)).toMatchObject({ id: 'last', error: { code: -32029, data: limited } })
  })

  test('count malformed HTTP', async () => {
    for (let index = 0; index < limit; index++) await raw(service.url, 'no request\r\n\r\n', 2_000)
    // Without a proxy's entry the client is the peer of the connection.
    expect((await send(service.url, '/nothing')).status).toBe(429)
    expect((await send(service.url, '/clients/1', { headers: keyOf('reseller-a') })).status).toBe(200)
  })

  test('never refuse a good credential, used before or not', async () => {
    const address = newAddress()
    await exhaust(address)
    for (const login of ['reseller-a', 'reseller-b', 'admin']) {
      const answer = await ask(address, '/lnp/gateways', { headers: keyOf(login) })
      expect(answer.status).toBe(200)
      const { json } = await post(address, call('clients.search', {}), keyOf(login))
      expect(json.result).toBeDefined()
    }
    const { login, password } = service.user('reseller-a')
    const elsewhere = await ask(newAddress(), '/iam/auth/jwt/authenticate', {
      method: 'POST',
      body: { login, password },
    })
    const headers = { authorization: `Bearer ${elsewhere.json.token}` }
    expect((await ask(address, '/lnp/gateways', { headers })).status).toBe(200)
    // It does not count as a failure of the address.
    expect((await untilLimited(() => ask(address, '/nothing', { headers: wrongKey() }), 30)).before).toBe(20)
  })

  test('and the limit of failures cannot bypass each other', async () => {
    const address = newAddress()
    await exhaust(address)
    const { before, answer } = await untilLimited(() => post(address, '{', wrongKey()), 30)
    expect([before, answer.json.error.data]).toEqual([20, limited])
    expect((await ask(address, '/clients/1', { headers: wrongKey() })).json).toEqual(limited)
  })

  test('count no wrong credential twice', async () => {
    const address = newAddress()
    for (let index = 0; index < 15; index++) {
      expect((await ask(address, '/clients/1', { headers: wrongKey() })).status).toBe(401)
    }
    expect((await exhaust(address)).before).toBeGreaterThanOrEqual(limit)
  })

  test('ignore probes and preflights', async () => {
    const address = newAddress()
    for (let index = 0; index < limit + 5; index++) {
      expect((await ask(address, '/healthz')).status).toBe(200)
      expect((await ask(address, '/clients/1', { method: 'OPTIONS' })).status).toBe(204)
    }
    expect((await exhaust(address)).before).toBeGreaterThanOrEqual(limit)
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      expect((await ask(address, path)).status).toBe(200)
    }
  })

  let keys = 0
  /** Each key begins differently, since failures are also limited by prefix. */
  const wrongKey = () => ({ 'x-api-key': `bk_${String(++keys).padStart(8, '0')}${'x'.repeat(35)}` })
})
