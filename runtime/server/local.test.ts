import { describe, expect, test } from 'vitest'
import { ProblemError } from '../contract/problem.js'
import { billing, type Principal } from '../fixtures/billing.js'

describe('calls in process', () => {
  const principal: Principal = { name: 'good', timezone: 'America/New_York' }

  test('answer the result', async () => {
    expect(await billing().call('clients.get', { id: 7 }, { principal })).toEqual({ id: 7, credit: 10 })
  })

  test('fill defaults into a copy of the params', async () => {
    const params = { order: ['id'] }
    expect(await billing().call('lnp.gateways.search', params)).toEqual({ limit: 20, order: ['id'] })
    expect(params).toEqual({ order: ['id'] })
    expect(await billing().call('lnp.gateways.search', undefined)).toEqual({ limit: 20, order: [] })
  })

  test('to a secured operation need a principal', async () => {
    await expect(billing().call('clients.get', { id: 7 })).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  test('throw the problem that a remote caller would receive', async () => {
    const failed = billing().call('clients.get', { id: 'x' }, { principal, requestId: 'r-3' })
    await expect(failed).rejects.toBeInstanceOf(ProblemError)
    await expect(failed).rejects.toMatchObject({
      code: 'validation_failed',
      violations: [{ path: '/id', keyword: 'type', message: 'must be integer' }],
      problem: { code: 'validation_failed', status: 400, requestId: 'r-3' },
    })
    await expect(billing().call('none', {})).rejects.toMatchObject({ code: 'unknown_operation' })
    await expect(billing().call('faults.throw', {})).rejects.toMatchObject({
      code: 'internal_error',
      cause: new Error('secret 4711'),
      problem: { status: 500 },
    })
  })

  test('refuse params that are not a JSON object', async () => {
    const cycle: { self?: unknown } = {}
    cycle.self = cycle
    for (const params of [[1], 'x', null, { big: 1n }, cycle]) {
      await expect(billing().call('echo.any', params)).rejects.toMatchObject({ code: 'validation_failed' })
    }
  })

  test('use the given zone, else the principal’s, else the system’s', async () => {
    const api = billing({ systemTimezone: 'Asia/Tokyo' })
    const at = { at: '2024-07-01T12:00:00' }
    const zone = { principal, timezone: 'Europe/Berlin' }
    expect(await api.call('rates.get', at, zone)).toMatchObject({ at: '2024-07-01T12:00:00+02:00' })
    expect(await api.call('rates.get', at, { principal })).toMatchObject({ seen: '2024-07-01T16:00:00Z' })
    expect(await api.call('rates.get', at)).toMatchObject({
      seen: '2024-07-01T03:00:00Z',
      zone: 'Asia/Tokyo',
    })
    expect(await api.call('rates.get', { ...at, __tz: 'UTC' })).toMatchObject({
      seen: '2024-07-01T12:00:00Z',
    })
    await expect(api.call('rates.get', at, { timezone: 'Mars' })).rejects.toMatchObject({
      violations: [{ path: '/__tz', keyword: 'timezone', message: expect.any(String) }],
    })
  })

  test('refuse a datetime outside the four-digit years in UTC', async () => {
    await expect(billing().call('rates.get', { at: '9999-12-31T23:00:00-05:00' })).rejects.toMatchObject({
      violations: [{ path: '/at', keyword: 'datetime' }],
    })
  })

  test('pass the signal on', async () => {
    const controller = new AbortController()
    controller.abort()
    expect(await billing().call('echo.context', {}, { signal: controller.signal })).toMatchObject({
      aborted: true,
      protocol: 'local',
    })
  })
})
