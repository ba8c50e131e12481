import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { availableVersions } from '../service/versions.js'
import { rpc, send } from './calls.js'
import { type RunningService, startService } from './service-process.js'

// All versions serve the same data, as on the day of an upgrade.
const data = mkdtempSync(join(tmpdir(), 'duet-versions-'))
let service: RunningService

const start = async (settings: Readonly<Record<string, string>>) => {
  service = await startService(settings, data)
}
const key = (login = 'reseller-a') => ({ 'X-Api-Key': service.user(login).apiKey })
const get = async (path: string, headers = key()) => await send(`${service.url}${path}`, 'GET', headers)
const call = async (method: string, params?: unknown, headers: Readonly<Record<string, string>> = key()) =>
  rpc(service.url, headers, method, params)
const codeOf = (answer: { error?: { data: Readonly<Record<string, unknown>> } }) => answer.error?.data.code

afterEach(() => service.stop())
afterAll(() => rmSync(data, { recursive: true, force: true }))

test.each(['1.0.0', '1.1.0', '2.0.0-rc.1'])('the service runs %s by API_VERSION', async (version) => {
  expect(availableVersions()).toContain(version)
  await start({ API_VERSION: version })
  const client = { id: 1, name: 'Aurora Calling', credit: 250.5, currency: 'EUR' }
  expect((await get('/clients/1')).body).toEqual(client)
  expect((await call('clients.get', { id: 1 })).result).toEqual(client)
  expect((await get('/openapi.json')).body).toMatchObject({ info: { version } })
  expect((await call('rpc.discover')).result).toMatchObject({ info: { version } })
})

test('every version that has been generated is tried here', () => {
  expect([...availableVersions()].sort()).toEqual(['1.0.0', '1.1.0', '2.0.0-rc.1'])
})

describe('1.1.0', () => {
  test('is what the service runs by itself, not the candidate of 2.0.0', async () => {
    await start({})
    expect((await get('/openapi.json')).body).toMatchObject({ info: { version: '1.1.0' } })
  })

  test('lists the clients of the caller’s Reseller alone, over both protocols', async () => {
    await start({ API_VERSION: '1.1.0' })
    const names = (answer: unknown) => (answer as { name: string }[]).map(({ name }) => name)
    const own = ['Cedar Voice', 'Blue Harbor Telecom', 'Aurora Calling']
    expect(names((await get('/clients?order=-name')).body)).toEqual(own)
    expect(names((await call('clients.search', { order: ['-name'] })).result)).toEqual(own)
    expect((await get('/clients?name=Delta%20Dial')).body).toEqual([])
    expect((await get('/clients?name=Delta%20Dial', key('reseller-b'))).body).toMatchObject([{ id: 4 }])
    expect((await get('/clients', key('admin'))).body).toHaveLength(6)
  })

  test('lists currencies, gets a gateway and changes a name', async () => {
    await start({ API_VERSION: '1.1.0' })
    expect((await get('/accounting/currencies')).body).toContainEqual({ code: 'EUR', base: true })
    expect((await call('lnp.gateways.get', { id: 2 })).result).toMatchObject({ name: 'ported-out-1' })
    expect(codeOf(await call('lnp.gateways.get', { id: 999 }))).toBe('not_found')
    const renamed = await send(`${service.url}/clients/2`, 'PATCH', key(), { name: 'Blue Harbour' })
    expect(renamed.body).toMatchObject({ id: 2, name: 'Blue Harbour', credit: 1200.75 })
    expect(codeOf(await call('clients.update', { id: 2, name: '' }))).toBe('validation_failed')
    expect(codeOf(await call('clients.update', { id: 2, name: 'a\nb' }))).toBe('validation_failed')
  })

  test('announces in a header the day that the token operations end', async () => {
    await start({ API_VERSION: '1.1.0' })
    const { headers } = await send(`${service.url}/iam/auth/jwt/authenticate`, 'POST', {}, {})
    expect(headers.get('deprecation')).toBe('@1767225600')
    expect(headers.get('sunset')).toBe('Wed, 30 Jun 2027 00:00:00 GMT')
  })
})

test('1.0.0 stays as it was: what 1.1.0 adds is unknown to it', async () => {
  await start({ API_VERSION: '1.0.0' })
  expect(codeOf(await call('clients.update', { id: 2, name: 'Another' }))).toBe('validation_failed')
  expect(codeOf(await call('lnp.gateways.search', { credentials_id: 1 }))).toBe('validation_failed')
  expect((await call('clients.search')).error?.code).toBe(-32601)
  expect((await get('/accounting/currencies')).status).toBe(404)
  const { headers } = await send(`${service.url}/iam/auth/jwt/authenticate`, 'POST', {}, {})
  expect(headers.get('sunset')).toBeNull()
})

test('2.0.0-rc.1 has no tokens, one path moved, one method renamed and one bound tightened', async () => {
  await start({ API_VERSION: '2.0.0-rc.1' })
  expect((await call('iam.auth.jwt.authenticate', { login: 'a', password: 'b' })).error?.code).toBe(-32601)
  expect((await send(`${service.url}/iam/auth/jwt/authenticate`, 'POST', {}, {})).status).toBe(404)
  const bearer = { Authorization: 'Bearer a.b.c' }
  expect(codeOf(await call('clients.get', { id: 1 }, bearer))).toBe('unauthenticated')

  expect((await get('/accounting/currencies/exchange-rate?from=EUR&to=USD')).status).toBe(404)
  const rate = await get('/accounting/exchange-rate?from=EUR&to=USD&at=2026-03-01T00:00:00Z')
  expect(rate.body).toMatchObject({ rate: 1.0825 })
  const sameRate = { from: 'EUR', to: 'USD', at: '2026-03-01T00:00:00Z' }
  expect((await call('accounting.currencies.get_rate', sameRate)).result).toEqual(rate.body)

  expect((await call('accounting.currencies.list')).error?.code).toBe(-32601)
  const currencies = await call('accounting.currencies.search')
  expect(currencies.result).toHaveLength(4)
  expect((await get('/accounting/currencies')).body).toEqual(currencies.result)

  expect((await get('/lnp/gateways?limit=100')).body).toHaveLength(30)
  expect((await get('/lnp/gateways?limit=101')).status).toBe(400)
  expect((await get('/clients?limit=101')).status).toBe(400)
})
