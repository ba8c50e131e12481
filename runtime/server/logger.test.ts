import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { LogDetails, Logger } from '../contract/logger.js'
import { billing, key } from '../fixtures/billing.js'
import { type AnyTypes, contractOf } from '../fixtures/contract.js'
import { served, serveNode } from '../fixtures/serve.js'
import { createApiOf } from '../server.js'

type Entry = readonly [level: string, details: LogDetails, message: string]

/** The billing api without the warning of its operation that has no handler. */
function quietBilling(options: Parameters<typeof billing>[0], entries: Entry[]): ReturnType<typeof billing> {
  const api = billing(options)
  expect(entries.splice(0)).toHaveLength(1)
  return api
}

function collecting(): { readonly logger: Logger; readonly entries: Entry[] } {
  const entries: Entry[] = []
  const into = (level: string) => (details: LogDetails, message: string) =>
    void entries.push([level, details, message])
  return { logger: { error: into('error'), warn: into('warn') }, entries }
}

test.each([
  ['that throws', 'faults.throw', 'Error: secret 4711'],
  ['that throws a code that is not in the document', 'faults.unlisted', 'ProblemError: secret 4711'],
  [
    'whose result is invalid',
    'faults.result',
    'InvalidResultError: faults.result returned an invalid result: must be integer',
  ],
])(
  'logs a handler %s, over both protocols, with details that the caller does not see',
  async (_, name, error) => {
    const { logger, entries } = collecting()
    const server = await served(serveNode(quietBilling({ logger }, entries)))
    const answer = await server.ask(`/${name.replace('.', '/')}`, { headers: { 'X-Request-Id': 'r-1' } })
    expect(answer.text).not.toContain('4711')
    await server.rpc({ jsonrpc: '2.0', id: 1, method: name }, { 'X-Request-Id': 'r-2' })
    expect(
      entries.map(([level, { err, ...about }, message]) => [level, about, String(err), message]),
    ).toEqual([
      ['error', { operation: name, protocol: 'rest', requestId: 'r-1' }, error, 'A call failed'],
      ['error', { operation: name, protocol: 'jsonrpc', requestId: 'r-2' }, error, 'A call failed'],
    ])
  },
)

test.each([
  ['a handler throws', { get: () => Promise.reject() }, undefined],
  ['around throws', { get: () => null }, () => Promise.reject()],
])('logs that %s undefined, and tells onCall', async (_, things, around) => {
  const { logger, entries } = collecting()
  const events: unknown[] = []
  const onCall = ({ error }: { error?: unknown }) => void events.push(String(error))
  const options = { handlers: { things }, logger, onCall, ...(around && { around }) }
  const api = createApiOf<AnyTypes, unknown, unknown, string>(contractOf({ 'things.get': {} }), options)
  await expect(api.call('things.get', {})).rejects.toMatchObject({ code: 'internal_error' })
  expect(entries.map(([level, { err }, message]) => [level, String(err), message])).toEqual([
    ['error', 'Error: undefined was thrown', 'A call failed'],
  ])
  expect(events).toEqual(['Error: undefined was thrown'])
})

test('does not log errors of callers', async () => {
  const { logger, entries } = collecting()
  const api = quietBilling({ logger }, entries)
  const server = await served(serveNode(api))
  await server.ask('/clients/x', { headers: key })
  await server.ask('/clients/7')
  await server.ask('/faults/problem')
  await server.ask('/nothing')
  await server.rpc('{')
  expect(entries).toEqual([])
})

test('does not log a call that its caller aborted, unless its handler throws another error', async () => {
  const { logger, entries } = collecting()
  const contract = contractOf({ 'jobs.wait': {}, 'jobs.fail': {} })
  const ended = ({ signal }: { signal: AbortSignal }) =>
    new Promise((resolve) => signal.addEventListener('abort', resolve))
  const handlers = {
    jobs: {
      wait: (_: unknown, call: { signal: AbortSignal }) =>
        ended(call).then(() => call.signal.throwIfAborted()),
      fail: (_: unknown, call: { signal: AbortSignal }) =>
        ended(call).then(() => Promise.reject(new Error('no disk'))),
    },
  }
  const api = createApiOf<AnyTypes, unknown, unknown, string>(contract, { handlers, logger })
  for (const name of ['jobs.wait', 'jobs.fail']) {
    const caller = new AbortController()
    const call = api.call(name, {}, { signal: caller.signal })
    caller.abort()
    await expect(call).rejects.toMatchObject({ code: 'internal_error' })
  }
  expect(entries.map(([, { err }]) => String(err))).toEqual(['Error: no disk'])
})

