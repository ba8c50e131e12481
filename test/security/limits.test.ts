import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type RunningService, startService, startServiceHere, type TestService } from '../service-process.js'
import { call, type Loose, raw, rpc, send, statusesIn } from './target.js'
import { limited, untilLimited } from './until-limited.js'

describe('limits of one node', () => {
  let service: TestService
  const keyOf = (login: string) => ({ 'x-api-key': service.user(login).apiKey })
  const from = (address: string, headers: Record<string, string> = {}) => ({
    'x-forwarded-for': address,
    ...headers,
  })
  beforeAll(async () => {
    service = await startServiceHere({ RATE_LIMIT: '30', FAILURE_LIMIT: '20', TRUST_PROXY: '1' })
  })
  afterAll(async () => {
    await service?.stop()
    service?.remove()
  })

  test('apply to a user over both protocols together, from any address', async () => {
    const headers = keyOf('reseller-a')
    const first = await send(service.url, '/clients/1', { headers })
    expect(first.headers['ratelimit-policy']).toBe('"user";q=30;w=60')
    expect(first.headers.ratelimit).toMatch(/^"user";r=29;t=\d+$/)
    const { before, answer } = await untilLimited(
      (index) => send(service.url, '/clients/1', { headers: from(`203.0.113.${index}`, headers) }),
      40,
    )
    // A minute may end in between, which frees a few places.
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

  test('of guessed keys apply to an address, except to keys that were good before', async () => {
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
    // Entries of the caller before the proxy's entry do not change the address.
    const spoofed = { headers: from(`6.6.6.6, ${address}`, { 'x-api-key': 'bk_guess' }) }
    expect((await send(service.url, '/clients', spoofed)).status).toBe(429)
  })

  test('of guessed keys apply to a key prefix, from all addresses together', async () => {
    const { before } = await untilLimited(
      (index) =>
        send(service.url, '/clients', {
          headers: from(`192.0.2.${index}`, { 'x-api-key': `bk_abcdefgh${index}` }),
        }),
      10,
    )
    expect(before).toBe(6)
  })

  test('of guessed passwords apply to one login only', { tags: 'long' }, async () => {
    const login = (name: string, password: string) =>
      send(service.url, '/iam/auth/jwt/authenticate', {
        method: 'POST',
        headers: from('192.0.2.200'),
        body: { login: name, password },
      })
    expect((await login('reseller-a', 'a guess of many')).json.code).toBe('invalid_credentials')
    expect((await login('reseller-a', 'a guess of many')).json).toEqual(limited)
    // The right password is refused too, or the limit would reveal it.
    expect((await login('reseller-a', service.user('reseller-a').password)).json).toEqual(limited)
    expect((await login('reseller-b', service.user('reseller-b').password)).status).toBe(200)
    expect((await login('reseller-b', service.user('reseller-b').password)).status).toBe(200)
  })

  test.each(['user', 'address', 'key'])('of policy %s are counted for operators', (policy) =>
    isCounted(service, policy),
  )
  test('of policy login are counted for operators', { tags: 'long' }, () => isCounted(service, 'login'))

  test('count long bodies that are no calls, and then read no more of them', async () => {
    const junk = `{${' '.repeat(20_000)}`
    const codes: number[] = []
    for (let index = 0; index < 70; index++) {
      const { json } = await rpc(service.url, junk, keyOf('reseller-b'))
      codes.push(json.error.code)
    }
    // Parse errors until the limit is reached. A minute may end in between, which frees a few places.
    expect(codes.indexOf(-32029)).toBeGreaterThanOrEqual(25)
    expect(codes.filter((code) => code === -32700).length).toBeLessThan(60)
  })
})

async function isCounted({ url }: TestService, policy: string): Promise<void> {
  const { text } = await send(url, '/metrics')
  expect(text).toMatch(new RegExp(`^billing_rate_limited_total\\{policy="${policy}"\\} [1-9]`, 'm'))
}

test('keep an address that tries many passwords at once from stopping the sign-ins of others', {
  tags: 'long',
}, async () => {
  // A process of its own has the real cost of a password: with a lower one, guesses end before others arrive.
  const service = await startService({ TRUST_PROXY: '1' })
  onTestFinished(async () => {
    await service.stop()
    service.remove()
  })
  const signIn = (address: string, body: object) =>
    send(service.url, '/iam/auth/jwt/authenticate', {
      method: 'POST',
      headers: { 'x-forwarded-for': address },
      body,
    })
  const guesses = Array.from({ length: 40 }, (_, index) =>
    signIn('192.0.2.201', { login: `somebody-${index}`, password: 'a guess of many' }),
  )
  const { login, password } = service.user('admin')
  expect((await signIn('192.0.2.202', { login, password })).status).toBe(200)
  const answers = (await Promise.all(guesses)).map(({ json }) => json)
  const refused = answers.filter(({ detail = '' }) =>
    detail.startsWith('An address may try 10 passwords at once'),
  )
  expect(refused.length).toBeGreaterThan(0)
  for (const refusal of refused) expect(refusal).toEqual(limited)
  await isCounted(service, 'attempts')
})

test('let in who has signed in from an address before, while others fill the line', {
  tags: 'long',
}, async () => {
  const service = await startService({ TRUST_PROXY: '1' })
  onTestFinished(async () => {
    await service.stop()
    service.remove()
  })
  const signIn = (address: string, body: object) =>
    send(service.url, '/iam/auth/jwt/authenticate', {
      method: 'POST',
      headers: { 'x-forwarded-for': address },
      body,
    })
  const { login, password } = service.user('admin')
  expect((await signIn('192.0.2.1', { login, password })).status).toBe(200)
  const statuses: number[] = []
  for (let index = 0; index < 150; index++) {
    const guess = signIn(`198.51.100.${index}`, { login: `somebody-${index}`, password: 'a guess of many' })
    guess.then(({ status }) => statuses.push(status)).catch(() => {})
  }
  // Those beyond the line are refused. From then on it is full.
  await expect.poll(() => statuses.filter((status) => status === 503).length, patience).toBeGreaterThan(40)
  const before = statuses.length
  expect((await signIn('192.0.2.1', { login, password })).status).toBe(200)
  // Two ran, and the other thread went on meanwhile: far fewer than the hundred that waited.
  const hashed = statuses.slice(before).filter((status) => status === 401).length
  expect(hashed).toBeLessThan(20)
})

test('bound the passwords that an address can have hashed, in whatever way it sends them', {
  tags: 'long',
}, async () => {
  // 200 ms in ten seconds, some 40 hashes of tests.
  const service = await startServiceHere({ PROCESSOR_SHARE: '4', TRUST_PROXY: '1' })
  onTestFinished(async () => {
    await service.stop()
    service.remove()
  })
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const batch = Array.from({ length: 100 }, (_, id) =>
    call('iam.auth.jwt.authenticate', { login: `somebody-${id}`, password: 'a guess of many' }, id),
  )
  const { json } = await rpc(service.url, batch, from('192.0.2.1'))
  const codes = json.map(({ error }: Loose) => error.data.code)
  const hashed = codes.filter((code: string) => code === 'invalid_credentials').length
  expect([hashed > 0, hashed <= 43, codes.at(-1)]).toEqual([true, true, 'rate_limited'])
  expect(json.at(-1).error.data.retryAfter).toBeGreaterThan(0)
  const { login, password } = service.user('admin')
  const overRest = (address: string) =>
    send(service.url, '/iam/auth/jwt/authenticate', {
      method: 'POST',
      headers: from(address),
      body: { login, password },
    })
  const inForm = (address: string) =>
    send(service.url, '/admin/sign-in', {
      method: 'POST',
      headers: {
        ...from(address),
        origin: service.url,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ login, password, next: '/admin/' }).toString(),
    })
  for (const signIn of [overRest, inForm]) {
    const refused = await signIn('192.0.2.1')
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
    // Another address behind the same proxy.
    expect([200, 303]).toContain((await signIn('192.0.2.2')).status)
  }
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
    // No byte of the next body is read, unless the user is below the limit again.
    const head = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\nX-Api-Key: ${key['x-api-key']}\r\n\r\n`
    const refusedUnread = async () => {
      await untilLimited(() => rpc(service.url, junk, key), 5_000)
      return statusesIn(await raw(service.url, head, 2_000))
    }
    await expect.poll(refusedUnread).toEqual([429])
    expect((await send(service.url, '/clients', { headers: keyOf('reseller-b') })).status).toBe(200)
    expect((await send(service.url, '/nothing')).status).toBe(404)
  })

  test('stops the junk of one address, and does not affect others', { tags: 'long' }, async () => {
    const junk = `{"jsonrpc":"2.0","id":1,"method":"nope","params":{${names(900)}}}`
    const { answer } = await untilLimited(() => rpc(service.url, junk, from('203.0.113.1')), 5_000)
    expect(answer.json.error.data.detail).toMatch(/^250 ms of processor time/)
    expect((await send(service.url, '/nothing', { headers: from('203.0.113.2') })).status).toBe(404)
    const headers = { ...from('203.0.113.1'), ...keyOf('reseller-b') }
    expect((await send(service.url, '/clients', { headers })).status).toBe(200)
  })

  test('appears in the metrics', { tags: 'long' }, async () => {
    const { text } = await send(service.url, '/metrics')
    expect(text).toMatch(/^billing_rate_limited_total\{policy="processor"\} [1-9]/m)
  })
})

const patience = { timeout: 60_000 }
