import { describe, expect, test, vi } from 'vitest'
import { ProblemError } from '../contract/problem.js'
import { apiOf } from '../fixtures/api.js'
import { served, serveNode } from '../fixtures/serve.js'
import type { Context } from './api/context.js'

describe('security alternatives', () => {
  const schemes = {
    key: { type: 'apiKey', in: 'query', name: 'api_key' },
    cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
    bearer: { type: 'http', scheme: 'Bearer' },
    basic: { type: 'http', scheme: 'basic' },
  }
  const seen = vi.fn((credentials: object) => ({ ...credentials }))
  const whoami = {
    path: '/who',
    method: 'GET',
    params: { type: 'object', additionalProperties: false },
    security: [{ key: [], cookie: [] }, { bearer: [] }, { basic: [] }],
  } as const
  const who = async (target: string, headers: Record<string, string>) => {
    const options = {
      authenticate: seen,
      handlers: { default: { who: (_: unknown, { principal }: Context<unknown>) => principal } },
    }
    const server = await served(serveNode(apiOf({ who: whoami }, options, schemes)))
    return server.ask(target, { headers })
  }

  test('the first with all its credentials counts', async () => {
    const both = { Cookie: 'a=b; session=s', Authorization: 'Bearer t' }
    expect((await who('/who?api_key=k', both)).json).toEqual({ cookie: 's', key: 'k' })
    expect((await who('/who', both)).json).toEqual({ bearer: 't' })
  })

  test('the scheme has any case, and its credential follows', async () => {
    expect((await who('/who', { Authorization: 'BEARER  t' })).json).toEqual({ bearer: 't' })
    expect((await who('/who', { Authorization: 'Basic dTpw' })).json).toEqual({ basic: 'dTpw' })
  })

  test('a scheme may have the name of an inherited member', async () => {
    const authenticate = (credentials: object): string[] => Object.keys(credentials)
    const handlers = { default: { who: (_: unknown, { principal }: Context<unknown>) => principal } }
    const named = JSON.parse('{"__proto__":{"type":"http","scheme":"bearer"}}')
    const operation = { ...whoami, security: [JSON.parse('{"__proto__":[]}')] }
    const server = await served(serveNode(apiOf({ who: operation }, { authenticate, handlers }, named)))
    expect((await server.ask('/who', { headers: { Authorization: 'Bearer t' } })).json).toEqual(['__proto__'])
  })

  test('a key in the query is ignored where the operation requires none', async () => {
    const handlers = { default: { who: () => 'anybody' } }
    const open = { ...whoami, security: [] }
    const server = await served(serveNode(apiOf({ who: open }, { authenticate: seen, handlers }, schemes)))
    expect((await server.ask('/who?api_key=k')).json).toBe('anybody')
    expect((await server.ask('/who?other=k')).status).toBe(400)
  })

  test('an empty credential counts as missing', async () => {
    const { status, headers } = await who('/who?api_key=', { Cookie: 'session=s', Authorization: 'Bearer' })
    expect([status, headers['www-authenticate']]).toEqual([
      401,
      'ApiKey realm="Fixture", Bearer realm="Fixture", Basic realm="Fixture"',
    ])
  })

  test('tells a caller without credentials where to put them', async () => {
    const either = [
      { header: [], basic: [] },
      { token: [] },
      { login: [] },
      { session: [] },
      { certificate: [] },
    ]
    const document = {
      header: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      basic: { type: 'http', scheme: 'basic' },
      token: { type: 'http', scheme: 'bearer' },
      login: { type: 'oauth2' },
      session: { type: 'apiKey', in: 'cookie', name: 'sid' },
      certificate: { type: 'mutualTLS' },
    } as const
    const guarded = { who: { method: 'GET' as const, path: '/who', security: either } }
    const options = { handlers: { default: { who: () => null } }, authenticate: () => ({}) }
    const { ask, rpc } = await served(serveNode(apiOf(guarded, options, document)))
    const detail =
      'Send the header Authorization with Basic credentials and the header X-Api-Key, or the header Authorization with a Bearer token, or the cookie sid, or a client certificate.'
    expect((await ask('/who')).json.detail).toBe(detail)
    expect((await rpc({ jsonrpc: '2.0', id: 1, method: 'who' })).json.error.data.detail).toBe(detail)
  })

  test('refuses if the hook returns no principal', async () => {
    seen.mockReturnValueOnce(undefined as never)
    expect((await who('/who', { Authorization: 'Bearer t' })).json.code).toBe('unauthenticated')
  })

  test.each([
    ['has API keys alone', [{ key: [] }], schemes, 'ApiKey realm="Fixture"'],
    [
      'has no schemes',
      [],
      { key: schemes.key, basic: schemes.basic },
      'ApiKey realm="Fixture", Basic realm="Fixture"',
    ],
  ] as const)(
    'a 401 of an operation that %s has a challenge, over both protocols',
    async (_, security, known, expected) => {
      const refuse = () => {
        throw new ProblemError('invalid_api_key')
      }
      const options = { authenticate: refuse, handlers: { default: { who: refuse } } }
      const server = await served(serveNode(apiOf({ who: { ...whoami, security } }, options, known)))
      const query = security.length > 0 ? '?api_key=k' : ''
      const { status, headers } = await server.ask(`/who${query}`)
      expect([status, headers['www-authenticate']]).toEqual([401, expected])
      const request = { jsonrpc: '2.0', id: 1, method: 'who' }
      const answer = await server.ask(`/${query}`, { method: 'POST', body: request })
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, expected])
    },
  )

  describe.each([
    ['last', [{ bearer: [] }, {}]],
    ['first', [{}, { bearer: [] }]],
    ['in between', [{ key: [], cookie: [] }, {}, { bearer: [] }]],
  ])('an empty alternative %s', (_, security) => {
    const options = {
      authenticate: seen,
      handlers: { default: { who: (_: unknown, { principal }: Context<unknown>) => ({ principal }) } },
    }
    const optional = () => served(serveNode(apiOf({ who: { ...whoami, security } }, options, schemes)))

    test('accepts anonymous callers without the hook', async () => {
      seen.mockClear()
      expect((await (await optional()).ask('/who')).json).toEqual({})
      expect(seen).not.toHaveBeenCalled()
    })

    test('comes after credentials', async () => {
      const { json } = await (await optional()).ask('/who', { headers: { Authorization: 'Bearer t' } })
      expect(json).toEqual({ principal: { bearer: 't' } })
    })

    test('does not accept refused credentials', async () => {
      seen.mockImplementationOnce(() => {
        throw new ProblemError('invalid_token')
      })
      const { status, json } = await (await optional()).ask('/who', {
        headers: { Authorization: 'Bearer t' },
      })
      expect([status, json.code]).toEqual([401, 'invalid_token'])
    })
  })
})

