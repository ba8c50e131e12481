import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import type { SecurityScheme } from '../../contract/operation.js'
import { ProblemError } from '../../contract/problem.js'
import { contractOf } from '../../fixtures/contract.js'
import { createApiOf } from '../../index.js'
import { jsonrpc } from '../../jsonrpc/client/transport.js'
import { rest } from '../../rest/client/transport.js'
import { createClientOf } from '../client.js'
import type { ClientCalls, JsonRpcCalls } from '../client-calls.js'
import type { FetchRequest } from '../transport.js'
import { type Auth, ambient, apiKey, authorization, basic, bearer } from './client-auth.js'

const schemes: Record<string, SecurityScheme> = {
  header: { type: 'apiKey', in: 'header', name: 'X-Key' },
  query: { type: 'apiKey', in: 'query', name: 'api key&' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
  basic: { type: 'http', scheme: 'basic' },
  http: { type: 'http', scheme: 'bearer' },
  oauth: { type: 'oauth2' },
  oidc: { type: 'openIdConnect' },
  digest: { type: 'http', scheme: 'digest' },
  tls: { type: 'mutualTLS' },
}

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

type Types = Record<string, { params: object; result: unknown; errors: string }>
type Client = ClientCalls<Types> & JsonRpcCalls<Types>

const security = {
  ...Object.fromEntries(Object.keys(schemes).map((name) => [name, [{ [name]: [] }]])),
  either: [{ header: [], query: [] }, { http: [] }],
  optional: [{}, { http: [] }],
  both: [{ http: [], oauth: [] }],
  impossible: [{ basic: [], http: [] }],
  possible: [{ basic: [], http: [] }, { header: [] }],
  open: [],
}

/** A service with one operation per scheme, which answers the credentials that it received. */
async function service(valid: (text: string) => boolean = () => true) {
  const cookie = { name: 'theme', param: 'theme', in: 'cookie', required: false } as const
  const theme = { ...cookie, style: 'form', explode: true, coerce: { types: ['string'] } } as const
  const definitions = Object.entries(security).map(([name, alternatives]) => [
    name,
    { method: 'POST', path: `/${name}`, security: alternatives, parameters: [theme], result: {} },
  ])
  const contract = contractOf(Object.fromEntries(definitions), { securitySchemes: schemes })
  const handlers = Object.fromEntries(
    Object.keys(security).map((name) => [
      name,
      ({ theme: shown }: { theme?: string }, { principal }: { principal: unknown }) => ({
        principal: principal ?? null,
        ...(shown !== undefined && { theme: shown }),
      }),
    ]),
  )
  const asked: string[] = []
  const api = createApiOf<never, unknown, unknown, string>(contract, {
    handlers: { default: handlers },
    authenticate: (credentials: Readonly<Record<string, string>>) => {
      asked.push(...Object.values(credentials))
      if (!Object.values(credentials).every(valid)) throw new ProblemError('invalid_token')
      return credentials
    },
  } as never)
  const server = createServer(api.node())
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  closing.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return { contract, asked, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** The Base64 text of this user in RFC 7617 section 2. */
const aladdin = 'QWxhZGRpbjpvcGVuIHNlc2FtZQ=='

describe.each(['rest', 'jsonrpc'] as const)('over %s', (protocol) => {
  const connect = async (auth?: Auth, valid?: (text: string) => boolean) => {
    const { contract, asked, address } = await service(valid)
    const transport = protocol === 'rest' ? rest(address) : jsonrpc(address)
    return { client: createClientOf<Client>(contract, { transport, ...(auth && { auth }) }), asked }
  }

  test.each([
    ['header', apiKey('Token a=b'), 'Token a=b'],
    ['query', apiKey('a b&c=d+e'), 'a b&c=d+e'],
    ['query', apiKey(' k&1=ü'), ' k&1=ü'],
    ['cookie', apiKey('s1'), 's1'],
    ['basic', basic('Aladdin', 'open sesame'), aladdin],
    ['http', bearer('t1'), 't1'],
    ['oauth', bearer(async () => 't2'), 't2'],
    ['oidc', bearer('t3'), 't3'],
    ['digest', authorization('username="a", nonce="b"'), 'username="a", nonce="b"'],
  ])('sends the credential of the scheme %s where the document says', async (name, credential, text) => {
    const { client } = await connect({ [name]: credential })
    expect(await client.call(name, {})).toEqual({ principal: { [name]: text } })
    expect(await client.call('open', {})).toEqual({ principal: null })
    await expect(client.call(name === 'http' ? 'header' : 'http', {})).rejects.toMatchObject({
      code: 'unauthenticated',
    })
  })

  test('sends the credentials of the first fully configured alternative', async () => {
    const all = { header: apiKey('h'), query: apiKey('q'), http: bearer('t') }
    const whole = await connect(all)
    expect(await whole.client.call('either', {})).toEqual({ principal: { header: 'h', query: 'q' } })
    const part = await connect({ ...all, query: undefined })
    expect(await part.client.call('either', {})).toEqual({ principal: { http: 't' } })
    expect(await part.client.call('optional', {})).toEqual({ principal: { http: 't' } })
    const none = await connect({ header: apiKey('h') })
    expect(await none.client.call('optional', {})).toEqual({ principal: null })
    expect(none.asked).toEqual([])
  })

  test('uses a token without a name for all schemes of its kind', async () => {
    const { client } = await connect(bearer('t'))
    expect(await client.call('oauth', {})).toEqual({ principal: { oauth: 't' } })
    expect(await client.call('both', {})).toEqual({ principal: { http: 't', oauth: 't' } })
  })

  test('refuses two different credentials in one header before it sends anything', async () => {
    const { client, asked } = await connect({ http: bearer('secret1'), oauth: bearer('secret2') })
    const call = client.call('both', {})
    await expect(call).rejects.toThrow('different credentials in authorization')
    await expect(call).rejects.not.toThrow('secret')
    expect(asked).toEqual([])
  })

  test("sends a param's cookie and a key's cookie together", async () => {
    const { client } = await connect({ cookie: apiKey('s1') })
    expect(await client.call('cookie', { theme: 'dark' })).toEqual({
      principal: { cookie: 's1' },
      theme: 'dark',
    })
  })

  test('asks a function before each call, and once more if its credential was refused', async () => {
    const told: (string | undefined)[] = []
    let number = 1
    const token = (refused?: string) => {
      told.push(refused)
      if (refused !== undefined) number += 1
      return `t${number}`
    }
    const { client, asked } = await connect({ http: bearer(token) }, (text) => text === 't2')
    expect(await client.call('http', {})).toEqual({ principal: { http: 't2' } })
    expect(await client.call('http', {})).toEqual({ principal: { http: 't2' } })
    expect([told, asked]).toEqual([
      [undefined, 't1', undefined],
      ['t1', 't2', 't2'],
    ])
  })

  test.each([bearer('t'), bearer(() => 't')])(
    'a token that stays the same is not sent twice',
    async (auth) => {
      const { client, asked } = await connect(auth, () => false)
      await expect(client.call('http', {})).rejects.toMatchObject({ code: 'invalid_token', status: 401 })
      expect(asked).toEqual(['t'])
    },
  )

  test('the password of a user may come from a function', async () => {
    const { client } = await connect({ basic: basic('Aladdin', async () => 'open sesame') })
    expect(await client.call('basic', {})).toEqual({ principal: { basic: aladdin } })
  })

  test('an ambient credential counts as configured and sends nothing', async () => {
    const sent: FetchRequest[] = []
    const { contract } = await service()
    const fetch = (_: string, request: FetchRequest) => {
      sent.push(request)
      return Promise.reject(new Error('Sent nowhere'))
    }
    const address = 'http://service.test'
    const transport = protocol === 'rest' ? rest(address, { fetch }) : jsonrpc(address, { fetch })
    const client = createClientOf<Client>(contract, {
      transport,
      retry: false,
      auth: { tls: ambient, cookie: ambient },
    })
    for (const name of ['tls', 'cookie']) await expect(client.call(name, {})).rejects.toThrow('Sent nowhere')
    expect(sent.map(({ headers }) => [headers.authorization, headers.cookie])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ])
  })

  test('no credential follows a redirect to another origin', async () => {
    const elsewhere: unknown[] = []
    const serverOf = async (listener: Parameters<typeof createServer>[1]) => {
      const server = createServer(listener)
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
      closing.push(() => server.close())
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    }
    const other = await serverOf(({ url, headers }, response) => {
      elsewhere.push([url, headers])
      response.end('{}')
    })
    const address = await serverOf((_, response) => {
      response.writeHead(307, { location: `${other}/` }).end()
    })
    const { contract } = await service()
    const transport = protocol === 'rest' ? rest(address) : jsonrpc(address)
    const auth = { header: apiKey('h'), query: apiKey('q'), cookie: apiKey('c'), http: bearer('t') }
    const client = createClientOf<Client>(contract, { transport, auth, retry: false })
    for (const name of Object.keys(auth))
      await expect(client.call(name, {})).rejects.toMatchObject({
        reason: 'unexpected_response',
        status: 307,
      })
    expect(elsewhere).toEqual([])
  })

  test('a fetch error with the URL does not show its key', async () => {
    const { contract } = await service()
    const fetch = (url: string) => Promise.reject(new Error(`request to ${url} failed`))
    const address = 'http://service.test'
    const transport = protocol === 'rest' ? rest(address, { fetch }) : jsonrpc(address, { fetch })
    const auth = { query: apiKey('secret') }
    const client = createClientOf<Client>(contract, { transport, auth, retry: false })
    const error: unknown = await client.call('query', {}).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ reason: 'network', cause: undefined })
    expect(String(error)).not.toContain('secret')
  })
})

