import http from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { billing, handlers, key } from '../fixtures/billing.js'
import { served, serveNode } from '../fixtures/serve.js'

test('a handler may set Cache-Control', async () => {
  const any = (_: unknown, { reply }: { reply: { header(name: string, value: string): void } }) => {
    reply.header('Cache-Control', 'max-age=60')
  }
  const server = await served(serveNode(billing({ handlers: { ...handlers, echo: { any } } })))
  const { headers } = await server.ask('/echo', { method: 'POST', body: {} })
  expect(headers['cache-control']).toBe('max-age=60')
})

describe('an answer', () => {
  const texts = ['', 'plain', 'Zürich', '日本', '😀 \ud800']

  test.each(texts)('has its whole content and the length of it, in whatever script: %j', async (text) => {
    const server = await served(serveNode(billing({ handlers: { ...handlers, echo: { any: () => text } } })))
    const { json, headers } = await server.ask('/echo', { method: 'POST', body: {} })
    expect(json).toBe(text)
    expect(headers['content-length']).toBe(String(Buffer.byteLength(JSON.stringify(text))))
  })

  test('passes its headers to writeHead interceptors as an object', async () => {
    const told: unknown[] = []
    const api = billing({}).node()
    const listener = (request: http.IncomingMessage, response: http.ServerResponse) => {
      const { writeHead } = response
      response.writeHead = (...args: unknown[]) => {
        told.push(args[1])
        return Reflect.apply(writeHead, response, args)
      }
      api(request, response)
    }
    const server = await served(serveNode({ node: () => listener }))
    const { headers } = await server.ask('/clients/7', { headers: { ...key, 'X-Request-Id': 'r-1' } })
    expect(headers['x-request-id']).toBe('r-1')
    expect(told).toMatchObject([{ 'Content-Type': 'application/json', 'X-Request-Id': 'r-1' }])
  })
})

describe('callers that disconnect', () => {
  test('abort the signal of their call', async () => {
    let signal: AbortSignal | undefined
    const wait = async (_: unknown, context: { signal: AbortSignal }) => {
      signal = context.signal
      await delay(10_000, undefined, { signal }).catch(() => undefined)
    }
    const api = billing({ handlers: { ...handlers, echo: { any: wait } } })
    const server = await served(serveNode(api))
    const request = http.request({ port: server.port, host: '127.0.0.1', path: '/echo', method: 'POST' })
    request.on('error', () => undefined)
    request.end('{}')
    await expect.poll(() => signal).toBeDefined()
    expect(signal?.aborted).toBe(false)
    request.destroy()
    await expect.poll(() => signal?.aborted).toBe(true)
  })

  test('do not abort the signal after the response', async () => {
    const signals: AbortSignal[] = []
    const keep = (_: unknown, context: { signal: AbortSignal }) => {
      signals.push(context.signal)
    }
    const server = await served(serveNode(billing({ handlers: { ...handlers, echo: { any: keep } } })))
    await server.ask('/echo', { method: 'POST', body: {}, headers: { Connection: 'close' } })
    await delay(20)
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
  })

  test('during their body do no harm', async () => {
    const told: unknown[] = []
    const server = await served(
      serveNode(billing({ onCall: ({ code }: { code?: string }) => told.push(code) })),
    )
    const request = http.request({
      port: server.port,
      host: '127.0.0.1',
      path: '/echo',
      method: 'POST',
      headers: { 'Content-Length': '100' },
    })
    request.on('error', () => undefined)
    request.write('{')
    await delay(20)
    request.destroy()
    await expect.poll(() => told).toEqual(['invalid_request'])
    expect((await server.ask('/clients/7', { headers: key })).status).toBe(200)
  })
})