describe('security alternatives that are refused', () => {
  const schemes = {
    key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
    token: { type: 'http', scheme: 'bearer' },
    secret: { type: 'apiKey', in: 'header', name: 'X-Secret' },
  }
  const security = [{ key: ['write'] }, { token: [], secret: [] }]
  const known: Record<string, () => object> = {
    good: () => ({ scopes: ['write'] }),
    weak: () => ({ scopes: [] }),
    nobody: () => undefined as never,
    blocked: () => {
      throw new ProblemError('rate_limited')
    },
    broken: () => {
      throw new Error('no database')
    },
  }
  interface Given {
    key?: string
    token?: string
  }
  const find = ({ key, token }: Given) => {
    const found = known[key ?? token ?? '']
    if (found === undefined) throw new ProblemError(key === undefined ? 'invalid_token' : 'invalid_api_key')
    return found()
  }
  const definitions = {
    open: { method: 'GET', path: '/open', security: [...security, {}] },
    write: { method: 'GET', path: '/write', security },
  } as const
  const handlers = { default: { open: () => 'done', write: () => 'done' } }
  const headersOf = (key: string, token: string) => ({
    ...(key !== '' && { 'X-Api-Key': key }),
    ...(token !== '' && { Authorization: `Bearer ${token}`, 'X-Secret': 's' }),
  })

  describe.each([
    ['at once', find],
    ['later', async (given: Given) => find(given)],
  ])('%s', (_, authenticate) => {
    const options = {
      handlers,
      authenticate,
      scopes: (user: { scopes: string[] }) => user.scopes,
      logger: false,
    }
    test.each([
      ['a wrong key, then a good token', 'wrong', 'good', 'done'],
      ['a key without scopes, then a good token', 'weak', 'good', 'done'],
      ['a key of nobody, then a good token', 'nobody', 'good', 'done'],
      ['a good key, a wrong token', 'good', 'wrong', 'done'],
      ['a wrong key alone', 'wrong', '', 'invalid_api_key'],
      ['a wrong token alone', '', 'wrong', 'invalid_token'],
      ['two that are wrong', 'wrong', 'wrong', 'invalid_api_key'],
      ['a key of nobody, then a wrong token', 'nobody', 'wrong', 'invalid_token'],
      ['a key without scopes, then a wrong token', 'weak', 'wrong', 'forbidden'],
      ['a wrong key, then a token without scopes', 'wrong', 'weak', 'done'],
      ['a key that is blocked, then a good token', 'blocked', 'good', 'rate_limited'],
      ['a fault of the hook, then a good token', 'broken', 'good', 'internal_error'],
      ['none', '', '', 'unauthenticated'],
    ])('%s', async (_, key, token, expected) => {
      const server = await served(serveNode(apiOf(definitions, options, schemes)))
      const headers = headersOf(key, token)
      const overRest = (await server.ask('/write', { headers })).json
      const overRpc = (await server.rpc({ jsonrpc: '2.0', id: 1, method: 'write' }, headers)).json
      expect(overRest.code ?? overRest).toBe(expected)
      expect(overRpc.error?.data.code ?? overRpc.result).toBe(expected)
    })

    test('ask the hook once for a whole batch', async () => {
      const hook = vi.fn(authenticate)
      const server = await served(serveNode(apiOf(definitions, { ...options, authenticate: hook }, schemes)))
      const batch = [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'write' }))
      const { json } = await server.rpc(batch, headersOf('wrong', 'good'))
      expect(json.map(({ result }: { result: unknown }) => result)).toEqual(['done', 'done'])
      expect(hook).toHaveBeenCalledTimes(2)
    })

    test('stay refused if an empty alternative follows', async () => {
      const server = await served(serveNode(apiOf(definitions, options, schemes)))
      expect((await server.ask('/open')).json).toBe('done')
      const { json } = await server.ask('/open', { headers: headersOf('wrong', '') })
      expect(json.code).toBe('invalid_api_key')
    })
  })
})

