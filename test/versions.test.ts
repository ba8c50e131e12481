import * as v1_0 from '@billing/api/1.0.0/client'
import * as v1_1 from '@billing/api/1.1.0/client'
import * as v2_0 from '@billing/api/2.0.0-rc.1/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { availableVersions } from '../service/settings/versions.js'
import { rpc, send } from './calls.js'
import { objections, shownCalls } from './proof/shown-calls.js'
import { startServiceHere, type TestService } from './service-process.js'

// One start serves every version.
let service: TestService
beforeAll(async () => {
  service = await startServiceHere({ API_SUNSETS: '1.0.0=2999-06-30' })
})
afterAll(async () => {
  await service?.stop()
  service?.remove()
})
/** The address of the version that a describe is about. */
let base: string

const key = (login = 'reseller-a') => ({ 'X-Api-Key': service.user(login).apiKey })
const get = (path: string, headers: Readonly<Record<string, string>> = key()) =>
  send(`${base}${path}`, 'GET', headers)
const call = (method: string, params?: unknown, headers: Readonly<Record<string, string>> = key()) =>
  rpc(base, headers, method, params)
const codeOf = (answer: { error?: { data: Readonly<Record<string, unknown>> } }) => answer.error?.data.code
const noMethod = -32601
let token = ''
/** The values that a person fills in to run the calls of a report. */
const filledIn = () => ({ BASE_URL: base, API_KEY: service.user('reseller-a').apiKey, TOKEN: token })

test('every generated version is tested here', () => {
  expect([...availableVersions()].sort()).toEqual(['1.0.0', '1.1.0', '2.0.0-rc.1'])
})

describe('1.0.0 by its path', () => {
  serving('1.0.0', '/1.0.0')

  test('does not have the additions of 1.1.0', async () => {
    expect(codeOf(await call('clients.update', { id: 2, name: 'Another' }))).toBe('validation_failed')
    expect(codeOf(await call('lnp.gateways.search', { credentials_id: 1 }))).toBe('validation_failed')
    expect((await call('clients.search')).error?.code).toBe(noMethod)
    expect(codeOf(await call('clients.update', { id: 2, expected_version: '1' }))).toBe('validation_failed')
    expect((await call('clients.update', { id: 2 })).result).not.toHaveProperty('version')
    expect((await get('/accounting/currencies')).status).toBe(404)
    const { headers } = await send(`${base}/iam/auth/jwt/authenticate`, 'POST', {}, {})
    // That of the version: its document knows no end of the token operations.
    expect(headers.get('sunset')).toBe('Sun, 30 Jun 2999 00:00:00 GMT')
  })
})

