import { afterAll, describe, expect, test } from 'vitest'
import { serveExpress, serveNode } from '../../runtime/fixtures/serve.js'
import type { CallEvent } from '../../runtime/index.js'
import { pixel, streams } from './handlers.js'
import { startKitchenSink } from './service.js'

const sink = await startKitchenSink()
const { api, served } = sink
const closing = [sink.stop]
afterAll(async () => {
  for (const close of closing) await close()
})

describe('the base path', () => {
  test('is that of the document, for REST and JSON-RPC', async () => {
    expect((await served.ask('/secrets')).status).toBe(404)
    expect((await served.ask('/', { method: 'POST', body: {} })).status).toBe(404)
    expect((await served.ask('/api/v2x/secrets')).status).toBe(404)
    for (const root of ['/api/v2', '/api/v2/']) {
      const body = { jsonrpc: '2.0', id: 1, method: 'jobs.start' }
      expect((await served.ask(root, { method: 'POST', body })).json.result).toEqual({ done: true })
    }
  })

  test('can be another, or none', async () => {
    const other = await serveNode(api({ basePath: '/x' }))
    const none = await serveNode(api({ basePath: '' }))
    closing.push(other.close, none.close)
    expect((await other.ask('/x/events')).status).toBe(200)
    expect((await other.ask('/events')).status).toBe(404)
    expect((await none.ask('/events')).status).toBe(200)
    expect(() => api({ basePath: 'x' })).toThrow('which is not a path')
  })

  test('is taken off by a mount that ends with it, and needs none', async () => {
    for (const [mount, path] of [
      [undefined, '/api/v2/events'],
      ['/api/v2', '/events'],
      ['/outer/api/v2', '/events'],
      ['/outer', '/api/v2/events'],
    ] as const) {
      const under = await serveExpress(api(), mount === undefined ? {} : { mount })
      closing.push(under.close)
      expect((await under.ask(path)).status, `${mount} ${path}`).toBe(200)
    }
  })
})

test('in process, files go in and come out as Blobs and streams are whole', async () => {
  const call = api().call as unknown as (name: string, params: object) => Promise<unknown>
  expect(await call('files.upload', { file: pixel, count: 1 })).toEqual({
    file: { bytes: [...pixel] },
    count: 1,
  })
  expect(await call('files.get', { name: 'bytes' })).toBeInstanceOf(Blob)
  expect(await call('lines.stream', {})).toBe('{"a":1}\n{"a":2}\n')
})

test('a stream that is too long for JSON-RPC is refused there', async () => {
  const small = await serveNode(api({ limits: { answerBytes: 20 } }))
  closing.push(small.close)
  const body = { jsonrpc: '2.0', id: 1, method: 'events.stream', params: { count: 5 } }
  const { json } = await small.ask('/api/v2', { method: 'POST', body })
  expect(json.error.data.code).toBe('payload_too_large')
})

describe('each piece of a stream', () => {
  const streaming = (pieces: readonly unknown[], told: CallEvent<unknown>[] = [], options = {}) =>
    api({
      handlers: {
        lines: {
          stream: async function* () {
            yield* pieces
          },
        },
      },
      onCall: (event: CallEvent<unknown>) => told.push(event),
      ...options,
    })
  const faulty = [{ a: 1 }, { a: 'one' }, { a: 2 }]
  const failed = {
    operation: 'lines.stream',
    code: 'internal_error',
    error: expect.objectContaining({
      name: 'InvalidResultError',
      message: 'lines.stream returned an invalid piece: /a must be integer',
    }),
  }

  test('is valid, or ends the connection and is logged', async () => {
    const told: CallEvent<unknown>[] = []
    const served = await serveNode(streaming(faulty, told))
    closing.push(served.close)
    const response = await fetch(`http://127.0.0.1:${served.port}/api/v2/lines`)
    const [seen, end] = await readAll(response)
    expect([response.status, seen, end]).toEqual([200, '{"a":1}\n', 'broken'])
    expect(told).toMatchObject([{ operation: 'lines.stream' }, failed])
    expect(told[0]).not.toHaveProperty('code')
  })

  test('is valid, or the call that collects them fails', async () => {
    const told: CallEvent<unknown>[] = []
    const served = await serveNode(streaming(faulty, told))
    closing.push(served.close)
    const body = { jsonrpc: '2.0', id: 1, method: 'lines.stream' }
    const { json } = await served.ask('/api/v2', { method: 'POST', body })
    expect(json.error.data.code).toBe('internal_error')
    expect(told).toMatchObject([failed])
  })

  test('is in the zone of the call; bytes are sent as they are', async () => {
    const pieces = [{ at: '2026-01-01T00:00:00Z' }, new TextEncoder().encode('as it is\n')]
    const served = await serveNode(streaming(pieces, [], { systemTimezone: 'Europe/Kyiv' }))
    closing.push(served.close)
    const response = await fetch(`http://127.0.0.1:${served.port}/api/v2/lines`)
    expect(await response.text()).toBe('{"at":"2026-01-01T02:00:00+02:00"}\nas it is\n')
  })

  test('is not validated if results are not', async () => {
    const served = await serveNode(streaming([{ a: 'one' }], [], { validateResponses: false }))
    closing.push(served.close)
    const response = await fetch(`http://127.0.0.1:${served.port}/api/v2/lines`)
    expect(await response.text()).toBe('{"a":"one"}\n')
  })
})

describe('a Web-standard handler', () => {
  const get = (path: string, options = {}) =>
    api(options).fetch(new Request(`http://localhost/api/v2${path}`))

  test('streams no faster than the caller reads, and stops when the caller goes', async () => {
    const ended = new Promise<void>((resolve) => {
      streams.ended = resolve
    })
    const response = await get('/events?count=1000000000')
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const reader = response.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: {"n":1}\n\n')
    await reader?.cancel()
    await ended
    streams.ended = undefined
  })

  test('breaks off a stream whose piece is invalid', async () => {
    const stream = async function* () {
      yield { a: 1 }
      yield { a: 'one' }
    }
    const options = { handlers: { lines: { stream } }, logger: false }
    expect(await readAll(await get('/lines', options))).toEqual(['{"a":1}\n', 'broken'])
  })

  test('answers a file with its length', async () => {
    const response = await get('/files/bytes')
    expect(response.headers.get('content-length')).toBe('6')
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(pixel)
  })
})

/** The text that comes before the end, and what end it is. */
async function readAll({ body }: Response): Promise<[text: string, end: 'whole' | 'broken']> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  try {
    for (;;) {
      const piece = await reader?.read()
      if (piece?.value === undefined) return [text, 'whole']
      text += piece.value
    }
  } catch {
    return [text, 'broken']
  }
}
