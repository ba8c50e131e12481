import type { IncomingMessage } from 'node:http'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ProblemError } from '../contract/problem.js'
import { billing, key } from '../fixtures/billing.js'
import { served, serveNode } from '../fixtures/serve.js'
import { measured } from './work.js'

afterEach(() => vi.restoreAllMocks())

/** Clocks that only move when the test moves them; by default the processor's moves with the wall clock. */
function clock() {
  let wall = 0
  let processor = 0
  vi.spyOn(performance, 'now').mockImplementation(() => wall)
  vi.spyOn(process, 'cpuUsage').mockImplementation(() => ({ user: processor * 1000, system: 0 }))
  return (wallMs: number, processorMs = wallMs) => {
    wall += wallMs
    processor += processorMs
  }
}

describe('a stretch of work', () => {
  const request = {} as IncomingMessage

  test('is reported with its time, which includes nested stretches', () => {
    const pass = clock()
    const spent = vi.fn()
    const result = measured({ spent }, request, () => {
      pass(3)
      return measured({ spent }, request, () => {
        pass(4)
        return 'done'
      })
    })
    expect(result).toBe('done')
    expect(spent.mock.calls).toEqual([[request, 7]])
  })

  test('excludes the time of other processes and threads', () => {
    const pass = clock()
    const spent = vi.fn()
    measured({ spent }, request, () => pass(100, 5))
    measured({ spent }, request, () => pass(5, 100))
    expect(spent.mock.calls).toEqual([
      [request, 5],
      [request, 5],
    ])
  })

  test('is reported if it fails, and a meter that fails changes nothing', () => {
    const pass = clock()
    const spent = vi.fn(() => {
      throw new Error('no meter')
    })
    const fail = () => {
      pass(2)
      throw new Error('no work')
    }
    expect(() => measured({ spent }, request, fail)).toThrow('no work')
    expect(measured({ spent }, request, () => 1)).toBe(1)
    expect(spent.mock.calls).toEqual([
      [request, 2],
      [request, 0],
    ])
  })
})

describe('a request', () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'clients.update', params: { id: 7, credit: 1 } }
  const patch = { method: 'PATCH', headers: key, body: { credit: 1 } }

  test('reports each stretch of its work, but not its waits', async () => {
    const pass = clock()
    const told = new Map<string | undefined, number>()
    const spent = ({ method }: IncomingMessage, milliseconds: number) => {
      told.set(method, (told.get(method) ?? 0) + milliseconds)
    }
    const api = billing({
      work: { spent },
      authenticate: async () => {
        pass(1)
        await Promise.resolve()
        return { name: 'good' }
      },
      around: async (_: unknown, run: () => Promise<unknown>) => {
        await Promise.resolve()
        pass(1_000)
        return run()
      },
      timezone: () => {
        pass(20)
        return undefined
      },
      onCall: () => pass(300),
    })
    const server = await served(serveNode(api))
    expect((await server.ask('/clients/7', patch)).status).toBe(200)
    expect((await server.rpc(call, key)).json.result).toBeDefined()
    // onCall runs after the last stretch of an asynchronous call.
    expect([...told]).toEqual([
      ['PATCH', 21],
      ['POST', 21],
    ])
  })

  test('is refused before its body is read, over both protocols', async () => {
    const admit = vi.fn(() => {
      throw new ProblemError('rate_limited', { retryAfter: 3 })
    })
    const server = await served(serveNode(billing({ work: { admit, spent() {} } })))
    const rest = await server.ask('/clients/7', patch)
    expect([rest.status, rest.headers['retry-after'], rest.json.code]).toEqual([429, '3', 'rate_limited'])
    const rpc = await server.rpc('no JSON', key)
    expect(rpc.json.error.data).toMatchObject({ code: 'rate_limited', retryAfter: 3 })
    expect(admit).toHaveBeenCalledTimes(2)
  })

  test('is refused after its body is read if its caller has exceeded the limit meanwhile', async () => {
    let asked = 0
    const admit = () => {
      asked += 1
      if (asked % 2 === 0) throw new ProblemError('rate_limited', { retryAfter: 3 })
    }
    const server = await served(serveNode(billing({ work: { admit, spent() {} } })))
    expect((await server.rpc('no JSON', key)).json.error.data.code).toBe('rate_limited')
    expect((await server.ask('/clients/7', { ...patch, body: 'no JSON' })).json.code).toBe('rate_limited')
    expect(asked).toBe(4)
  })
})
