// @module-tag long

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Served, serveNode } from '../../runtime/fixtures/serve.js'
import { type KitchenSink, startKitchenSink } from '../kitchen-sink/service.js'
import { type RunningService, startService } from '../service-process.js'
import { hostileEnvelopes, hostileRequests } from './hostile-requests.js'
import { type Answered, type Loose, send } from './target.js'

const isLong = process.env.SECURITY === 'all'
const runs = (usual: number, long: number) => ({
  numRuns: isLong ? long : usual,
  interruptAfterTimeLimit: 1_500_000,
})
const timeout = isLong ? 1_800_000 : 60_000

/** No answer takes longer, for any request. */
const longestMs = 50_000

/** Checks that the answer is no internal error, and that it names the fault. */
function judge({ status, headers, text, json }: Answered, method: string): void {
  expect(status).toBeLessThan(500)
  if (status < 400 || method === 'HEAD') return
  expect(headers['content-type']).toMatch(/^application\/(problem\+)?json/)
  // JSON-RPC wraps the problem in an envelope, where the HTTP status may be 200.
  expect(json.error?.data ?? json).toMatchObject({
    status,
    code: expect.any(String),
    title: expect.any(String),
  })
  expect(text).not.toMatch(/node_modules|\.ts:\d|at Object|SyntaxError|TypeError/)
}

function judgeEnvelopes({ status, text, json }: Answered): void {
  expect([200, 204, 401, 413]).toContain(status)
  if (status === 204) return
  for (const envelope of Array.isArray(json) ? json : [json]) {
    expect(envelope).toMatchObject({ jsonrpc: '2.0' })
    expect(Object.hasOwn(envelope, 'result')).not.toBe(Object.hasOwn(envelope, 'error'))
    if (envelope.error !== undefined) {
      expect(envelope.error.data.code).not.toBe('internal_error')
      expect(envelope.error).toMatchObject({ code: expect.any(Number), message: expect.any(String) })
    }
  }
  expect(text).not.toMatch(/node_modules|\.ts:\d|at Object|SyntaxError|TypeError/)
}

async function inTime(ask: () => Promise<Answered>): Promise<Answered> {
  const start = performance.now()
  const answer = await ask()
  expect(performance.now() - start).toBeLessThan(longestMs)
  return answer
}

describe('any input to every style of parameter and kind of body', () => {
  let sink: KitchenSink
  let served: Served
  let heap: number
  const names = [
    ...[
      'charges.create',
      'files.upload',
      'files.replace',
      'files.get',
      'notes.replace',
      'jobs.start',
      'search.run',
    ],
    ...[
      'search.beta',
      'matrix.get',
      'avatars.create',
      'secrets.list',
      'cached.get',
      'touched.get',
      'labels.set',
    ],
    ...['users.replace', 'lookups.list', 'lines.stream', 'events.stream'],
  ]
  const paths = [
    ...[
      '/charges',
      '/files',
      '/files/{}',
      '/notes',
      '/jobs',
      '/search',
      '/search?beta=true',
      '/matrix/{}/{}',
    ],
    ...[
      '/matrix/;x=1;y=2/.a.b',
      '/avatars',
      '/secrets',
      '/cached',
      '/labels/{}',
      '/users/{}/',
      '/lookups',
      '/',
    ],
  ].map((path) => `/api/v2${path}`)
  beforeAll(async () => {
    sink = await startKitchenSink()
    const handlers: Record<string, Record<string, () => null>> = {}
    for (const name of names) {
      const [group = '', member = ''] = name.split('.')
      handlers[group] = { ...handlers[group], [member]: () => null }
    }
    // Tests everything before the handlers, whose results do not matter.
    served = await serveNode(sink.api({ handlers, validateResponses: false }))
    heap = process.memoryUsage().heapUsed
  })
  afterAll(async () => {
    await served?.close()
    await sink?.stop()
    expect(process.memoryUsage().heapUsed - heap).toBeLessThan(500_000_000)
  })

  test('over REST is answered, and with no fault of the service', { timeout }, async () => {
    const url = `http://127.0.0.1:${served.port}`
    await fc.assert(
      fc.asyncProperty(hostileRequests(paths), async ({ path, ...sent }) => {
        judge(await inTime(() => send(url, path, sent)), sent.method ?? 'GET')
      }),
      runs(120, 55_000),
    )
  })

  test('over JSON-RPC is answered, and with no fault of the service', { timeout }, async () => {
    const url = `http://127.0.0.1:${served.port}`
    await fc.assert(
      fc.asyncProperty(hostileEnvelopes(names), async (body) => {
        judgeEnvelopes(await inTime(() => send(url, '/api/v2/', { method: 'POST', body })))
      }),
      runs(80, 35_000),
    )
  })
})

describe('any input to the billing service', () => {
  let service: RunningService
  let headers: Record<string, string>
  let paths: string[]
  let methods: string[]
  beforeAll(async () => {
    service = await startService({
      RATE_LIMIT: '0',
      PROCESSOR_SHARE: '0',
      FAILURE_LIMIT: '0',
      ANONYMOUS_LIMIT: '0',
      LOG_LEVEL: 'error',
    })
    headers = { 'x-api-key': service.user('reseller-a').apiKey }
    const document: Loose = (await send(service.url, '/openapi.json')).json
    paths = Object.keys(document.paths).map((path) => path.replaceAll(/\{[^}]*\}/g, '{}'))
    const { methods: described } = (await send(service.url, '/openrpc.json')).json
    methods = described.map(({ name }: Loose) => name)
  })
  afterAll(async () => {
    await service?.stop()
    service?.remove()
  })

  test('over REST is answered, and with no fault of the service', { timeout }, async () => {
    await fc.assert(
      fc.asyncProperty(hostileRequests([...paths, '/clients/1', '/healthz']), async ({ path, ...sent }) => {
        const own = { ...sent, headers: { ...sent.headers, ...headers } }
        judge(await inTime(() => send(service.url, path, own)), sent.method ?? 'GET')
      }),
      runs(60, 6_000),
    )
    expect((await send(service.url, '/clients/1', { headers })).status).toBe(200)
  })

  test('over JSON-RPC is answered, and with no fault of the service', { timeout }, async () => {
    // Hashing a password takes a tenth of a second, so other tests cover it.
    const quick = methods.filter((name) => name !== 'iam.auth.jwt.authenticate')
    await fc.assert(
      fc.asyncProperty(hostileEnvelopes(quick), async (body) => {
        judgeEnvelopes(await inTime(() => send(service.url, '/', { method: 'POST', headers, body })))
      }),
      runs(60, 4_000),
    )
    expect((await send(service.url, '/clients/1', { headers })).status).toBe(200)
  })
})