describe('scopes', () => {
  const definitions = {
    write: { method: 'POST', path: '/write', security: [{ oauth: ['things:read', 'things:write'] }] },
    read: { method: 'GET', path: '/read', security: [{ oauth: ['things:read'] }] },
  } as const
  const schemes = { oauth: { type: 'oauth2' } }
  const authenticate = ({ oauth = '' }: { oauth?: string }) => oauth.split('+')
  const scopes = (principal: readonly string[]) => principal
  const handlers = { default: { read: () => 'read', write: () => 'written' } }

  test('missing from the caller give forbidden, over both protocols', async () => {
    const server = await served(serveNode(apiOf(definitions, { handlers, authenticate, scopes }, schemes)))
    const headers = { Authorization: 'Bearer things:read' }
    expect((await server.ask('/read', { headers })).json).toBe('read')
    const refused = await server.ask('/write', { method: 'POST', headers })
    expect([refused.status, refused.json]).toMatchObject([
      403,
      { code: 'forbidden', detail: 'Missing scopes: things:write' },
    ])
    const rpc = await server.rpc({ jsonrpc: '2.0', id: 1, method: 'write' }, headers)
    expect(rpc.json.error).toMatchObject({ code: -32043, data: { code: 'forbidden', status: 403 } })
    const both = { Authorization: 'Bearer things:read+things:write' }
    expect((await server.ask('/write', { method: 'POST', headers: both })).json).toBe('written')
  })

  test.each([
    [
      'a token',
      { type: 'oauth2' },
      '',
      'Bearer error="insufficient_scope", scope="things:read things:write"',
    ],
    ['an API key', { type: 'apiKey', in: 'query', name: 'key' }, '?key=things:read', undefined],
  ] as const)(
    'that %s does not have are named in a challenge (RFC 6750 section 3.1)',
    async (_, oauth, query, told) => {
      const options = { handlers, authenticate, scopes, logger: false } as const
      const server = await served(serveNode(apiOf(definitions, options, { oauth })))
      const headers = { Authorization: 'Bearer things:read' }
      const refused = await server.ask(`/write${query}`, { method: 'POST', headers })
      expect([refused.status, refused.headers['www-authenticate']]).toEqual([403, told])
      // HTTP 200 has no challenge.
      const rpc = await server.ask(`/${query}`, {
        method: 'POST',
        headers,
        body: { jsonrpc: '2.0', id: 1, method: 'write' },
      })
      expect([rpc.status, rpc.json.error.code, rpc.headers['www-authenticate']]).toEqual([
        200,
        -32043,
        undefined,
      ])
    },
  )

  test('are up to the hook without the option scopes', async () => {
    const server = await served(serveNode(apiOf(definitions, { handlers, authenticate }, schemes)))
    const headers = { Authorization: 'Bearer any' }
    expect((await server.ask('/read', { headers })).json).toBe('read')
  })
})
