import { describe, expect, test } from 'vitest'
import { contractOf } from './fixtures/contract.js'
import { type Served, served, serveFetch, serveNode } from './fixtures/serve.js'
import { adapters, call, closed, create, names, text, v1, v1_1, v2 } from './fixtures/versions.js'
import { createVersions, ProblemError } from './index.js'

describe.each([
  ['node:http', (versions: ReturnType<typeof create>) => served(serveNode(versions))],
  ['fetch', (versions: ReturnType<typeof create>) => served(serveFetch(versions))],
])('several versions under %s', (_, serve) => {
  const start = (more?: object): Promise<Served> => serve(create(more))
  const short = { id: 7, name: 'Ada Lovelace' }
  const middle = { ...short, age: 36 }
  const long = { id: 7, given: 'Ada', family: 'Lovelace', age: 36 }

  test.each([
    ['/persons/7', {}, '2.0.0-rc.1', long],
    ['/1.0.0/people/7', {}, '1.0.0', short],
    ['/v1.0/people/7', {}, '1.0.0', short],
    ['/v1/people/7', {}, '1.1.0', middle],
    ['/1/people/7', {}, '1.1.0', middle],
    ['/2.0.0-rc.1/persons/7', {}, '2.0.0-rc.1', long],
    ['/people/7', { 'API-Version': '1.0.0' }, '1.0.0', short],
    ['/people/7', { 'API-Version': 'v1' }, '1.1.0', middle],
    ['/1.0.0/people/7', { 'API-Version': '1.0.0' }, '1.0.0', short],
    ['/v1/people/7', { 'API-Version': '1.0.0' }, '1.0.0', short],
  ])(
    '%s with %j is answered by its version, which the answer names',
    async (path, headers, version, result) => {
      const server = await start()
      const answer = await server.ask(path, { headers })
      expect(answer.json).toEqual(result)
      expect(answer.headers['api-version']).toBe(version)
    },
  )

  test('a response that caches may store tells that the header chooses', async () => {
    const server = await start()
    expect((await server.ask('/persons/60')).headers.vary).toBe('API-Version')
    expect((await server.ask('/persons/7')).headers.vary).toBeUndefined()
    const fixed = await start({ versionHeader: false })
    expect((await fixed.ask('/persons/60')).headers.vary).toBeUndefined()
  })

  test('a batch has one version, by the path or by the header', async () => {
    const server = await start()
    const batch = [call('people.get', { id: 7 }), call('people.list', {}, { id: 2 })]
    const expected = [
      { jsonrpc: '2.0', id: 1, result: middle },
      { jsonrpc: '2.0', id: 2, result: names },
    ]
    const ways = [
      await server.ask('/1.1.0', { method: 'POST', body: batch }),
      await server.ask('/1.1.0/', { method: 'POST', body: batch }),
      await server.rpc(batch, { 'API-Version': '1.1.0' }),
    ]
    for (const { json, headers } of ways) {
      expect(json).toEqual(expected)
      expect(headers['api-version']).toBe('1.1.0')
    }
  })

  test('a version that does not exist is unknown_operation with the versions there are', async () => {
    const server = await start()
    const detail = 'There is no version 3. Versions: 1.0.0, 1.1.0, 2.0.0-rc.1.'
    const problem = { status: 404, code: 'unknown_operation', detail }
    const headers = { 'API-Version': '3' }
    expect((await server.ask('/3/people/7')).json).toMatchObject(problem)
    expect((await server.ask('/persons/7', { headers })).json).toMatchObject(problem)
    expect((await server.ask('/openapi.json', { headers })).json).toMatchObject(problem)
    expect((await server.ask('/3/persons/7', { headers: { 'API-Version': '1.0.0' } })).json).toMatchObject(
      problem,
    )
    const batch = [call('people.get', { id: 7 }), call('people.get', { id: 7 }, {}), 1]
    for (const { json } of [
      await server.rpc(batch, headers),
      await server.ask('/3', { method: 'POST', body: batch }),
      await server.ask('/3/', { method: 'POST', body: batch, headers: { 'API-Version': '1.0.0' } }),
    ])
      expect(json).toMatchObject([
        { id: 1, error: { code: -32601, data: problem } },
        { id: null, error: { code: -32600 } },
      ])
  })

  test('a path that a version does not have is 404, and the answer names the version', async () => {
    const server = await start()
    for (const [path, headers] of [
      ['/1.0.0/none', {}],
      ['/none', { 'API-Version': '1.0.0' }],
    ] as const) {
      const answer = await server.ask(path, { headers })
      expect([answer.status, answer.headers['api-version']]).toEqual([404, '1.0.0'])
    }
  })

  test('a path and a header that choose different versions are refused', async () => {
    const server = await start()
    const headers = { 'API-Version': '1.1.0' }
    const detail = 'The path chooses version 1.0.0, the header 1.1.0.'
    expect((await server.ask('/1.0.0/people/7', { headers })).json).toMatchObject({ status: 400, detail })
    const body = call('people.get', { id: 7 })
    const overRpc = await server.ask('/1.0.0', { method: 'POST', headers, body })
    expect(overRpc.json).toMatchObject({ id: 1, error: { code: -32600, data: { detail } } })
  })

  test('the default version is a setting, and so are the ways to choose', async () => {
    const server = await start({ defaultVersion: '1.1.0', versionInPath: false, versionHeader: 'X-Version' })
    expect((await server.ask('/people/7')).json).toEqual(middle)
    expect((await server.ask('/1.0.0/people/7')).status).toBe(404)
    expect((await server.ask('/people/7', { headers: { 'API-Version': '1.0.0' } })).json).toEqual(middle)
    const chosen = await server.ask('/people/7', { headers: { 'X-Version': '1.0.0' } })
    expect(chosen.json).toEqual(short)
    expect(chosen.headers).toMatchObject({ 'x-version': '1.0.0' })
    const fixed = await start({ versionHeader: false })
    const answer = await fixed.ask('/persons/7', { headers: { 'API-Version': '1.0.0' } })
    expect(answer.json).toEqual(long)
  })

  test('a sunset is announced by headers before its day, and answered with 410 after it', async () => {
    const ahead = await start({ sunsets: { '1.0.0': { day: '2999-06-30', deprecated: '2026-01-01' } } })
    const soon = await ahead.ask('/1.0.0/people/7')
    expect(soon.json).toEqual(short)
    expect(soon.headers).toMatchObject({
      deprecation: '@1767225600',
      sunset: 'Sun, 30 Jun 2999 00:00:00 GMT',
      'api-successor-version': '1.1.0',
    })
    expect((await ahead.ask('/1.1.0/people/7')).headers.sunset).toBeUndefined()
    const undated = await start({ sunsets: { '1.1.0': { day: '2999-06-30' } } })
    const { headers } = await undated.ask('/1.1.0/people/7')
    expect(headers).toMatchObject({ sunset: 'Sun, 30 Jun 2999 00:00:00 GMT' })
    expect(headers.deprecation).toBeUndefined()
    const discovered = await ahead.ask('/1.0.0', { method: 'POST', body: call('rpc.discover') })
    expect(discovered.json.result.info).toEqual({ 'x-sunset': '2999-06-30' })
    const past = await start({ sunsets: { '1.0.0': { day: '2026-01-31', successor: '2.0.0-rc.1' } } })
    const problem = {
      status: 410,
      code: 'version_sunset',
      detail: 'Version 1.0.0 is no longer served since 2026-01-31. Use version 2.0.0-rc.1.',
      sunset: '2026-01-31',
      successor: '2.0.0-rc.1',
    }
    const gone = await past.ask('/1.0.0/people/7')
    expect([gone.status, gone.json]).toMatchObject([410, problem])
    const overRpc = await past.ask('/1.0.0', { method: 'POST', body: call('people.get', { id: 7 }) })
    expect(overRpc.json).toMatchObject({ id: 1, error: { code: -32010, data: problem } })
  })
})

