import { describe, expect, test } from 'vitest'
import { contractOf, type Definition, parameter } from './fixtures/contract.js'
import { type Served, served, serveFetch, serveNode } from './fixtures/serve.js'
import { createVersions, ProblemError, type Reply } from './index.js'

const closed = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
})
const text = { type: 'string' }
const number = { type: 'integer' }
const id = parameter('id', ['integer'], { in: 'path' })
const get = (path: string, result: object, params: object = closed({ id: number })): Definition => ({
  method: 'GET',
  path,
  parameters: [id],
  params,
  result,
})

const v1 = contractOf(
  {
    'people.get': get('/people/{id}', closed({ id: number, name: text })),
    'people.list': { method: 'GET', path: '/people', params: closed({}), result: { type: 'array' } },
    'people.merge': {
      path: '/merge',
      params: closed({ ids: { type: 'array', items: number } }),
      result: text,
    },
    'fax.send': { path: '/fax', params: closed({}), result: {} },
  },
  { version: '1.0.0', errors: { fax_over: { title: 'No fax', status: 410, rpc: -32050 } } },
)
const v1_1 = contractOf(
  {
    'people.get': get('/people/{id}', closed({ id: number, name: text, age: number })),
    'people.list': { method: 'GET', path: '/people', params: closed({}), result: { type: 'array' } },
    'people.merge': {
      path: '/merge',
      params: closed({ ids: { type: 'array', items: number } }),
      result: text,
    },
  },
  { version: '1.1.0' },
)
const v2 = contractOf(
  {
    'people.get': {
      ...get(
        '/persons/{id}',
        closed({ id: number, given: text, family: text, age: number }),
        closed({ id: number, shape: { enum: ['short', 'long'], default: 'long' } }, ['id']),
      ),
      statuses: [200, 203],
    },
    'people.search': {
      method: 'GET',
      path: '/persons',
      params: closed({ limit: { ...number, maximum: 2, default: 2 }, offset: { ...number, default: 0 } }, []),
      result: { type: 'array' },
    },
  },
  {
    version: '2.0.0-rc.1',
    errors: {
      too_young: { title: 'Too young', status: 404, rpc: -32061 },
      teapot: { title: 'A teapot', status: 418, rpc: -32062 },
      secret: { title: 'Secret', status: 403, rpc: -32063 },
    },
  },
)

const names = ['Ada', 'Grace', 'Edsger', 'Barbara', 'Donald']
const seen: unknown[] = []
const handlers = {
  people: {
    get(params: { id: number }, context: { operation: string; reply: Reply }) {
      seen.push({ params, operation: context.operation })
      if (params.id === 18) throw new ProblemError('too_young', { detail: 'Under age.' })
      if (params.id === 19) throw new ProblemError('teapot')
      if (params.id === 20) throw new ProblemError('secret')
      if (params.id === 60) context.reply.header('Cache-Control', 'max-age=60')
      if (params.id === 203) context.reply.status(203).header('X-Source', 'cache')
      return { id: params.id, given: 'Ada', family: 'Lovelace', age: 36 }
    },
    search: ({ limit, offset }: { limit: number; offset: number }) => names.slice(offset, offset + limit),
  },
}

type Person = { given: string; family: string; name: string; age: number }
const adapters = {
  '1.0.0': {
    'people.get': { result: ({ age: _, ...person }: Person) => person },
    'people.list': 'identity',
    'fax.send': { gone: 'fax_over', detail: 'Nobody has one.' },
  },
  '1.1.0': {
    'people.get': {
      params: (params: object) => ({ ...params, shape: 'short' }),
      result: ({ given, family, ...person }: Person) => ({ ...person, name: `${given} ${family}` }),
      problems: { secret: 'not_found' },
    },
    'people.list': {
      async handle(
        _params: unknown,
        _context: unknown,
        call: (name: string, params: unknown) => Promise<unknown>,
      ) {
        const all: unknown[] = []
        for (let offset = 0; offset < 6; offset += 2)
          all.push(...((await call('people.search', { offset })) as unknown[]))
        return all
      },
    },
    'people.merge': { gone: 'not_implemented' },
  },
} as const

