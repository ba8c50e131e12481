import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServiceHere, type TestService } from '../service-process.js'
import { call, raw, rpc, send } from './target.js'

const app = 'https://app.example'
const preflight = {
  origin: app,
  'access-control-request-method': 'PATCH',
  'access-control-request-headers': 'x-api-key,content-type',
}

describe('headers', () => {
  let service: TestService
  let headers: Record<string, string>
  beforeAll(async () => {
    service = await startServiceHere({ TRUST_PROXY: '1' })
    headers = { 'x-api-key': service.user('reseller-a').apiKey }
  })
  afterAll(async () => {
    await service?.stop()
    service?.remove()
  })

  const harmless = {
    'content-security-policy': expect.stringContaining("default-src 'none'; frame-ancestors 'none'"),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    'x-xss-protection': '0',
  }

  test('for browser security are in every answer, page or problem', async () => {
    const answers = await Promise.all([
      send(service.url, '/clients/1', { headers }),
      send(service.url, '/clients/1'),
      send(service.url, '/nothing'),
      send(service.url, '/'),
      send(service.url, '/openapi.json'),
      send(service.url, '/readyz'),
      send(service.url, '/metrics'),
      send(service.url, '/clients/1', { method: 'OPTIONS' }),
      rpc(service.url, call('clients.get', { id: 1 }), headers),
      rpc(service.url, '{'),
    ])
    for (const answer of answers) {
      expect(answer.headers).toMatchObject(harmless)
      expect(answer.headers).not.toHaveProperty('x-powered-by')
      expect(answer.headers).not.toHaveProperty('server')
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
    }
    const [data] = answers
    expect(data?.headers['cache-control']).toBe('no-store')
    const malformed = await raw(service.url, 'GET / HTTP/1.1\r\nbroken\r\n\r\n')
    expect(headersIn(malformed)).toMatchObject({ ...harmless, 'cache-control': 'no-store' })
  })

  test('let pages of other origins see that the service runs, and no more', async () => {
    const running = await send(service.url, '/healthz')
    expect(running.headers).toMatchObject({ ...harmless, 'cross-origin-resource-policy': 'cross-origin' })
    expect(running.headers).not.toHaveProperty('access-control-allow-origin')
  })

  test('have a request id in every answer, the caller’s if it is safe for a log', async () => {
    const paths = ['/healthz', '/readyz', '/metrics', '/', '/openapi.json', '/nothing', '/clients/1']
    for (const path of paths) {
      const named = await send(service.url, path, { headers: { 'x-request-id': 'mine-7' } })
      expect([path, named.headers['x-request-id']]).toEqual([path, 'mine-7'])
      for (const hidden of [`bk_${'a'.repeat(43)}`, 'eyJhbGciOiJIUzI1NiJ9.e30.x']) {
        const answer = await send(service.url, path, { headers: { 'x-request-id': hidden } })
        expect(answer.headers['x-request-id']).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
      }
    }
  })

  test('forbid caching of problems', async () => {
    const problems = [
      await send(service.url, '/nothing'),
      await send(service.url, '/healthz', { method: 'DELETE' }),
      await send(service.url, '/clients/1', { headers: { host: 'user@other' } }),
    ]
    expect(problems.map(({ status }) => status)).toEqual([404, 405, 400])
    for (const { headers } of problems) expect(headers['cache-control']).toBe('no-store')
  })

  test('are refused with 431 if there are too many, for every request', async () => {
    const asked = (head: string) =>
      `${head} HTTP/1.1\r\nHost: a\r\n${'a:1\r\n'.repeat(1000)}If-Match: "1"\r\n\r\n`
    for (const head of ['GET /clients/1', 'PATCH /clients/1', 'POST /', 'GET /healthz', 'GET /admin/']) {
      const answer = await raw(service.url, asked(head))
      expect([head, answer.split(' ')[1]]).toEqual([head, '431'])
      expect(headersIn(answer)).toMatchObject({ ...harmless, connection: 'close' })
    }
  })

  test('require TLS from then on if a trusted proxy had it', async () => {
    const secure = await send(service.url, '/', { headers: { 'x-forwarded-proto': 'https' } })
    expect(secure.headers['strict-transport-security']).toBe('max-age=31536000')
    expect((await send(service.url, '/')).headers).not.toHaveProperty('strict-transport-security')
  })

  test('allow no other origin by default', async () => {
    const answer = await send(service.url, '/clients/1', { method: 'OPTIONS', headers: preflight })
    expect([answer.status, answer.headers.allow]).toEqual([204, 'GET, HEAD, PATCH'])
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  })
})

describe('headers with CORS_ORIGINS', () => {
  let service: TestService
  let log = ''
  beforeAll(async () => {
    const onLog = (lines: string) => {
      log += lines
    }
    service = await startServiceHere({ CORS_ORIGINS: `${app},http://localhost:3000` }, { onLog })
  })
  afterAll(async () => {
    await service?.stop()
    service?.remove()
  })

  test('let pages of those origins call, over both protocols', async () => {
    const asked = await send(service.url, '/clients/1', { method: 'OPTIONS', headers: preflight })
    expect(asked.status).toBe(204)
    expect(asked.headers).toMatchObject({
      'access-control-allow-origin': app,
      'access-control-allow-methods': expect.stringContaining('PATCH'),
      'access-control-allow-headers': expect.stringMatching(
        /Authorization, Content-Type.*If-Match, If-None-Match.*X-Api-Key/,
      ),
      vary: 'Origin',
    })
    expect(asked.headers).not.toHaveProperty('access-control-allow-credentials')
    expect(asked.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
    expect(log).not.toContain(asked.headers['x-request-id'])
    const headers = { origin: app, 'x-api-key': service.user('reseller-a').apiKey }
    for (const answer of [
      await send(service.url, '/clients/1', { headers }),
      await rpc(service.url, call('clients.get', { id: 1 }), headers),
      await send(service.url, '/clients/1', { headers: { origin: app } }),
    ]) {
      expect(answer.headers['access-control-allow-origin']).toBe(app)
      expect(answer.headers['access-control-expose-headers']).toContain('RateLimit')
    }
  })

  test.each([
    'https://evil.example',
    'https://app.example.evil.example',
    'http://app.example',
    'null',
    'https://APP.example:444',
  ])('keep the origin %s out', async (origin) => {
    const answer = await send(service.url, '/clients/1', {
      method: 'OPTIONS',
      headers: { ...preflight, origin },
    })
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    expect(answer.headers.vary).toBe('Origin')
    const line = new RegExp(`"requestId":"${answer.headers['x-request-id']}".*"code":"forbidden"`)
    await expect.poll(() => log).toMatch(line)
  })
})

/** The header fields of a raw response. */
function headersIn(answer: string): Record<string, string> {
  const [head = ''] = answer.split('\r\n\r\n')
  const fields = head.split('\r\n').slice(1)
  return Object.fromEntries(
    fields.map((field) => [
      field.slice(0, field.indexOf(':')).toLowerCase(),
      field.slice(field.indexOf(':') + 2),
    ]),
  )
}