test('a principal may be pinned to a version, which path and header override', async () => {
  const secured = (contract: typeof v1) =>
    contractOf(
      { 'me.get': { method: 'GET', path: '/me', params: closed({}), result: text, security: [{ key: [] }] } },
      {
        version: contract.version,
        securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' } },
      },
    )
  const known: Readonly<Record<string, string>> = {
    old: '1.0.0',
    short: 'v1.0',
    over: '0.9',
    odd: '__proto__',
  }
  const logged: string[] = []
  const server = await served(
    serveNode(
      createVersions<unknown, { version?: string }>({
        versions: [v1, v1_1].map((contract) => ({ contract: secured(contract) })),
        adapters: {},
        handlers: { me: { get: () => 'me' } },
        authenticate: ({ key }) => {
          if (key === 'bad') throw new ProblemError('invalid_api_key')
          if (key === 'later') return Promise.resolve({ version: 'broken' })
          return key === 'new' ? {} : { version: known[key as string] ?? 'broken' }
        },
        versionOf({ version }) {
          if (version === 'broken') throw new Error('no such account')
          return version
        },
        logger: { error: (_, message) => logged.push(message), warn: () => {} },
      }),
    ),
  )
  const versionFor = async (headers: Record<string, string>, path = '/me') =>
    (await server.ask(path, { headers })).headers['api-version']
  expect(await versionFor({ 'X-Api-Key': 'old' })).toBe('1.0.0')
  expect(await versionFor({ 'X-Api-Key': 'new' })).toBe('1.1.0')
  expect(await versionFor({ 'X-Api-Key': 'bad' })).toBe('1.1.0')
  expect(await versionFor({})).toBe('1.1.0')
  expect(await versionFor({ 'X-Api-Key': 'old', 'API-Version': '1.1.0' })).toBe('1.1.0')
  expect(await versionFor({ 'X-Api-Key': 'old' }, '/1.1.0/me')).toBe('1.1.0')
  expect(await versionFor({ 'X-Api-Key': 'new' }, '/V1.0/me')).toBe('1.0.0')
  expect(await versionFor({ 'X-Api-Key': 'short' })).toBe('1.0.0')
  expect(logged).toEqual([])
  // Nobody gets another version unasked.
  for (const key of ['over', 'odd']) {
    const answer = await server.ask('/me', { headers: { 'X-Api-Key': key } })
    expect(answer.json).toMatchObject({ status: 404, code: 'unknown_operation' })
    expect(logged.pop()).toBe(`versionOf answered "${known[key]}". Versions: 1.0.0, 1.1.0.`)
  }
  // An error of the hook is the call's.
  for (const key of ['at once', 'later']) {
    const answer = await server.ask('/me', { headers: { 'X-Api-Key': key } })
    expect(answer.json).toMatchObject({ status: 500, code: 'internal_error' })
  }
})

