import { once } from 'node:events'
import type http from 'node:http'
import net from 'node:net'
import { describe, expect, test } from 'vitest'
import { apiOf } from './fixtures/api.js'
import { authenticate, billing, contract, handlers } from './fixtures/billing.js'
import { contractOf, type Definition, parameter } from './fixtures/contract.js'
import { served, serveExpress, serveNode } from './fixtures/serve.js'
import { createApiOf } from './index.js'

const rpc = (method: string, params?: unknown) => ({ jsonrpc: '2.0', id: 1, method, params })

describe('createApiOf refuses an invalid setup', () => {
  test('security without an authenticate hook', () => {
    expect(() => createApiOf(contract, { handlers })).toThrow(
      'clients.get is secured: createApi needs the option authenticate',
    )
  })

  test('an undeclared security scheme', () => {
    const options = { handlers: {}, authenticate }
    expect(() => apiOf({ a: { security: [{ __proto__: [] }, { ghost: [] }] } }, options)).toThrow(
      'a requires the unknown security scheme ghost',
    )
  })

  test('an unknown system time zone', () => {
    expect(() => billing({ systemTimezone: 'Mars/Olympus' })).toThrow('systemTimezone is "Mars/Olympus"')
  })

  test('an operation without validators', () => {
    const broken = { ...contractOf({ a: {} }), validators: {} }
    expect(() => createApiOf(broken, { handlers: {} })).toThrow(
      'no validators for the operation a. Generate and build again.',
    )
  })
})

describe('a base path', () => {
  const api = billing({ basePath: '/v1' })

  test('is in the error for paths outside of it, with the mount path', async () => {
    const beside = { status: 404, code: 'unknown_operation' }
    const bare = await served(serveNode(api))
    expect((await bare.ask('/clients/7')).json).toMatchObject({
      ...beside,
      detail: 'Every path of this service begins with /v1.',
    })
    const mounted = await served(serveExpress(api, { mount: '/api' }))
    expect((await mounted.ask('/clients/7')).json).toMatchObject({
      ...beside,
      detail: 'Every path of this service begins with /api/v1.',
    })
    expect((await mounted.ask('/v1/clients/7')).json.code).toBe('unauthenticated')
  })

  test('is removed by a mount that ends with it', async () => {
    const mounted = await served(serveExpress(api, { mount: '/api/v1' }))
    expect((await mounted.ask('/clients/7')).json.code).toBe('unauthenticated')
  })
})

describe('handlers', () => {
  test('are in the namespace default if the name has no dot, and are called as methods of their object', async () => {
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

  test('a class method may have an inherited name', async () => {
    class Clients {
      toString() {
        return 'own'
      }
    }
    const api = apiOf({ 'clients.toString': {} }, { handlers: { clients: new Clients() } })
    expect(await api.call('clients.toString', {})).toBe('own')
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

describe('requests for the server as a whole', () => {
  test('OPTIONS * is 204', async () => {
    for (const server of [await served(serveNode(billing())), await served(serveExpress(billing()))]) {
      const { status, text } = await server.ask('*', { method: 'OPTIONS' })
      expect([status, text]).toEqual([204, ''])
    }
  })

  test.each(['/clients/7', '/', '/nothing'])(
    'a transfer coding beside chunked is 501, and ends the connection: %s',
    async (path) => {
      const server = await served(serveNode(billing(), { fallback: () => expect.unreachable() }))
      const socket = net.connect(server.port, '127.0.0.1')
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
      )
      const [data] = await once(socket, 'data')
      socket.destroy()
      expect(String(data)).toMatch(/^HTTP\/1\.1 501 /)
      expect(String(data)).toContain('application/problem+json')
    },
  )
})

describe('unknown paths', () => {
  const fallback = (_: http.IncomingMessage, response: http.ServerResponse) => response.end('fallback')

  test('go to the fallback of node(), like GET and HEAD of the JSON-RPC address', async () => {
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

  test('that are not UTF-8 are 400, with or without a fallback', async () => {
    for (const server of [
      await served(serveNode(billing(), { fallback })),
      await served(serveExpress(billing(), { fallthrough: true, after: fallback })),
    ]) {
      const { status, json } = await server.ask('/clients/%zz')
      expect([status, json.code]).toEqual([400, 'invalid_request'])
    }
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
