import { afterAll, describe, expect, test } from 'vitest'
import { serveExpress, serveNode } from '../../runtime/fixtures/serve.js'
import { pixel, startKitchenSink } from './service.js'

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
    expect(() => api({ basePath: 'x' })).toThrow('which is no path')
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