describe('1.1.0 by default', () => {
  // The release candidate of 2.0.0 is not the default.
  serving('1.1.0', '')

  test('lists the clients of the caller’s Reseller alone, over both protocols', async () => {
    const names = (answer: unknown) => (answer as { name: string }[]).map(({ name }) => name)
    const own = ['Cedar Voice', 'Blue Harbor Telecom', 'Aurora Calling']
    expect(names((await get('/clients?order=-name')).body)).toEqual(own)
    expect(names((await call('clients.search', { order: ['-name'] })).result)).toEqual(own)
    expect((await get('/clients?name=Delta%20Dial')).body).toEqual([])
    expect((await get('/clients?name=Delta%20Dial', key('reseller-b'))).body).toMatchObject([{ id: 4 }])
    expect((await get('/clients', key('admin'))).body).toHaveLength(6)
  })

  test.each([
    ['REST', v1_1.rest],
    ['JSON-RPC', v1_1.jsonrpc],
  ])('calls new operations through its own client over %s', async (_, transport) => {
    const auth = v1_1.apiKey(service.user('reseller-a').apiKey)
    const client = v1_1.createClient({ transport: transport(base), auth })
    expect(await client.clients.search({ currency: 'GBP' })).toMatchObject([{ id: 3 }])
    expect(await client.accounting.currencies.list()).toContainEqual({ code: 'EUR', base: true })
    expect(await client.lnp.gateways.get({ id: 2 })).toMatchObject({ name: 'ported-out-1' })
    expect(await client.lnp.gateways.search({ credentials_id: 10 })).toHaveLength(3)
    await expect(client.lnp.gateways.get({ id: 999 })).rejects.toMatchObject({ code: 'not_found' })
    const { version, ...before } = await client.clients.get({ id: 2 })
    const renamed = { ...before, name: 'Blue Harbour', version: expect.any(String) }
    const key = `rename-${transport.name}`
    const rename = { id: 2, name: 'Blue Harbour', expected_version: version, idempotency_key: key }
    const first = await client.clients.update(rename)
    expect(first).toEqual(renamed)
    expect(first.version).not.toBe(version)
    expect(await client.clients.update(rename)).toEqual(first)
    await expect(client.clients.update({ ...rename, idempotency_key: `${key}-2` })).rejects.toMatchObject({
      code: 'precondition_failed',
      status: 412,
      rpcCode: -32012,
    })
    const { data, headers } = await client.clients.get.withResponse({ id: 2 })
    const quoted = { id: 2, name: data.name, expected_version: headers.ETag ?? `"${data.version}"` }
    expect(await client.clients.update(quoted)).toMatchObject({ name: data.name })
    const weak = { id: 2, credit: 1, expected_version: `W/"${version}"` }
    await expect(client.clients.update(weak)).rejects.toMatchObject({ code: 'validation_failed' })
    await expect(client.clients.update({ ...rename, id: 1 })).rejects.toMatchObject({
      code: 'idempotency_key_reused',
      status: 422,
      rpcCode: -32022,
    })
  })

  test.each(['', 'a\nb', 'x'.repeat(256), 7])('refuses a client the name %j', async (name) => {
    expect(codeOf(await call('clients.update', { id: 2, name }))).toBe('validation_failed')
  })

  test('answers 304 to a caller that has the current client', async () => {
    const tag = (await get('/clients/3')).headers.get('etag') ?? ''
    const conditional = () => get('/clients/3', { ...key(), 'If-None-Match': tag })
    expect(await conditional()).toMatchObject({ status: 304, body: undefined })
    await call('clients.update', { id: 3, credit: 1 })
    expect(await conditional()).toMatchObject({ status: 200, body: { id: 3, credit: 1 } })
    expect(await get('/clients/3', { ...key(), 'If-Match': tag })).toMatchObject({
      status: 412,
      body: { code: 'precondition_failed', title: 'The record has changed' },
    })
  })

  test('refuses a change with a precondition that it cannot evaluate', async () => {
    const before = await get('/clients/3')
    const etag = before.headers.get('etag') ?? ''
    for (const none of [etag, '*', '"another"']) {
      const headers = { ...key(), 'If-Match': etag, 'If-None-Match': none }
      const answer = await send(`${base}/clients/3`, 'PATCH', headers, { credit: 2 })
      expect(answer).toMatchObject({ status: 412, body: { code: 'precondition_failed' } })
    }
    expect((await get('/clients/3')).body).toEqual(before.body)
  })

  test('accepts every call that proves a breaking change of 2.0.0-rc.1', { tags: 'long' }, async () => {
    const { login, password } = service.user('reseller-a')
    const calls = await shownCalls('1.1.0', '2.0.0-rc.1')
    expect(calls.map(({ id, protocol }) => `${id} ${protocol}`).sort()).toEqual([
      'api-global-security-removed JSON-RPC',
      'api-global-security-removed MCP',
      'api-global-security-removed REST',
      'api-path-removed-before-sunset JSON-RPC',
      'api-path-removed-before-sunset JSON-RPC',
      'api-path-removed-before-sunset REST',
      'api-path-removed-before-sunset REST',
      'endpoint-path-changed REST',
      'request-parameter-max-decreased JSON-RPC',
      'request-parameter-max-decreased JSON-RPC',
      'request-parameter-max-decreased MCP',
      'request-parameter-max-decreased MCP',
      'request-parameter-max-decreased REST',
      'request-parameter-max-decreased REST',
      'rpc-method-renamed JSON-RPC',
      'tool-renamed MCP',
    ])
    for (const shown of calls) {
      // A token can be refreshed once.
      const { result } = await call('iam.auth.jwt.authenticate', { login, password }, {})
      token = (result as { token: string }).token
      const refusals = await objections(shown, filledIn())
      // The document's example password is not the sample user's.
      expect(
        refusals.filter((text) => !text.includes('Wrong login or password')),
        shown.command,
      ).toEqual([])
    }
  })

  test('announces in a header the day that the token operations end', async () => {
    const { headers } = await send(`${base}/iam/auth/jwt/authenticate`, 'POST', {}, {})
    expect(headers.get('deprecation')).toBe('@1767225600')
    expect(headers.get('sunset')).toBe('Wed, 30 Jun 2027 00:00:00 GMT')
  })
})

