import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import express from 'express'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { CallEvent } from './core/api.js'
import { apiOf } from './fixtures/api.js'
import { authenticate, billing, contract, handlers, key, type Principal } from './fixtures/billing.js'
import { contractOf, type Definition, parameter } from './fixtures/contract.js'
import { type Served, serveExpress, serveNode } from './fixtures/serve.js'
import { createApiOf, keepRawBody } from './index.js'

const open: Served[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((served) => served.close()))
})
async function served(promise: Promise<Served>): Promise<Served> {
  open.push(await promise)
  return promise
}
const rpc = (method: string, params?: unknown) => ({ jsonrpc: '2.0', id: 1, method, params })

describe('createApiOf refuses what can not work', () => {
  test('security without an authenticate hook', () => {
    expect(() => createApiOf(contract, { handlers })).toThrow(
      'clients.get is secured: createApi needs the option authenticate',
    )
  })

  test('a security scheme that the contract lacks', () => {
    const options = { handlers: {}, authenticate }
    expect(() => apiOf({ a: { security: [{ __proto__: [] }, { ghost: [] }] } }, options)).toThrow(
      'a asks for the unknown security scheme ghost',
    )
  })

  test('a system time zone that is none', () => {
    expect(() => billing({ systemTimezone: 'Mars/Olympus' })).toThrow('systemTimezone is "Mars/Olympus"')
  })

  test('an operation without validators', () => {
    const broken = { ...contractOf({ a: {} }), validators: {} }
    expect(() => createApiOf(broken, { handlers: {} })).toThrow('no validators for the operation a')
  })
})

describe('handlers', () => {
  test('stand under default where the name has no dot, and are called as methods of their object', async () => {
    class Counter {
      #count = 0
      next() {
        this.#count++
        return this.#count
      }
    }
    const api = apiOf({ next: {} }, { handlers: { default: new Counter() } })
    await api.call('next', {})
    expect(await api.call('next', {})).toBe(2)
  })

  test.each(['constructor', 'toString', 'clients.constructor', '__proto__.toString', 'clients.__proto__'])(
    'what every object inherits is no handler of %s',
    async (name) => {
      class Clients {}
      const api = apiOf({ [name]: {} }, { handlers: { clients: new Clients(), default: {} } })
      await expect(api.call(name, {})).rejects.toMatchObject({ code: 'not_implemented' })
    },
  )

  test('a method of a class may have the name of an inherited one', async () => {
    class Clients {
      toString() {
        return 'own'
      }
    }
    const api = apiOf({ 'clients.toString': {} }, { handlers: { clients: new Clients() } })
    expect(await api.call('clients.toString', {})).toBe('own')
  })
})

describe('results', () => {
  test('that are invalid go out as they are where validation is switched off', async () => {
    expect(await billing({ validateResponses: false }).call('faults.result', {})).toBe('no integer')
  })
})

describe('onCall', () => {
  async function events(run: (api: ReturnType<typeof billing>) => Promise<unknown>) {
    const told: CallEvent<Principal>[] = []
    await run(billing({ onCall: (event: CallEvent<Principal>) => told.push(event) }))
    return told
  }

  test('is told of a call that succeeds', async () => {
    const [event, ...more] = await events(async (api) => {
      const server = await served(serveNode(api))
      await server.ask('/clients/7', { headers: { ...key, 'X-Request-Id': 'r-4' } })
    })
    expect(more).toEqual([])
    expect(event).toEqual({
      operation: 'clients.get',
      protocol: 'rest',
      requestId: 'r-4',
      principal: { name: 'good', timezone: 'America/New_York' },
      durationMs: expect.any(Number),
    })
  })

  test('is told the unexpected error behind an internal_error, and of calls that reach no operation', async () => {
    const told = await events(async (api) => {
      const server = await served(serveNode(api))
      await server.ask('/faults/throw')
      await server.ask('/faults/unlisted')
      await server.ask('/faults/result')
      await server.ask('/nothing')
      await server.rpc([rpc('none'), 1])
    })
    expect(told.map(({ operation, code, error }) => [operation, code, String(error)])).toEqual([
      ['faults.throw', 'internal_error', 'Error: secret 4711'],
      ['faults.unlisted', 'internal_error', 'ProblemError: secret 4711'],
      [
        'faults.result',
        'internal_error',
        'InvalidResultError: faults.result gave an invalid result:  must be integer',
      ],
      [undefined, 'unknown_operation', 'undefined'],
      [undefined, 'unknown_operation', 'undefined'],
      [undefined, 'invalid_request', 'undefined'],
    ])
    expect(told[2]?.error).toMatchObject({ violations: [{ path: '', keyword: 'type' }] })
  })

  test('is warned of a zone that is none, and the call goes on in that of the system', async () => {
    for (const zone of ['Mars/Olympus', '+01:00', 7]) {
      const told: CallEvent<Principal>[] = []
      const api = billing({
        timezone: () => zone,
        systemTimezone: 'Asia/Tokyo',
        onCall: (event: CallEvent<Principal>) => told.push(event),
      })
      const call = api.call('rates.get', { at: '2024-07-01T09:00:00' }, { principal: { name: 'p' } })
      expect(await call).toMatchObject({ at: '2024-07-01T09:00:00+09:00', zone: 'Asia/Tokyo' })
      expect(told).toMatchObject([
        { warning: `The zone of the principal is unknown here: ${JSON.stringify(zone)}` },
      ])
      expect(told[0]).not.toHaveProperty('code')
    }
  })

  test('may throw and reject without harm', async () => {
    for (const onCall of [
      () => Promise.reject(new Error('log')),
      () => {
        throw new Error('log')
      },
    ]) {
      expect(await billing({ onCall }).call('echo.any', { a: 1 })).toEqual({ a: 1 })
    }
  })
})

