import { describe, expect, test } from 'vitest'
import type { LogDetails } from '../contract/logger.js'
import { ProblemError } from '../contract/problem.js'
import { billing, key } from '../fixtures/billing.js'
import { served, serveNode } from '../fixtures/serve.js'
import type { Call } from './api/options.js'

describe('around', () => {
  test('wraps each call of a batch, and sees its outcome', async () => {
    const calls: Call<unknown>[] = []
    const ends: string[] = []
    const around = async (call: Call<unknown>, run: () => Promise<unknown>) => {
      calls.push(call)
      return run().then(
        (result) => {
          ends.push('fine')
          return result
        },
        (error: ProblemError) => {
          ends.push(error.code)
          throw error
        },
      )
    }
    const server = await served(serveNode(billing({ around })))
    const call = (id: number, params: object) => ({ jsonrpc: '2.0', id, method: 'clients.get', params })
    await server.rpc([call(1, { id: 7 }), call(2, { id: 'x' })], { ...key, 'X-Request-Id': 'r-1' })
    expect(calls).toMatchObject([
      { operation: 'clients.get', protocol: 'jsonrpc', requestId: 'r-1', principal: { name: 'good' } },
      { operation: 'clients.get', protocol: 'jsonrpc', requestId: 'r-1', principal: { name: 'good' } },
    ])
    expect(calls[0]?.request?.headers['x-request-id']).toBe('r-1')
    expect(calls[0]?.request).toBe(calls[1]?.request)
    expect(ends).toEqual(['fine', 'validation_failed'])
  })

  test('does not run for refused callers', async () => {
    let asked = 0
    const around = (_: unknown, run: () => Promise<unknown>) => {
      asked += 1
      return run()
    }
    const server = await served(serveNode(billing({ around })))
    expect((await server.ask('/clients/7')).status).toBe(401)
    expect(asked).toBe(0)
  })

  test('may refuse calls with Retry-After over both protocols', async () => {
    const around = () => Promise.reject(new ProblemError('rate_limited', { retryAfter: 12 }))
    const api = billing({ around })
    const server = await served(serveNode(api))
    const rest = await server.ask('/clients/7', { headers: key })
    expect([rest.status, rest.headers['retry-after']]).toEqual([429, '12'])
    expect(rest.json).toMatchObject({ code: 'rate_limited', retryAfter: 12 })
    const rpc = { jsonrpc: '2.0', id: 1, method: 'clients.get', params: { id: 7 } }
    expect((await server.rpc(rpc, key)).json.error).toMatchObject({
      code: -32029,
      data: { code: 'rate_limited', retryAfter: 12 },
    })
    await expect(api.call('echo.any', {})).rejects.toMatchObject({ code: 'rate_limited' })
  })
})

test.each([
  ['nothing', () => undefined],
  ['another value', () => ({ other: 1 })],
])(
  'an around that returns %s fails the call over both protocols, and the log says why',
  async (_, returned) => {
    const logged: unknown[] = []
    const around = async (_: unknown, run: () => Promise<unknown>) => {
      await run()
      return returned()
    }
    const logger = {
      error: ({ operation, err }: LogDetails) => logged.push([operation, String(err)]),
      warn: () => {},
    }
    const server = await served(serveNode(billing({ around, logger })))
    const rest = await server.ask('/clients/7', { headers: key })
    expect([rest.status, rest.json.code]).toEqual([500, 'internal_error'])
    const { json } = await server.rpc(
      { jsonrpc: '2.0', id: 1, method: 'clients.get', params: { id: 7 } },
      key,
    )
    expect(json).toMatchObject({ id: 1, error: { data: { code: 'internal_error' } } })
    const line = ['clients.get', 'Error: around of clients.get must return what run() returns']
    expect(logged).toEqual([line, line])
  },
)

test('an authenticate hook receives the request', async () => {
  const urls: (string | undefined)[] = []
  const authenticate = (_: unknown, { request }: { request: { url?: string } }) => {
    urls.push(request.url)
    return { name: 'good' }
  }
  const server = await served(serveNode(billing({ authenticate })))
  await server.ask('/clients/7', { headers: key })
  expect(urls).toEqual(['/clients/7'])
})