test.each([true, false])(
  'versions may have base paths of their own (versionInPath: %s)',
  async (versionInPath) => {
    const at = (version: string, basePath: string) => ({
      contract: contractOf(
        { 'name.get': { method: 'GET', path: '/name', params: closed({}), result: text } },
        { version, basePath },
      ),
    })
    const server = await served(
      serveNode(
        createVersions({
          versions: [at('1.0.0', '/v1'), at('1.1.0', '/v1'), at('2.0.0', '/v2')],
          adapters: {},
          handlers: { name: { get: () => 'Ada' } },
          versionInPath,
          logger: false,
        }),
      ),
    )
    const versionOf = async (path: string, headers = {}) => {
      const { status, headers: answered } = await server.ask(path, { headers })
      return [status, answered['api-version']]
    }
    expect(await versionOf('/v1/name')).toEqual([200, '1.1.0'])
    expect(await versionOf('/v2/name')).toEqual([200, '2.0.0'])
    // As the client of 1.0.0 calls.
    expect(await versionOf('/v1/name', { 'API-Version': '1.0.0' })).toEqual([200, '1.0.0'])
    expect((await versionOf('/v2/name', { 'API-Version': '1.0.0' }))[0]).toBe(versionInPath ? 400 : 404)
  },
)

test.each([
  [['1.9.0', '1.10.0']],
  [['2.0.0-rc.2', '2.0.0-rc.10', '2.0.0']],
  [['2024-05-01', '2024-10-01']],
  [['spring', 'autumn']],
])('%j is from the oldest to the newest', (names) => {
  const versions = names.map((version) => ({ contract: contractOf({}, { version }) }))
  expect(createVersions({ versions, adapters: {}, handlers: {}, logger: false }).names).toEqual(names)
})

