import { generateKeyPairSync, sign as signWith } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServiceHere, type TestService } from '../service-process.js'
import { call, hmac, jwt, raw, rpc, send, statusesIn, tokenKey } from './target.js'

describe('credentials', () => {
  let service: TestService
  let key: string
  let secret: string
  beforeAll(async () => {
    service = await startServiceHere()
    secret = (await readFile(join(service.dataDirectory, 'secret'), 'utf8')).trim()
    key = service.user('reseller-a').apiKey
  })
  afterAll(async () => {
    await service?.stop()
    service?.remove()
  })

  test('similar to an API key get the same answer as any other', async () => {
    const answers = await Promise.all(
      [
        `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`,
        `${key}A`,
        key.slice(0, -1),
        key.toUpperCase(),
        'bk_',
        'x',
        '*',
        "' or 1=1 --",
        '%',
        key.replace('bk_', 'bk-'),
        'a'.repeat(8_000),
      ].map(async (wrong) => {
        const headers = { 'x-api-key': wrong }
        const rest = await send(service.url, '/clients/1', { headers })
        const envelope = await rpc(service.url, call('clients.get', { id: 1 }), headers)
        const { requestId: _rest, ...problem } = rest.json
        const { requestId: _rpc, ...data } = envelope.json.error.data
        return [rest.status, envelope.status, envelope.json.error.code, problem, data]
      }),
    )
    const refused = {
      type: 'urn:problem-type:invalid_api_key',
      title: 'Invalid API key',
      status: 401,
      code: 'invalid_api_key',
    }
    expect(answers).toEqual(answers.map(() => [401, 401, -32001, refused, refused]))
  })

  test('are accepted in one X-Api-Key header only', async () => {
    const places = [
      send(service.url, `/clients/1?api_key=${key}&x-api-key=${key}`),
      send(service.url, '/clients/1', { headers: { cookie: `X-Api-Key=${key}` } }),
      send(service.url, '/clients/1', { headers: { authorization: `Bearer ${key}` } }),
      send(service.url, '/clients/1', { headers: { authorization: `ApiKey ${key}` } }),
      rpc(service.url, { ...call('clients.get', { id: 1 }), 'X-Api-Key': key }),
      rpc(service.url, call('clients.get', { id: 1, 'X-Api-Key': key })),
    ]
    for (const { json } of await Promise.all(places)) {
      expect((json.error?.data ?? json).code).toMatch(/^(unauthenticated|invalid_token)$/)
    }
    const twice = await raw(
      service.url,
      `GET /clients/1 HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${key}\r\nX-Api-Key: ${key}\r\nConnection: close\r\n\r\n`,
    )
    expect(statusesIn(twice)).toEqual([401])
  })

  describe('that are tokens', () => {
    const now = Math.floor(Date.now() / 1000)
    const header = { alg: 'HS256', typ: 'at+jwt' }
    let own: ReturnType<typeof tokenKey>
    let claims: Record<string, unknown>
    let token: string
    beforeAll(async () => {
      own = tokenKey(secret)
      const { login, password } = service.user('reseller-a')
      const { json } = await rpc(service.url, call('iam.auth.jwt.authenticate', { login, password }))
      token = json.result.token
      claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    })
    const statusOf = async (candidate: string) => {
      const headers = { authorization: `Bearer ${candidate}` }
      const rest = await send(service.url, '/lnp/gateways', { headers })
      const { json } = await rpc(service.url, call('lnp.gateways.search', {}), headers)
      expect(json.error?.code ?? 0).toBe(rest.status === 200 ? 0 : -32005)
      return rest.status
    }

    test('are valid unchanged', async () => {
      expect(await statusOf(token)).toBe(200)
      expect(await statusOf(jwt(header, claims, hmac(own)))).toBe(200)
    })

    test('cannot choose their algorithm', { tags: 'long' }, async () => {
      const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
      const pem = publicKey.export({ type: 'spki', format: 'pem' })
      const none = () => Buffer.alloc(0)
      const forged = [
        ...['none', 'None', 'NONE', 'nOnE', ''].map((alg) => jwt({ ...header, alg }, claims, none)),
        jwt({ typ: 'at+jwt' }, claims, none),
        jwt(header, claims, none),
        jwt({ ...header, alg: 'RS256' }, claims, (text) => signWith('sha256', Buffer.from(text), privateKey)),
        jwt(header, claims, hmac(pem.toString())),
        jwt({ ...header, alg: 'HS384' }, claims, hmac(own, 'sha384')),
        jwt({ ...header, alg: 'HS512' }, claims, hmac(own, 'sha512')),
        jwt({ ...header, jwk: publicKey.export({ format: 'jwk' }) }, claims, (text) =>
          signWith('sha256', Buffer.from(text), privateKey),
        ),
        jwt({ ...header, kid: '../../dev/null', jku: 'http://127.0.0.1/keys' }, claims, hmac('')),
        jwt({ ...header, crit: ['exp'], exp: 0 }, claims, hmac(own)),
        jwt(header, claims, hmac(secret)),
        jwt(header, claims, hmac('')),
        `${token.split('.').slice(0, 2).join('.')}.`,
        `${token}=`,
        `${token}.x`,
      ]
      expect(await Promise.all(forged.map(statusOf))).toEqual(forged.map(() => 401))
    })

    test('need the issuer, user and time of this service, even with the right key', async () => {
      const { sub: _sub, ...nobody } = claims
      const { exp: _exp, ...forever } = claims
      const changed = [
        { ...claims, aud: 'another' },
        { ...claims, aud: ['another'] },
        { ...claims, iss: 'another' },
        { ...claims, exp: now - 60 },
        { ...claims, exp: String(now + 600) },
        { ...claims, nbf: now + 600 },
        { ...claims, sub: '1' },
        { ...claims, sub: '2 ' },
        { ...claims, sub: '0x2' },
        { ...claims, sub: 'NaN' },
        { ...claims, sid: '00000000-0000-4000-8000-000000000000' },
        { ...claims, sid: "' or true --" },
        { ...claims, jti: 7 },
        nobody,
        forever,
      ].map((candidate) => jwt(header, candidate, hmac(own)))
      const otherTypes = ['JWT', 'at+jwt;x', undefined].map((typ) =>
        jwt({ ...header, typ }, claims, hmac(own)),
      )
      const all = [...changed, ...otherTypes]
      expect(await Promise.all(all.map(statusOf))).toEqual(all.map(() => 401))
    })

    test('end with their session if a spent one is refreshed again', { tags: 'long' }, async () => {
      const { login, password } = service.user('reseller-b')
      const first = (await rpc(service.url, call('iam.auth.jwt.authenticate', { login, password }))).json
        .result.token
      const refresh = (spent: string) =>
        rpc(service.url, call('iam.auth.jwt.refresh', {}), { authorization: `Bearer ${spent}` })
      const second = (await refresh(first)).json.result.token
      expect(await statusOf(second)).toBe(200)
      expect((await refresh(first)).json.error.code).toBe(-32005)
      // Two parties had tokens of the session. Both lose it.
      expect(await Promise.all([first, second].map(statusOf))).toEqual([401, 401])
    })

    test('refresh once, even in concurrent calls', { tags: 'long' }, async () => {
      const { login, password } = service.user('reseller-b')
      const { json } = await rpc(service.url, call('iam.auth.jwt.authenticate', { login, password }))
      const headers = { authorization: `Bearer ${json.result.token}` }
      const refresh = () => send(service.url, '/iam/auth/jwt/refresh', { method: 'POST', headers })
      const statuses = (await Promise.all(Array.from({ length: 8 }, refresh))).map(({ status }) => status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    })
  })
})
