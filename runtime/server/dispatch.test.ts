import { describe, expect, test } from 'vitest'
import { billing, key, type Principal } from '../fixtures/billing.js'
import { served, serveNode } from '../fixtures/serve.js'
import type { CallEvent } from './api/options.js'

const rpc = (method: string, params?: unknown) => ({ jsonrpc: '2.0', id: 1, method, params })

describe('results', () => {
  test('that are invalid are sent if validation is off', async () => {
    expect(await billing({ validateResponses: false }).call('faults.result', {})).toBe('no integer')
  })
})

describe('onCall', () => {
  async function events(run: (api: ReturnType<typeof billing>) => Promise<unknown>) {
    const told: CallEvent<Principal>[] = []
    await run(billing({ onCall: (event: CallEvent<Principal>) => told.push(event) }))
    return told
  }

  test('receives a call that succeeds', async () => {
    const [event, ...more] = await events(async (api) => {
      const server = await served(serveNode(api))
      await server.ask('/clients/7', { headers: { ...key, 'X-Request-Id': 'r-4' } })
    })
    expect(more).toEqual([])
    expect(event).toEqual({
      operation: 'clients.get',
      version: '1.0.0',
      protocol: 'rest',
      requestId: 'r-4',
      principal: { name: 'good', timezone: 'America/New_York' },
      request: expect.objectContaining({ url: '/clients/7' }),
      durationMs: expect.any(Number),
    })
  })

  test('receives the unexpected error behind an internal_error, and calls that reach no operation', async () => {
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
        'InvalidResultError: faults.result returned an invalid result: must be integer',
      ],
      [undefined, 'unknown_operation', 'undefined'],
      [undefined, 'unknown_operation', 'undefined'],
      [undefined, 'invalid_request', 'undefined'],
    ])
    expect(told[2]?.error).toMatchObject({ violations: [{ path: '', keyword: 'type' }] })
  })

  test("receives a warning for an unknown zone, and the call uses the system's", async () => {
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
        { warning: `The time zone of the principal is unknown: ${JSON.stringify(zone)}` },
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
