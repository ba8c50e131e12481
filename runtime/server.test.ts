import http from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import express from 'express'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { CallEvent } from './core/api.js'
import { apiOf } from './fixtures/api.js'
import { authenticate, billing, contract, handlers, key, type Principal } from './fixtures/billing.js'
import { contractOf, type Definition, parameter } from './fixtures/contract.js'
import { type Served, serveExpress, serveNode } from './fixtures/serve.js'
import { createApiOf } from './index.js'

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
    expect((await server.ask('/', { method: 'PUT' })).status).toBe(405)
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
