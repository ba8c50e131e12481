import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { billing, key } from '../fixtures/billing.js'
import { served, serveExpress, serveNode } from '../fixtures/serve.js'

test.each([
  ['declares far more than the limit', { 'Content-Length': '1000000' }],
  ['waits for 100 and declares more than the limit', { 'Content-Length': '101', Expect: '100-continue' }],
])('a body that %s is refused unread, and its connection ends', async (_, headers) => {
  const server = await served(serveNode(billing({ limits: { bodyBytes: 100 } })))
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const request = http.request(
      { port: server.port, host: '127.0.0.1', path: '/echo', method: 'POST', headers },
      resolve,
    )
    request.on('error', reject)
    request.flushHeaders()
  })
  answer.resume()
  expect([answer.statusCode, answer.headers.connection]).toEqual([413, 'close'])
})

describe('a body that is still arriving when its response is sent', () => {
  /** Sends an endless body until the connection closes. */
  async function stream(port: number, path: string, headers: Record<string, string>) {
    const socket = net.connect(port, '127.0.0.1')
    let answer = ''
    socket.on('data', (data) => {
      answer += data
    })
    socket.on('error', () => undefined)
    const lines = Object.entries({ Host: 'a', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`PATCH ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`
    const send = setInterval(() => socket.writable && socket.write(chunk), 1)
    await new Promise((closed) => socket.on('close', closed))
    clearInterval(send)
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    return { head, body: JSON.parse(body), sent: socket.bytesWritten }
  }
  const limits = { bodyBytes: 20_000 }

  test.each([
    ['without credentials', '/clients/7', { 'Transfer-Encoding': 'chunked' }, 401],
    ['that is far too large', '/clients/7', { 'Transfer-Encoding': 'chunked', ...key }, 413],
    ['of an unknown path', '/nothing', { 'Transfer-Encoding': 'chunked' }, 404],
    ['that declares too much', '/clients/7', { 'Content-Length': '100000000000' }, 401],
  ])('%s is dropped, and its connection ends', async (_, path, headers, status) => {
    const server = await served(serveNode(billing({ limits })))
    const { head, body, sent } = await stream(server.port, path, headers)
    expect([head.split(' ')[1], body.status]).toEqual([String(status), status])
    expect(head.toLowerCase()).toContain('connection: close')
    expect(sent).toBeLessThan(2_000_000)
  })

  test('ends its connection too if the caller sends no more', { tags: 'long' }, async () => {
    const server = await served(serveNode(billing({ limits })))
    const socket = net.connect(server.port, '127.0.0.1').resume()
    socket.write('PATCH /clients/7 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n')
    await once(socket, 'close')
  })

  test('is read completely if its length is within the limit, and the connection stays', async () => {
    const server = await served(serveNode(billing({ limits })))
    const socket = net.connect(server.port, '127.0.0.1')
    socket.write('PATCH /clients/7 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n')
    expect(String(await once(socket, 'data'))).toContain('HTTP/1.1 401')
    socket.write('{   }GET /context HTTP/1.1\r\nHost: a\r\n\r\n')
    expect(String(await once(socket, 'data'))).toContain('HTTP/1.1 200')
    socket.destroy()
  })
})

test.each([
  ['node:http', serveNode],
  ['Express', serveExpress],
])('does not process a request after the last response of its connection (%s)', async (_, serve) => {
  const called: string[] = []
  const api = billing({
    around: (call: { readonly operation: string }, run: () => Promise<unknown>) => {
      called.push(call.operation)
      return run()
    },
  })
  const ending: Pick<typeof api, 'node' | 'express'> = {
    node: () => (request, response) => {
      request.socket.end()
      api.node()(request, response)
    },
    express: () => (request, response, next) => {
      request.socket.end()
      api.express()(request, response, next)
    },
  }
  const server = await served(serve(ending))
  const socket = net.connect(server.port, '127.0.0.1')
  socket.write('GET /context HTTP/1.1\r\nHost: a\r\n\r\n')
  expect(await text(socket)).toBe('')
  expect(called).toEqual([])
})