describe('2.0.0-rc.1 by its path', () => {
  serving('2.0.0-rc.1', '/2.0.0-rc.1')

  test('responds to every call of a proof as the proof predicts', { tags: 'long' }, async () => {
    for (const shown of await shownCalls('1.1.0', '2.0.0-rc.1'))
      expect(await objections(shown, filledIn()), shown.command).toContain(shown.claim)
  })

  test('has no tokens', async () => {
    const { login, password } = service.user('reseller-a')
    const authenticate = await call('iam.auth.jwt.authenticate', { login, password }, {})
    expect(authenticate.error?.code).toBe(noMethod)
    expect((await send(`${base}/iam/auth/jwt/authenticate`, 'POST', {}, {})).status).toBe(404)
    const bearer = { Authorization: 'Bearer a.b.c' }
    expect(codeOf(await call('clients.get', { id: 1 }, bearer))).toBe('unauthenticated')
  })

  test('answers exchange rates at another path and by the same method', async () => {
    expect((await get('/accounting/currencies/exchange-rate?from=EUR&to=USD')).status).toBe(404)
    const rate = await get('/accounting/exchange-rate?from=EUR&to=USD&at=2026-03-01T00:00:00Z')
    expect(rate.body).toMatchObject({ rate: 1.0825 })
    const params = { from: 'EUR', to: 'USD', at: '2026-03-01T00:00:00Z' }
    expect((await call('accounting.currencies.get_rate', params)).result).toEqual(rate.body)
  })

  test('lists currencies at the same path and by another method', async () => {
    expect((await call('accounting.currencies.list')).error?.code).toBe(noMethod)
    const auth = v2_0.apiKey(service.user('reseller-a').apiKey)
    const client = v2_0.createClient({ transport: v2_0.jsonrpc(base), auth })
    const currencies = await client.accounting.currencies.search()
    expect(currencies).toHaveLength(4)
    expect((await get('/accounting/currencies')).body).toEqual(currencies)
  })

  test('answers no more than 100 rows', async () => {
    expect((await get('/lnp/gateways?limit=100')).body).toHaveLength(30)
    expect((await get('/lnp/gateways?limit=101')).status).toBe(400)
    expect(codeOf(await call('clients.search', { limit: 101 }))).toBe('validation_failed')
  })
})

/** Tests of one describe call the version below a path. */
function serving(version: string, path: string): void {
  beforeAll(() => {
    base = service.url + path
  })

  test(`serves ${version}`, async () => {
    const known = { id: 1, name: 'Aurora Calling', credit: 250.5, currency: 'EUR' }
    const client = version === '1.0.0' ? known : { ...known, version: '1' }
    const answer = await get('/clients/1')
    expect(answer.body).toEqual(client)
    expect(answer.headers.get('etag')).toBe(version === '1.0.0' ? null : '"1"')
    expect(answer.headers.get('api-version')).toBe(version)
    expect((await call('clients.get', { id: 1 })).result).toEqual(client)
    expect((await get('/openapi.json')).body).toMatchObject({ info: { version } })
    expect((await call('rpc.discover')).result).toMatchObject({ info: { version } })
    const page = await fetch(`${base}/reference/`)
    expect(await page.text()).toContain(`<title>Billing Service API ${version}`)
  })
}