describe('params from headers, cookies and divided paths', () => {
  const definition: Definition = {
    method: 'GET',
    path: '/colours/{list}/{matrix}',
    parameters: [
      parameter('list', ['array'], {
        in: 'path',
        coerce: { types: ['array'], items: { types: ['string'] } },
      }),
      parameter('matrix', ['integer'], { in: 'path', style: 'matrix' }),
      parameter('X-Flags', ['array'], {
        in: 'header',
        param: 'flags',
        coerce: { types: ['array'], items: { types: ['integer'] } },
      }),
      parameter('seen', ['boolean'], { in: 'cookie' }),
    ],
  }
  test('are bound', async () => {
    const echo = { default: { colours: (params: unknown) => params } }
    const server = await served(serveNode(apiOf({ colours: definition }, { handlers: echo })))
    const headers = { 'X-Flags': '1, 2', Cookie: 'a=1; seen=true' }
    const expected = { list: ['a,b', 'c'], matrix: 7, flags: [1, 2], seen: true }
    expect((await server.ask('/colours/a%2Cb,c/;matrix=7', { headers })).json).toEqual(expected)
    expect((await server.ask('http://127.0.0.1/colours/a%2Cb,c/;matrix=7?', { headers })).json).toEqual(
      expected,
    )
  })
})

describe('unknown paths', () => {
  const fallback = (_: http.IncomingMessage, response: http.ServerResponse) => response.end('fallback')

  test('go to the fallback of node(), as GET and HEAD of the address do', async () => {
    const server = await served(serveNode(billing(), { fallback }))
    expect((await server.ask('/reference/')).text).toBe('fallback')
    expect((await server.ask('/')).text).toBe('fallback')
    for (const [method, status] of [['PUT', 405] as const, ['OPTIONS', 204] as const]) {
      const answer = await server.ask('/', { method })
      expect([method, answer.status, answer.headers.allow]).toEqual([method, status, 'GET, HEAD, POST'])
    }
    expect((await server.ask('/clients/7', { method: 'PUT' })).status).toBe(405)
    expect((await server.rpc(rpc('echo.any', { a: 1 }))).json.result).toEqual({ a: 1 })
  })

  test('go on under Express with fallthrough', async () => {
    const server = await served(serveExpress(billing(), { fallthrough: true, after: fallback }))
    expect((await server.ask('/reference/')).text).toBe('fallback')
    expect((await server.ask('/clients/7', { method: 'PUT' })).status).toBe(405)
  })

  test('answer 404 under Express without it', async () => {
    const server = await served(serveExpress(billing(), { after: fallback }))
    expect((await server.ask('/reference/')).status).toBe(404)
  })
})

describe('body parsers that ran before', () => {
  test('leave text or bytes, which are read as they are, exactness included', async () => {
    for (const parser of [express.text({ type: '*/*' }), express.raw({ type: '*/*' })]) {
      const server = await served(serveExpress(billing(), { parsers: [parser] }))
      const patch = (body: string) => server.ask('/clients/7', { method: 'PATCH', headers: key, body })
      expect((await patch('{"credit": 1.5}')).json).toEqual({ id: 7, credit: 1.5 })
      expect((await patch('{"credit": 9007199254740993}')).json.errors).toMatchObject([{ keyword: 'exact' }])
      expect((await patch('{')).json.code).toBe('parse_error')
    }
  })
})