test('logs an unknown zone and a hook that throws', async () => {
  const { logger, entries } = collecting()
  const onCall = () => {
    throw new Error('no disk')
  }
  await quietBilling({ logger, onCall, timezone: () => 'Mars/Base' }, entries).call(
    'clients.get',
    { id: 7 },
    { principal: { name: 'good' } },
  )
  expect(entries.map(([level, { err }, message]) => [level, String(err), message])).toEqual([
    ['warn', 'undefined', 'The time zone of the principal is unknown: "Mars/Base"'],
    ['error', 'Error: no disk', 'onCall failed'],
  ])
})

test.each([
  ['text/event-stream', 'events', [{ n: 1 }], 'must be an async iterable of pieces'],
  ['application/jsonl', 'lines', { n: 1 }, 'must be an async iterable of pieces'],
  ['application/pdf', 'binary', 'text', 'must be a Blob, a Uint8Array or a ReadableStream'],
] as const)('says what a handler of %s must return', async (type, kind, result, message) => {
  const { logger, entries } = collecting()
  const of = { 'files.get': { answers: [{ type, kind }], result: { type: 'null' } } }
  const handlers = { files: { get: () => result } }
  const api = createApiOf<AnyTypes, unknown, unknown, string>(contractOf(of), { handlers, logger })
  await expect(api.call('files.get', {})).rejects.toMatchObject({ code: 'internal_error' })
  expect(entries.map(([, { err }]) => String(err))).toEqual([
    `InvalidResultError: files.get returned an invalid result: ${message}`,
  ])
})

test('logs a stream that fails', async () => {
  const { logger, entries } = collecting()
  const contract = contractOf({
    'jobs.watch': { method: 'GET', path: '/jobs', answers: [{ type: 'text/event-stream', kind: 'events' }] },
  })
  const handlers = {
    jobs: {
      async *watch() {
        yield { n: 1 }
        throw new Error('no more jobs')
      },
    },
  }
  const server = await served(
    serveNode(createApiOf<AnyTypes, unknown, unknown, string>(contract, { handlers, logger })),
  )
  await expect(
    fetch(`http://127.0.0.1:${server.port}/jobs`).then((answer) => answer.text()),
  ).rejects.toThrow()
  expect(entries.map(([level, { err }, message]) => [level, String(err), message])).toEqual([
    ['error', 'Error: no more jobs', 'A stream broke off'],
  ])
})

test('a logger that throws fails no call', async () => {
  const error = () => {
    throw new Error('no disk')
  }
  const server = await served(serveNode(billing({ logger: { error, warn: error } })))
  expect((await server.ask('/faults/throw')).status).toBe(500)
})

const program = (body: string) => `
import { jsonLogger } from ${JSON.stringify(new URL('../dist/contract/logger.js', import.meta.url).href)}
${body}`