describe('across versions', () => {
  beforeAll(() => {
    base = service.url
  })
  const batch = (version: string) =>
    send(service.url, 'POST', { ...key(), 'API-Version': version }, [
      { jsonrpc: '2.0', id: 1, method: 'clients.get', params: { id: 6 } },
      { jsonrpc: '2.0', id: 2, method: 'accounting.currencies.list' },
    ])
  const change = (version: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    send(`${service.url}/${version}/clients/2`, 'PATCH', { ...key(), ...headers }, body)

  test('a batch has the version that its header names', async () => {
    const { body: first } = await batch('1.0.0')
    expect(first).toMatchObject([{ id: 1 }, { id: 2, error: { code: noMethod } }])
    const { body: second } = await batch('1.1.0')
    expect(second).toMatchObject([{ id: 1 }, { id: 2, result: expect.any(Array) }])
    const { body: third } = await batch('2.0.0-rc.1')
    expect(third).toMatchObject([{ id: 1 }, { id: 2, error: { code: noMethod } }])
  })

  test('a change under one version is read under every other one', async () => {
    expect((await change('1.0.0', { credit: 77 })).status).toBe(200)
    for (const version of ['1.0.0', '1.1.0', '2.0.0-rc.1'])
      expect((await get(`/${version}/clients/2`)).body).toMatchObject({ credit: 77 })
  })

  test('an entity tag of one version is that of the others', async () => {
    const tag = (await get('/1.1.0/clients/2')).headers.get('etag') ?? ''
    expect((await get('/2.0.0-rc.1/clients/2')).headers.get('etag')).toBe(tag)
    expect((await change('2.0.0-rc.1', { credit: 78 }, { 'If-Match': tag })).status).toBe(200)
    expect((await change('1.1.0', { credit: 79 }, { 'If-Match': tag })).status).toBe(412)
  })

  test('an idempotency key that was used under one version replays under the others', async () => {
    const headers = { 'Idempotency-Key': 'once-for-all-versions' }
    const first = await change('1.1.0', { credit: 80 }, headers)
    await change('1.1.0', { credit: 81 })
    const again = await change('2.0.0-rc.1', { credit: 80 }, headers)
    expect([again.status, again.body]).toEqual([200, first.body])
    expect((await get('/1.1.0/clients/2')).body).toMatchObject({ credit: 81 })
    expect((await change('2.0.0-rc.1', { credit: 82 }, headers)).status).toBe(422)
  })

  test('lists of 1.1.0 may be longer than those of the version whose handlers serve them', async () => {
    const all = await get('/1.1.0/lnp/gateways?limit=1000')
    expect(all.body).toHaveLength(30)
    expect((await get('/1.1.0/lnp/gateways?limit=101&offset=29')).body).toEqual(
      (all.body as unknown[]).slice(29),
    )
    expect((await get('/2.0.0-rc.1/lnp/gateways?limit=101')).status).toBe(400)
  })

  test('callers learn of a sunset over both protocols', async () => {
    const clients = [v1_0.rest, v1_0.jsonrpc].map((transport) => {
      const deprecated: unknown[] = []
      const client = v1_0.createClient({
        transport: transport(service.url),
        auth: v1_0.apiKey(service.user('reseller-a').apiKey),
        onDeprecated: (each) => deprecated.push(each),
      })
      return { client, deprecated }
    })
    for (const { client, deprecated } of clients) {
      expect(await client.clients.get({ id: 1 })).toMatchObject({ id: 1 })
      expect(deprecated).toMatchObject([{ sunset: new Date('2999-06-30'), successor: '1.1.0' }])
    }
  })
})

test('pages answer as calls do if a request chooses a version that does not exist, or two', async () => {
  const wrong = { 'API-Version': '9' }
  const called = await send(`${service.url}/clients/1`, 'GET', { ...key(), ...wrong })
  for (const path of ['/openapi.json', '/reference/', '/', '/none']) {
    const { status, body } = await send(`${service.url}${path}`, 'GET', wrong)
    expect([status, body]).toEqual([404, { ...Object(called.body), requestId: expect.any(String) }])
  }
  expect((await send(`${service.url}/9.0.0/openapi.json`, 'GET', {})).body).toMatchObject({
    detail: 'There is no version 9.0.0. Versions: 1.0.0, 1.1.0, 2.0.0-rc.1.',
  })
  const page = await fetch(`${service.url}/9.0.0/reference/`, { headers: { Accept: 'text/html' } })
  expect([page.status, await page.text()]).toEqual([404, expect.stringContaining('Page not found')])
  const two = await send(`${service.url}/1.0.0/openapi.json`, 'GET', { 'API-Version': '1.1.0' })
  expect(two).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  const none = await send(`${service.url}/1.0.0/none`, 'GET', {})
  expect([none.status, none.headers.get('api-version')]).toEqual([404, '1.0.0'])
})

test('API_VERSION chooses the default, and API_SUNSETS ends a version', { tags: 'long' }, async () => {
  const own = await startServiceHere({ API_VERSION: '2.0.0-rc.1', API_SUNSETS: '1.0.0=2026-01-31' })
  try {
    const headers = { 'X-Api-Key': own.user('reseller-a').apiKey }
    expect((await send(`${own.url}/clients/1`, 'GET', headers)).headers.get('api-version')).toBe('2.0.0-rc.1')
    const ended = await send(`${own.url}/1.0.0/clients/1`, 'GET', headers)
    expect(ended).toMatchObject({ status: 410, body: { code: 'version_sunset', successor: '1.1.0' } })
    const overRpc = await rpc(`${own.url}/1.0.0`, headers, 'clients.get', { id: 1 })
    expect(overRpc.error).toMatchObject({ code: -32010, data: { code: 'version_sunset' } })
  } finally {
    await own.stop()
    own.remove()
  }
})
