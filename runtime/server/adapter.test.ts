import { describe, expect, test } from 'vitest'
import { builtInErrors } from '../contract/catalogue.js'
import { contractOf, type Definition } from '../fixtures/contract.js'
import { type Served, served, serveFetch, serveNode } from '../fixtures/serve.js'
import { adapters, call, closed, create, seen, text, type v1 } from '../fixtures/versions.js'
import { createVersions } from '../index.js'
import { codesByStatus, olderCodes } from './adapter.js'

describe.each([
  ['node:http', (versions: ReturnType<typeof create>) => served(serveNode(versions))],
  ['fetch', (versions: ReturnType<typeof create>) => served(serveFetch(versions))],
])('adapters under %s', (_, serve) => {
  const start = (more?: object): Promise<Served> => serve(create(more))
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

  test('an invalid result names the version of the call and that of the handler, in the error and the log', async () => {
    const lines: object[] = []
    const logger = { warn: () => {}, error: (line: object) => lines.push(line) }
    const noName = { 'people.get': { result: ({ id }: { id: number }) => ({ id }) } }
    const broken = {
      '1.0.0': adapters['1.0.0'],
      '1.1.0': { ...adapters['1.1.0'], ...noName, 'people.merge': { handle: () => 7 } },
    }
    const server = await start({ adapters: broken, logger })
    const of = async (path: string, options: object = {}) => {
      lines.length = 0
      expect((await server.ask(path, options)).status).toBe(500)
      return lines
    }
    const error = (message: string) => ({ err: expect.objectContaining({ message }) })
    const name = "people.get returned an invalid result: /name must have required property 'name'"
    const newest = { version: '1.0.0', handledBy: '2.0.0-rc.1', operation: 'people.get' }
    expect(await of('/1.0.0/people/7')).toMatchObject([
      { ...newest, ...error(`${name} (called as 1.0.0, handled by 2.0.0-rc.1)`) },
    ])
    const own = 'the adapter from 1.1.0 to 2.0.0-rc.1'
    expect(await of('/1.0.0/merge', { method: 'POST', body: { ids: [1] } })).toMatchObject([
      {
        ...{ version: '1.0.0', handledBy: own, operation: 'people.merge' },
        ...error(
          `people.merge returned an invalid result: must be string (called as 1.0.0, handled by ${own})`,
        ),
      },
    ])
  })
})

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

/**
 * Codes of the runtime itself, and those of a whole class of statuses: a handler's code never becomes one by its
 * status.
 */
const ofRuntime = [
  'parse_error',
  'invalid_request',
  'unknown_operation',
  'method_not_allowed',
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
  'internal_error',
  'invalid_api_key',
  'invalid_token',
  'version_sunset',
]

test('knows of each built-in code whether a code of a newer version may become it', () => {
  const known = [...codesByStatus.values(), ...ofRuntime]
  expect(Object.keys(builtInErrors).filter((code) => !known.includes(code))).toEqual([])
  for (const [status, code] of codesByStatus) expect(builtInErrors[code].status).toBe(status)
})

test('turns a code that the older version does not have into the built-in one for its status or class', () => {
  const entry = (status: number) => ({ title: '', status, rpc: -1 })
  expect(
    olderCodes(
      { taken: entry(409), odd: entry(418), broken: entry(599), kept: entry(409) },
      { kept: entry(409) },
    ),
  ).toEqual({ taken: 'conflict', odd: 'invalid_request', broken: 'internal_error' })
})

test('an unknown problem code becomes the older version’s only own code with its status', () => {
  const own = (...codes: string[]) =>
    Object.fromEntries(codes.map((code) => [code, { title: code, status: 423, rpc: -32070 }]))
  expect(olderCodes(own('locked'), own('locked_before'))).toEqual({ locked: 'locked_before' })
  expect(olderCodes(own('locked'), own('one', 'another'))).toEqual({ locked: 'invalid_request' })
  expect(olderCodes(own('locked'), own('locked'))).toEqual({})
  // A record that is gone does not end the caller's version.
  const gone = { thing_gone: { title: 'Gone', status: 410, rpc: -32050 } }
  expect(olderCodes({ ...builtInErrors, ...gone }, builtInErrors)).toEqual({ thing_gone: 'invalid_request' })
})