const create = (more: object = {}) =>
  createVersions<unknown, { plan?: string }>({
    versions: [{ contract: v1 }, { contract: v1_1 }, { contract: v2 }],
    handlers,
    adapters,
    logger: false,
    ...more,
  })
const call = (method: string, params: object = {}, callId: object = { id: 1 }) => ({
  jsonrpc: '2.0',
  ...callId,
  method,
  params,
})

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
    const batch = [call('people.get', { id: 7 }), call('people.get', { id: 7 }, {}), 1]
    expect((await server.rpc(batch, headers)).json).toMatchObject([
      { id: 1, error: { code: -32601, data: problem } },
      { id: null, error: { code: -32600 } },
    ])
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

  test('each step converts params, with the defaults of the next version, and results', async () => {
    const server = await start()
    seen.length = 0
    await server.ask('/1.0.0/people/7')
    await server.ask('/persons/7')
    expect(seen).toEqual([
      { params: { id: 7, shape: 'short' }, operation: 'people.get' },
      { params: { id: 7, shape: 'long' }, operation: 'people.get' },
    ])
  })

  test.each([
    [18, 'not_found', 404, -32004, 'Under age.'],
    [19, 'invalid_request', 400, -32600, undefined],
    [20, 'not_found', 404, -32004, undefined],
  ])(
    'a problem of person %i that an older version does not have becomes %s',
    async (person, code, status, rpc, detail) => {
      const server = await start()
      expect((await server.ask(`/1.0.0/people/${person}`)).json).toMatchObject({ code, status })
      const { json } = await server.ask('/1.0.0', {
        method: 'POST',
        body: call('people.get', { id: person }),
      })
      expect(json.error).toMatchObject({ code: rpc, data: { code } })
      expect(json.error.data.detail).toBe(detail)
    },
  )

  test('an operation that is gone fails with the declared problem', async () => {
    const server = await start()
    const answer = await server.ask('/1.0.0/fax', { method: 'POST', body: {} })
    expect(answer.json).toMatchObject({ status: 410, code: 'fax_over', detail: 'Nobody has one.' })
    expect((await server.ask('/2.0.0-rc.1/fax', { method: 'POST', body: {} })).status).toBe(404)
  })

  test('a reply reaches callers of an older version, but for a status that it does not have', async () => {
    const server = await start()
    const newest = await server.ask('/persons/203')
    expect([newest.status, newest.headers['x-source']]).toEqual([203, 'cache'])
    const older = await server.ask('/1.0.0/people/203')
    expect([older.status, older.headers['x-source']]).toEqual([200, 'cache'])
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('no such shape')
      },
      'failed',
    ],
    [
      'rejects',
      async () => {
        throw new Error('no such shape')
      },
      'failed',
    ],
    [
      'returns invalid params',
      () => ({ id: 7, shape: 'round' }),
      'returned invalid params for people.get: /shape must be one of short, long',
    ],
  ])(
    'an adapter that %s is an internal_error, logged with both versions and the operation',
    async (_name, params, fault) => {
      const errors: string[] = []
      const logger = { warn: () => {}, error: ({ err }: { err: Error }) => errors.push(err.message) }
      const broken = { ...adapters, '1.1.0': { ...adapters['1.1.0'], 'people.get': { params } } }
      const server = await start({ adapters: broken, logger })
      expect((await server.ask('/1.1.0/people/7')).json).toMatchObject({
        status: 500,
        code: 'internal_error',
      })
      expect(errors[0]).toContain(`The adapter of people.get from 1.1.0 to 2.0.0-rc.1 ${fault}`)
    },
  )
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
  const server = await served(
    serveNode(
      createVersions<unknown, { version?: string }>({
        versions: [v1, v1_1].map((contract) => ({ contract: secured(contract) })),
        adapters: {},
        handlers: { me: { get: () => 'me' } },
        authenticate: ({ key }) => {
          if (key === 'bad') throw new ProblemError('invalid_api_key')
          return key === 'old' ? { version: '1.0.0' } : {}
        },
        versionOf: ({ version }) => version,
        logger: false,
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

test('datetimes and int64 integers reach the next version as its handlers have them', async () => {
  const int64 = { as: 'bigint', params: [{ properties: { n: 1 } }, { int64: true }] } as const
  const datetimes = { params: [{ properties: { at: 1 } }, { datetime: true }] } as const
  const withInt64 = (contract: typeof v1) => {
    const [name = '', operation] = Object.entries(contract.operations)[0] ?? []
    return { ...contract, operations: { [name]: { ...operation, int64 } } } as typeof v1
  }
  const dated = (required: string[]) => ({
    ...closed({ n: {}, at: { type: 'string' }, kind: { default: 'plain' } }, required),
  })
  const older = withInt64(contractOf({ 'day.find': { params: dated(['n', 'at']), result: text } }))
  const next = withInt64(
    contractOf({ 'day.find': { params: dated(['n', 'at']), result: text, datetimes } }, { version: '2.0.0' }),
  )
  const received: unknown[] = []
  const versions = createVersions({
    versions: [{ contract: older }, { contract: next }],
    adapters: {},
    handlers: {
      day: {
        find(params: unknown) {
          received.push(params)
          return 'found'
        },
      },
    },
    logger: false,
  })
  const n = 9_007_199_254_740_993n
  const find = versions.api<Record<string, { params: unknown; result: unknown }>>('1.0.0').call
  await find('day.find', { n, at: '2026-03-01T12:00:00' }, { timezone: 'Europe/Berlin' })
  expect(received).toEqual([{ n, at: '2026-03-01T11:00:00Z', kind: 'plain' }])
})

test('each piece of a stream is converted', async () => {
  const watch: Definition = {
    method: 'GET',
    path: '/watch',
    params: closed({}),
    answers: [{ type: 'text/event-stream', kind: 'events' }],
  }
  const errors: string[] = []
  const server = await served(
    serveNode(
      createVersions({
        versions: [
          { contract: contractOf({ 'jobs.watch': watch }) },
          { contract: contractOf({ 'jobs.watch': watch }, { version: '2.0.0' }) },
        ],
        adapters: {
          '1.0.0': {
            'jobs.watch': {
              piece: ({ id, state }: { id: number; state?: string }) => {
                if (state === undefined) throw new Error('no state')
                return { id, done: state === 'done' }
              },
            },
          },
        },
        handlers: {
          jobs: {
            async *watch() {
              yield { id: 1, state: 'done' }
              yield { id: 2, state: 'new' }
              yield { id: 3 }
            },
          },
        },
        logger: { warn: () => {}, error: ({ err }: { err?: unknown }) => errors.push(String(err)) },
      }),
    ),
  )
  const newest = await server.ask('/2.0.0/watch')
  expect(newest.text).toBe(
    'data: {"id":1,"state":"done"}\n\ndata: {"id":2,"state":"new"}\n\ndata: {"id":3}\n\n',
  )
  const older = await fetch(`http://127.0.0.1:${server.port}/1.0.0/watch`)
  const reader = older.body?.getReader()
  let read = ''
  const toEnd = async () => {
    for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read())
      read += Buffer.from(piece.value).toString()
  }
  await expect(toEnd()).rejects.toThrow()
  expect(read).toBe('data: {"id":1,"done":true}\n\ndata: {"id":2,"done":false}\n\n')
  expect(errors).toEqual(['AdapterError: The adapter of jobs.watch from 1.0.0 to 2.0.0 failed'])
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
  ['a sunset without a day', { sunsets: { '1.0.0': { day: 'soon' } } }, 'which is not like 2027-06-30'],
  ['one version twice', { versions: [{ contract: v2 }, { contract: v2 }] }, 'two versions 2.0.0-rc.1'],
  [
    'adapters of a version that there is not',
    { adapters: { ...adapters, '0.9.0': {} } },
    'There is no version 0.9.0',
  ],
  ['no version', { versions: [] }, 'createVersions needs at least one version'],
])('%s is refused at the start', (_, more, message) => {
  expect(() => create(more)).toThrow(message)
})