test('a batch has the credentials of all its calls', async () => {
  const { contract, address } = await service()
  const transport = jsonrpc(address)
  const auth = { header: apiKey('h'), query: apiKey('q'), http: bearer('t') }
  const client = createClientOf<Client>(contract, { transport, auth })
  const results = await client.batch([
    ['header', {}],
    ['http', {}],
    ['open', {}],
  ])
  expect(results).toEqual([
    { ok: true, result: { principal: { header: 'h' } } },
    { ok: true, result: { principal: { http: 't' } } },
    { ok: true, result: { principal: null } },
  ])
})

test('never sends an alternative that no request can carry, and prefers others', async () => {
  const { contract, address, asked } = await service()
  const auth = { basic: basic('a', 'b'), http: bearer('t'), header: apiKey('h') }
  const client = createClientOf<Client>(contract, { transport: rest(address), auth })
  expect(await client.call('possible', {})).toEqual({ principal: { header: 'h' } })
  await expect(client.call('impossible', {})).rejects.toThrow(
    '"http" and another security scheme need different credentials in authorization, but a request has only one',
  )
  expect(asked).toEqual(['h'])
  const half = createClientOf<Client>(contract, { transport: rest(address), auth: { http: bearer('t') } })
  await expect(half.call('impossible', {})).rejects.toMatchObject({ code: 'unauthenticated', status: 401 })
})