function run(body: string) {
  return spawn(process.execPath, ['--input-type=module', '--eval', program(body)], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

test('by default a line of JSON goes to standard error, with the stack and its cause', async () => {
  const child = run(`const err = new Error('no client', { cause: new TypeError('x is undefined') })
jsonLogger.error({ operation: 'clients.get', protocol: 'rest', requestId: 'r-1', err }, 'A call failed')
jsonLogger.warn({ protocol: 'rest', requestId: 'r-2', err: 'y'.repeat(100_000) }, 'A hook failed')
const circle = Object.create(null)
circle.circle = circle
for (const err of [{ status: 404 }, Object.assign(Object.create(null), { a: 1 }), circle, null, 7n])
  jsonLogger.error({ protocol: 'rest', requestId: 'r', err }, 'A call failed')`)
  const [first = '', second = '', ...more] = (await text(child.stderr)).trimEnd().split('\n')
  expect(more.map((line) => JSON.parse(line).error)).toEqual([
    ...['{"status":404}', '{"a":1}', '[object Object]', 'null', '7'],
  ])
  expect(JSON.parse(first)).toEqual({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    ...{ level: 'error', message: 'A call failed' },
    ...{ operation: 'clients.get', protocol: 'rest', requestId: 'r-1', error: 'Error: no client' },
    stack: expect.stringMatching(/^Error: no client\n {4}at /),
    cause: expect.stringMatching(/^TypeError: x is undefined\n {4}at /),
  })
  expect(second.length).toBeLessThan(10_000)
})

test('unread lines block nothing', async () => {
  const child = run(`for (let index = 0; index < 10_000; index += 1)
  jsonLogger.error({ protocol: 'rest', requestId: 'r', err: 'x'.repeat(1000) }, 'A call failed')
console.log(process.stderr.writableLength < 2_000_000)
process.exit()`)
  child.stderr.pause()
  const said = await text(child.stdout)
  await once(child, 'exit')
  expect(said).toBe('true\n')
})

test('warns once about operations without a handler, with what the handlers have instead', () => {
  const operations = { 'health.get': {}, 'books.get': {}, 'books.list': {}, 'books.add': {}, ping: {} }
  const warned = (handlers: object): unknown[] => {
    const { logger, entries } = collecting()
    createApiOf<AnyTypes, unknown>(contractOf(operations), { handlers, logger })
    return entries.map(([level, , message]) => [level, message])
  }
  const run = () => undefined
  const books = { get: run, list: run, add: run }
  expect(warned({ health: { get: run }, books, default: { ping: run } })).toEqual([])
  // Handlers of several versions have more than one version needs.
  expect(warned({ health: { get: run, put: run }, books, loans: {}, default: { ping: run } })).toEqual([])
  expect(warned({})).toEqual([
    ['warn', 'No handler for health.get, books.get, books.list and 2 more: calls answer not_implemented.'],
  ])
  expect(
    warned({ health: { gte: run }, books: { ...books, add: 5 }, ping: run, default: { ping: run } }),
  ).toEqual([
    [
      'warn',
      'No handler for health.get, books.add: calls answer not_implemented. health.gte is not an operation, books.add is not a function, ping is not a namespace.',
    ],
  ])
})

test('warns about options that do not exist', () => {
  const { logger, entries } = collecting()
  const options = {
    handlers: { default: { ping: () => undefined } },
    logger,
    loger: console,
    limits: { bodyByte: 4 },
    mcp: { origin: 'https://x' },
  }
  createApiOf<AnyTypes, unknown>(contractOf({ ping: {} }), options as never)
  expect(entries).toEqual([['warn', {}, 'createApi has no option loger, limits.bodyByte, mcp.origin']])
})

const addresses =
  'createApi: mcp.url and mcp.authorizationServers take addresses such as https://api.example.com/mcp'

test.each([
  [{ authenticate: 'x' }, 'createApi: authenticate takes a function'],
  [{ scopes: ['a'] }, 'createApi: scopes takes a function'],
  [{ around: 'x' }, 'createApi: around takes a function'],
  [{ timezone: 'Europe/Madrid' }, 'createApi: timezone takes a function'],
  [{ errors: {} }, 'createApi: errors takes a function'],
  [{ onCall: 1 }, 'createApi: onCall takes a function'],
  [{ mcp: true }, 'createApi: mcp takes an object'],
  [{ mcp: { origins: 'https://x' } }, 'createApi: mcp.origins takes a list of texts'],
  [{ mcp: { origins: ['*'] } }, 'createApi: mcp.origins takes origins such as https://api.example.com'],
  [
    { mcp: { origins: ['https://x/'] } },
    'createApi: mcp.origins takes origins such as https://api.example.com',
  ],
  [
    { mcp: { origins: ['localhost:80'] } },
    'createApi: mcp.origins takes origins such as https://api.example.com',
  ],
  [{ mcp: { url: 'nope' } }, addresses],
  [{ mcp: { url: '/mcp' } }, addresses],
  [{ mcp: { authorizationServers: ['x'] } }, addresses],
  [{ openrpc: 'x' }, 'createApi: openrpc takes an object'],
  [{ shadow: true }, 'createApi: shadow takes an object'],
  [{ work: 5 }, 'createApi: work takes an object'],
  [{ limits: null }, 'createApi: limits takes an object'],
  [{ basePath: 5 }, 'createApi: basePath takes a text'],
  [{ validateResponses: 'no' }, 'createApi: validateResponses takes true or false'],
])('says at the start what an option takes: %j', (options, message) => {
  const create = () => createApiOf(contractOf({ ping: {} }), { handlers: {}, ...options } as never)
  expect(create).toThrow(new TypeError(message))
})

test.each([
  [undefined, 'createApi needs an object with your handlers: createApi({ handlers })'],
  [{}, 'createApi needs an object with your handlers'],
  [{ handlers: {}, logger: {} }, 'needs a logger with the functions error and warn'],
  [{ handlers: {}, logger: null }, 'needs a logger with the functions error and warn'],
  [{ handlers: {}, logger: true }, 'needs a logger with the functions error and warn'],
])('refuses options that no api can be created from: %j', (options, message) => {
  expect(() => createApiOf(contractOf({ ping: {} }), options as never)).toThrow(message)
})