test('calls in process choose their version by name', async () => {
  const versions = create()
  const people = (version: string) =>
    versions.api<Record<string, { params: unknown; result: unknown }>>(version).call('people.get', { id: 7 })
  expect(await people('1.0.0')).toEqual({ id: 7, name: 'Ada Lovelace' })
  expect(await people('2.0.0-rc.1')).toMatchObject({ given: 'Ada' })
  expect(versions.names).toEqual(['1.0.0', '1.1.0', '2.0.0-rc.1'])
})

test.each([
  [
    'an operation without a counterpart',
    { adapters: { ...adapters, '1.0.0': {} } },
    'fax.send of 1.0.0 has no counterpart fax.send in 1.1.0. The adapter from 1.0.0 to 1.1.0 needs an entry for it: run duet adapt.',
  ],
  [
    'an entry for an operation that there is not',
    { adapters: { ...adapters, '1.1.0': { ...adapters['1.1.0'], 'people.move': 'identity' } } },
    'The adapter from 1.1.0 to 2.0.0-rc.1 has an entry for people.move, which 1.1.0 does not have',
  ],
  [
    'an unknown default',
    { defaultVersion: '3.0.0' },
    'There is no version 3.0.0. Versions: 1.0.0, 1.1.0, 2.0.0-rc.1.',
  ],
  [
    'a sunset of an unknown version',
    { sunsets: { '3.0.0': { day: '2027-01-31' } } },
    'There is no version 3.0.0.',
  ],
  [
    'a sunset on a day that there is not',
    { sunsets: { '1.0.0': { day: '2027-06-31' } } },
    'which is not like 2027-06-30',
  ],
  ['a sunset without a day', { sunsets: { '1.0.0': { day: 'soon' } } }, 'which is not like 2027-06-30'],
  ['one version twice', { versions: [{ contract: v2 }, { contract: v2 }] }, 'two versions 2.0.0-rc.1'],
  [
    'adapters of a version that there is not',
    { adapters: { ...adapters, '0.9.0': {} } },
    'There is no version 0.9.0',
  ],
  [
    'another order',
    { versions: [{ contract: v1_1 }, { contract: v1 }, { contract: v2 }] },
    'from the oldest to the newest, but 1.1.0 is before 1.0.0. Change their order.',
  ],
  [
    'a release before its own prerelease',
    {
      versions: ['2.0.0', '2.0.0-rc.1'].map((version) => ({ contract: contractOf({}, { version }) })),
      adapters: {},
    },
    'but 2.0.0 is before 2.0.0-rc.1',
  ],
  [
    'adapters of the newest version',
    { adapters: { ...adapters, '2.0.0-rc.1': {} } },
    'adapters has an entry for 2.0.0-rc.1, the newest version',
  ],
  [
    'a problem code that there is not',
    { adapters: { ...adapters, '1.0.0': { ...adapters['1.0.0'], 'fax.send': { gone: 'fax_under' } } } },
    'The adapter from 1.0.0 to 1.1.0 answers fax_under to fax.send, which 1.0.0 does not have.',
  ],
  [
    'a problem that becomes a code that there is not',
    {
      adapters: {
        ...adapters,
        '1.1.0': { ...adapters['1.1.0'], 'people.get': { problems: { secret: 'hidden' } } },
      },
    },
    'answers hidden to people.get, which 1.1.0 does not have',
  ],
  [
    'a successor that is the version itself',
    { sunsets: { '1.0.0': { day: '2027-01-31', successor: '1.0.0' } } },
    'The successor of version 1.0.0 is 1.0.0. Name a version after it, or none.',
  ],
  ['no version', { versions: [] }, 'createVersions needs at least one version'],
])('%s is refused at the start', (_, more, message) => {
  expect(() => create(more)).toThrow(message)
})