describe('numbers under a body parser', () => {
  const patch = async (parser: express.RequestHandler, body: string) => {
    const server = await served(serveExpress(billing(), { parsers: [parser] }))
    return server.ask('/clients/7', { method: 'PATCH', headers: key, body })
  }
  const [cent, million] = ['{"credit": 100.00000000000000001}', '{"credit": 1000000}']

  test('are read as they were sent where it keeps the bytes', async () => {
    const parser = express.json({ verify: keepRawBody })
    expect((await patch(parser, cent)).json.errors).toMatchObject([{ path: '/credit', keyword: 'exact' }])
    expect((await patch(parser, million)).json).toEqual({ id: 7, credit: 1_000_000 })
  })

  test('are refused without the bytes where it may have rounded them, with what to do', async () => {
    const { json } = await patch(express.json(), '{"credit": 9007199254740993}')
    expect(json.errors).toEqual([
      {
        path: '/credit',
        keyword: 'exact',
        message: expect.stringMatching(/mount the api before the body parser.*verify: keepRawBody/),
      },
    ])
    expect((await patch(express.json(), million)).status).toBe(200)
  })
})

describe('a JSON string under a body parser', () => {
  const put = async (parser: express.RequestHandler, headers: Record<string, string> = {}) => {
    const server = await served(serveExpress(billing(), { parsers: [parser] }))
    return (await server.ask('/notes', { method: 'PUT', headers, body: '"[1]"' })).json
  }
  const chunked = { 'Transfer-Encoding': 'chunked' }

  test('is parsed once', async () => {
    expect(await put(express.json({ strict: false }))).toEqual({ note: '[1]' })
    expect(await put(express.text({ type: '*/*' }))).toEqual({ note: '[1]' })
    expect(await put(express.json({ strict: false, verify: keepRawBody }), chunked)).toEqual({ note: '[1]' })
  })

  test('is refused where nothing tells whether it has been parsed', async () => {
    expect(await put(express.json({ strict: false }), chunked)).toMatchObject({
      code: 'parse_error',
      detail: expect.stringContaining('keepRawBody'),
    })
  })
})

describe('callers that go', () => {
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
    await vi.waitFor(() => expect(signal).toBeDefined())
    expect(signal?.aborted).toBe(false)
    request.destroy()
    await vi.waitFor(() => expect(signal?.aborted).toBe(true))
  })

  test('do not abort the signal by going after the answer', async () => {
    const signals: AbortSignal[] = []
    const keep = (_: unknown, context: { signal: AbortSignal }) => {
      signals.push(context.signal)
    }
    const server = await served(serveNode(billing({ handlers: { ...handlers, echo: { any: keep } } })))
    await server.ask('/echo', { method: 'POST', body: {}, headers: { Connection: 'close' } })
    await delay(20)
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
  })

  test('in the middle of their body harm nobody', async () => {
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
    await vi.waitFor(() => expect(told).toEqual(['invalid_request']))
    expect((await server.ask('/clients/7', { headers: key })).status).toBe(200)
  })
})

test('a body that declares far more than the limit is refused unread, and its connection ends', async () => {
  const server = await served(serveNode(billing({ limits: { bodyBytes: 100 } })))
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const headers = { 'Content-Length': '1000000' }
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

describe('a body that is still on its way when its answer goes out', () => {
  /** Sends a body without an end until the connection is gone. */
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

  test('ends its connection too where the caller sends no more', async () => {
    const server = await served(serveNode(billing({ limits })))
    const socket = net.connect(server.port, '127.0.0.1').resume()
    socket.write('PATCH /clients/7 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n')
    await once(socket, 'close')
  })

  test('is read to its end where its length is within the limit, and the connection stays', async () => {
    const server = await served(serveNode(billing({ limits })))
    const socket = net.connect(server.port, '127.0.0.1')
    socket.write('PATCH /clients/7 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n')
    expect(String(await once(socket, 'data'))).toContain('HTTP/1.1 401')
    socket.write('{   }GET /context HTTP/1.1\r\nHost: a\r\n\r\n')
    expect(String(await once(socket, 'data'))).toContain('HTTP/1.1 200')
    socket.destroy()
  })
})
