import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type DatabaseSource, startPostgres } from '../../service/testing/databases.js'
import { run, serve, userCreateFile } from '../../service/testing/process.js'
import { type RunningService, startService } from '../service-process.js'
import { type Answered, call, type Loose, raw, rpc, type Sent, send, statusesIn } from './target.js'

const limited = expect.objectContaining({ status: 429, code: 'rate_limited', retryAfter: expect.any(Number) })

/** Calls one after another until one is refused by a limit; answers how many were not, and the refusal. */
async function untilLimited(ask: (index: number) => Promise<Answered>, most: number) {
  for (let index = 0; index < most; index++) {
    const answer = await ask(index)
    if (answer.status === 429) return { before: index, answer }
  }
  throw new Error(`No limit within ${most} calls`)
}

describe('limits of one node', () => {
  let service: RunningService
  const keyOf = (login: string) => ({ 'x-api-key': service.user(login).apiKey })
  const from = (address: string, headers: Record<string, string> = {}) => ({
    'x-forwarded-for': address,
    ...headers,
  })
  beforeAll(async () => {
    service = await startService({ RATE_LIMIT: '30', FAILURE_LIMIT: '20', TRUST_PROXY: '1' })
  })
  afterAll(async () => {
    await service?.stop()
    service?.remove()
  })

  test('hold for a user over both protocols together, whatever the address', async () => {
    const headers = keyOf('reseller-a')
    const first = await send(service.url, '/clients/1', { headers })
    expect(first.headers['ratelimit-policy']).toBe('"user";q=30;w=60')
    expect(first.headers.ratelimit).toMatch(/^"user";r=29;t=\d+$/)
    const { before, answer } = await untilLimited(
      (index) => send(service.url, '/clients/1', { headers: from(`203.0.113.${index}`, headers) }),
      40,
    )
    // The minute may turn in between, which frees a few places.
    expect(before).toBeGreaterThanOrEqual(29)
    expect(answer.json).toEqual(limited)
    expect(answer.headers['retry-after']).toBe(String(answer.json.retryAfter))
    expect(answer.headers.ratelimit).toMatch(/^"user";r=0;t=\d+$/)
    const { status, json } = await rpc(service.url, call('clients.get', { id: 1 }), headers)
    expect([status, json.error.code, json.error.data]).toEqual([200, -32029, limited])
    expect((await send(service.url, '/clients', { headers: keyOf('reseller-b') })).status).toBe(200)
  })

  test('count each call of a batch', async () => {
    const batch = Array.from({ length: 50 }, (_, id) => call('accounting.currencies.list', {}, id))
    const { json } = await rpc(service.url, batch, keyOf('admin'))
    const refused = json.filter(({ error }: Loose) => error?.code === -32029).length
    expect([refused >= 17, refused <= 20]).toEqual([true, true])
  })

  test('of guessed keys hold for an address, and lock nobody out that was let in before', async () => {
    const good = keyOf('reseller-b')
    const address = '198.51.100.7'
    expect((await send(service.url, '/clients', { headers: from(address, good) })).status).toBe(200)
    const guess = (index: number, at = address) =>
      send(service.url, '/clients', {
        headers: from(at, { 'x-api-key': `bk_${index}guess${'x'.repeat(40)}` }),
      })
    const { before, answer } = await untilLimited((index) => guess(index), 30)
    expect(before).toBeGreaterThanOrEqual(20)
    expect([answer.json, answer.headers['retry-after']]).toEqual([limited, String(answer.json.retryAfter)])
    const enveloped = await rpc(
      service.url,
      call('clients.search', {}),
      from(address, { 'x-api-key': 'bk_other' }),
    )
    expect(enveloped.json.error).toMatchObject({ code: -32029, data: limited })
    expect((await guess(99, '198.51.100.8')).status).toBe(401)
    expect((await send(service.url, '/clients', { headers: from(address, good) })).status).toBe(200)
    // What a caller writes before the proxy's own entry makes nobody another.
    const spoofed = { headers: from(`6.6.6.6, ${address}`, { 'x-api-key': 'bk_guess' }) }
    expect((await send(service.url, '/clients', spoofed)).status).toBe(429)
  })

  test('of guessed keys hold for how a key begins, from however many addresses', async () => {
    const { before } = await untilLimited(
      (index) =>
        send(service.url, '/clients', {
          headers: from(`192.0.2.${index}`, { 'x-api-key': `bk_abcdefgh${index}` }),
        }),
      10,
    )
    expect(before).toBe(6)
  })

  test('of guessed passwords hold for a login, and for nobody else', { tags: 'long' }, async () => {
    const login = (name: string, password: string) =>
      send(service.url, '/iam/auth/jwt/authenticate', {
        method: 'POST',
        headers: from('192.0.2.200'),
        body: { login: name, password },
      })
    expect((await login('reseller-a', 'a guess of many')).json.code).toBe('invalid_credentials')
    expect((await login('reseller-a', 'a guess of many')).json).toEqual(limited)
    // The right password is not tried either, or the limit would tell when it was found.
    expect((await login('reseller-a', service.user('reseller-a').password)).json).toEqual(limited)
    expect((await login('reseller-b', service.user('reseller-b').password)).status).toBe(200)
    expect((await login('reseller-b', service.user('reseller-b').password)).status).toBe(200)
  })

  test('keep an address that tries many passwords at once from stopping the sign-ins of others', {
    tags: 'long',
  }, async () => {
    const signIn = (address: string, body: object) =>
      send(service.url, '/iam/auth/jwt/authenticate', { method: 'POST', headers: from(address), body })
    const guesses = Array.from({ length: 40 }, (_, index) =>
      signIn('192.0.2.201', { login: `somebody-${index}`, password: 'a guess of many' }),
    )
    const { login, password } = service.user('admin')
    expect((await signIn('192.0.2.202', { login, password })).status).toBe(200)
    const answers = (await Promise.all(guesses)).map(({ json }) => json)
    const refused = answers.filter(({ detail = '' }) => detail.startsWith('10 passwords of an address'))
    expect(refused.length).toBeGreaterThan(0)
    for (const refusal of refused) expect(refusal).toEqual(limited)
  })

  const isCounted = async (policy: string) => {
    const { text } = await send(service.url, '/metrics')
    expect(text).toMatch(new RegExp(`^billing_rate_limited_total\\{policy="${policy}"\\} [1-9]`, 'm'))
  }
  test.each(['user', 'address', 'key'])('of policy %s are counted for operators', isCounted)
  test.each(['login', 'attempts'])('of policy %s are counted for operators', { tags: 'long' }, isCounted)

  test('count a long body that is no call, and then read none', async () => {
    const junk = `{${' '.repeat(20_000)}`
    const codes: number[] = []
    for (let index = 0; index < 70; index++) {
      const { json } = await rpc(service.url, junk, keyOf('reseller-b'))
      codes.push(json.error.code)
    }
    // A parse error is told until the limit is reached. The minute may turn in between, which frees a few places.
    expect(codes.indexOf(-32029)).toBeGreaterThanOrEqual(25)
    expect(codes.filter((code) => code === -32700).length).toBeLessThan(60)
  })
})