test.each<[Auth, string]>([
  [{ nope: apiKey('secret') }, 'There is no security scheme "nope"; the document has "header", "query"'],
  [{ constructor: apiKey('secret') } as unknown as Auth, 'There is no security scheme "constructor"'],
  [{ header: bearer('secret') }, 'The security scheme "header" takes apiKey'],
  [{ cookie: basic('a', 'secret') }, 'The security scheme "cookie" takes apiKey or ambient'],
  [{ digest: basic('a', 'secret') }, 'The security scheme "digest" takes authorization'],
  [apiKey('secret'), 'Name the security scheme of the API key'],
])('refuses credentials that fit no scheme when the client is created', async (auth, message) => {
  const { contract, address } = await service()
  const create = () => createClientOf<Client>(contract, { transport: rest(address), auth })
  expect(create).toThrow(message)
  expect(create).not.toThrow('secret')
})

test('refuses a credential without a name if it fits no scheme', () => {
  const contract = {
    operations: {},
    errors: {},
    securitySchemes: { http: { type: 'http', scheme: 'bearer' } },
  } as const
  const transport = rest('http://service.test')
  expect(() => createClientOf(contract, { transport, auth: apiKey('secret') })).toThrow(
    'No security scheme takes apiKey; the document has "http"',
  )
})

test.each([
  () => basic('a:secret', 'b'),
  () => basic('a\nsecret', 'b'),
  () => basic('a', 'secret\u0000'),
  () => authorization(' secret'),
  () => apiKey('sécret\u0000'),
])('refuses invalid credentials without showing them', (make) => {
  expect(make).toThrow(TypeError)
  expect(make).not.toThrow(/s[eé]cret/)
})

test('a user and a password are UTF-8, and may be empty', async () => {
  // RFC 7617, section 2.1: the user "test" and the password "123£".
  expect(await basic('test', '123£').text()).toBe('dGVzdDoxMjPCow==')
  expect(await basic('', '').text()).toBe('Og==')
})

test.each([
  ['cookie', 'secret; admin=1', 'has characters that a cookie cannot have'],
  ['header', 'secretü', 'The API key in a header must be printable ASCII'],
])('refuses a key that no %s can hold without showing it', async (name, key, message) => {
  const { contract, address } = await service()
  const client = createClientOf<Client>(contract, { transport: rest(address), auth: { [name]: apiKey(key) } })
  const call = client.call(name, {})
  await expect(call).rejects.toThrow(message)
  await expect(call).rejects.not.toThrow('secret')
})