describe('the share of the processor', () => {
  let service: RunningService
  beforeAll(async () => {
    // Half a second in ten.
    service = await startService({ PROCESSOR_SHARE: '5', TRUST_PROXY: '1' })
  })
  afterAll(async () => {
    await service?.stop()
    service?.remove()
  })
  const keyOf = (login: string) => ({ 'x-api-key': service.user(login).apiKey })
  const names = (count: number) => Array.from({ length: count }, (_, i) => `"name ${i}":1`).join()
  const from = (address: string) => ({ 'x-forwarded-for': address })

  test.each([
    ['long bodies', 8_000],
    ['bodies that are read of anybody', 900],
  ])('ends the junk of a user with %s, and leaves others alone', { tags: 'long' }, async (_, count) => {
    const user = count > 1_000 ? 'reseller-a' : 'admin'
    const junk = `{"jsonrpc":"2.0","id":1,"method":"nope","params":{${names(count)}}}`
    const key = keyOf(user)
    expect((await send(service.url, '/clients', { headers: key })).status).toBe(200)
    const { answer } = await untilLimited(() => rpc(service.url, junk, key), 5_000)
    expect(answer.json.error.data).toEqual(limited)
    expect(answer.json.error.data.detail).toMatch(/^500 ms of processor time in 10 s are allowed/)
    expect([answer.headers.connection, answer.headers['retry-after']]).toEqual([
      'close',
      String(answer.json.error.data.retryAfter),
    ])
    // Of the next not one byte of its body is read, unless the user has become free meanwhile.
    const head = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\nX-Api-Key: ${key['x-api-key']}\r\n\r\n`
    const refusedUnread = async () => {
      await untilLimited(() => rpc(service.url, junk, key), 5_000)
      return statusesIn(await raw(service.url, head, 2_000))
    }
    await expect.poll(refusedUnread).toEqual([429])
    expect((await send(service.url, '/clients', { headers: keyOf('reseller-b') })).status).toBe(200)
    expect((await send(service.url, '/nothing')).status).toBe(404)
  })

  test('ends the junk of an address, and leaves others alone', { tags: 'long' }, async () => {
    const junk = `{"jsonrpc":"2.0","id":1,"method":"nope","params":{${names(900)}}}`
    const { answer } = await untilLimited(() => rpc(service.url, junk, from('203.0.113.1')), 5_000)
    expect(answer.json.error.data.detail).toMatch(/^250 ms of processor time/)
    expect((await send(service.url, '/nothing', { headers: from('203.0.113.2') })).status).toBe(404)
    const headers = { ...from('203.0.113.1'), ...keyOf('reseller-b') }
    expect((await send(service.url, '/clients', { headers })).status).toBe(200)
  })

  test('is counted for operators', { tags: 'long' }, async () => {
    const { text } = await send(service.url, '/metrics')
    expect(text).toMatch(/^billing_rate_limited_total\{policy="processor"\} [1-9]/m)
  })
})

describe('limits of calls without good credentials', { tags: 'long' }, () => {
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
  /** An address that nothing has been counted of. */
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
    ['envelopes that are none', (address) => post(address, { jsonrpc: '1.0' })],
    ['bodies that are no JSON', (address) => post(address, '{')],
    ['bodies of other media types', (address) => post(address, 'x', { 'content-type': 'text/plain' })],
    ['hosts that are none', (address) => ask(address, '/nothing', { headers: { host: 'user@x' } })],
  ])('count %s by address', async (_name, once) => {
    const address = newAddress()
    for (let index = 0; index < limit; index++) expect((await once(address)).status).not.toBe(429)
    // The minute may turn in between, which frees a place.
    const { before, answer } = await untilLimited(() => ask(address, '/nothing'), 3)
    expect(before).toBeLessThanOrEqual(2)
    expect(answer.json).toEqual(limited)
    expect(answer.headers['retry-after']).toBe(String(answer.json.retryAfter))
    expect(answer.headers['ratelimit-policy']).toBe(`"anonymous";q=${limit};w=60`)
    expect((await ask(newAddress(), '/nothing')).status).toBe(404)
  })

  test('refuse over JSON-RPC with the error that carries the problem', async () => {
    const address = newAddress()
    await exhaust(address)
    const { status, headers, json } = await post(address, call('no.such', {}))
    expect([status, headers['retry-after']]).toEqual([429, String(json.error.data.retryAfter)])
    expect(json).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32029, data: limited } })
  })

  test('count each call of a batch once, and make none beyond', async () => {
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

  test('count what is no HTTP', async () => {
    for (let index = 0; index < limit; index++) await raw(service.url, 'no request\r\n\r\n', 2_000)
    // Without a proxy's entry the caller is who connects.
    expect((await send(service.url, '/nothing')).status).toBe(429)
    expect((await send(service.url, '/clients/1', { headers: keyOf('reseller-a') })).status).toBe(200)
  })

  test('lock nobody out who has a good credential, whether it was used before or not', async () => {
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
    // Nor does it cost the address one of its failures.
    expect((await untilLimited(() => ask(address, '/nothing', { headers: wrongKey() }), 30)).before).toBe(20)
  })

  test('are no way around the limit of failures, nor that one around these', async () => {
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

  test('leave probes and preflights alone', async () => {
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
  /** No two begin alike: failures are limited by that, too. */
  const wrongKey = () => ({ 'x-api-key': `bk_${String(++keys).padStart(8, '0')}${'x'.repeat(35)}` })
})

describe('limits of several nodes on one PostgreSQL', () => {
  let source: DatabaseSource
  const unused = mkdtempSync(join(tmpdir(), 'billing-limits-'))
  beforeAll(async () => {
    source = await startPostgres()
  })
  afterAll(async () => {
    await source?.stop()
    rmSync(unused, { recursive: true, force: true })
  })

  test('hold for all nodes together, but for what they let through within a second', {
    tags: 'long',
  }, async () => {
    const { url: databaseUrl = '' } = await source.empty()
    const environment = {
      DATABASE_URL: databaseUrl,
      BILLING_SECRET: 's'.repeat(32),
      DATA_DIR: join(unused, 'data'),
      RATE_LIMIT: '60',
      FAILURE_LIMIT: '40',
      ANONYMOUS_LIMIT: '50',
    }
    const nodes = await Promise.all([serve(environment), serve(environment)])
    onTestFinished(() => {
      for (const { child } of nodes) child.kill('SIGKILL')
    })
    const command = run(userCreateFile, environment, ['--login', 'ann'])
    await command.ended
    const headers = { 'x-api-key': /bk_\S+/.exec(command.output())?.[0] ?? '' }
    const ask = (node: number, key = headers) =>
      send(nodes[node]?.url ?? '', '/lnp/gateways', { headers: key })
    const start = performance.now()
    // Where a minute ends meanwhile, the calls of that minute weigh less and less: one goes out of reach a second at most.
    const outOfReach = () => (performance.now() - start) / 1000
    const guess = (node: number) => ask(node, { 'x-api-key': `bk_${Math.random()}` })
    const stray = (node: number) => send(nodes[node]?.url ?? '', '/nothing')
    for (let index = 0; index < 40; index++) expect((await ask(0)).status).toBe(200)
    for (let index = 0; index < 38; index++) await guess(0)
    for (let index = 0; index < 48; index++) await stray(0)
    await delay(4_000)
    // A node learns what the others counted with the next call that it counts.
    expect((await ask(1)).status).toBe(200)
    await guess(1)
    await stray(1)
    await delay(4_000)
    const { before } = await untilLimited(() => ask(1), 60)
    expect(before).toBeGreaterThanOrEqual(19)
    expect(before).toBeLessThanOrEqual(19 + outOfReach())
    expect((await untilLimited(() => guess(1), 10)).before).toBeLessThanOrEqual(1 + outOfReach())
    expect((await untilLimited(() => stray(1), 10)).before).toBeLessThanOrEqual(1 + outOfReach())
    await delay(4_000)
    await ask(0)
    await delay(4_000)
    expect((await untilLimited(() => ask(0), 10)).before).toBeLessThanOrEqual(outOfReach())
    for (const { child, ended } of nodes) {
      child.kill('SIGTERM')
      expect((await ended).code).toBe(0)
    }
  })

  test('of the processor hold for a user whose work was on another node', { tags: 'long' }, async () => {
    const { url: databaseUrl = '' } = await source.empty()
    const environment = {
      DATABASE_URL: databaseUrl,
      BILLING_SECRET: 's'.repeat(32),
      DATA_DIR: join(unused, 'share'),
      // 200 ms in ten seconds.
      PROCESSOR_SHARE: '2',
    }
    const nodes = await Promise.all([serve(environment), serve(environment)])
    onTestFinished(() => {
      for (const { child } of nodes) child.kill('SIGKILL')
    })
    const [busy, other] = nodes.map(({ url }) => url) as [string, string]
    const keyOf = async (login: string) => {
      const command = run(userCreateFile, environment, ['--login', login])
      await command.ended
      return { 'x-api-key': /bk_\S+/.exec(command.output())?.[0] ?? '' }
    }
    const [ann, bob] = [await keyOf('ann'), await keyOf('bob')]
    const ask = (headers: Record<string, string>) => send(other, '/lnp/gateways', { headers })
    // First calls cost more.
    for (let index = 0; index < 10; index++) await ask(bob)
    // Counts are those of ten seconds of the clock, and fade in the next ten.
    while (Date.now() % 10_000 > 1_000) await delay(50)
    expect((await rpc(busy, call('lnp.gateways.search', {}), ann)).status).toBe(200)
    const junk = JSON.stringify(call('nope', { a: Array(15_000).fill('x') }))
    const { answer } = await untilLimited(() => rpc(busy, junk, ann), 500)
    expect(answer.json.error.data.detail).toMatch(/^200 ms of processor time/)
    // These alone take a small part of 200 ms; each node adds what it has counted once a second.
    const { answer: refused } = await untilLimited(async () => {
      await delay(500)
      return ask(ann)
    }, 12)
    expect(refused.json).toEqual(limited)
    expect(refused.json.detail).toMatch(/^200 ms of processor time/)
    expect((await ask(bob)).status).toBe(200)
  })
})
