import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rpc, send } from '../calls.js'
import { startServiceHere, type TestService } from '../service-process.js'

// Rates of the sample change at midnight UTC on 2026-01-01 and 2026-07-01, so the rate shows which moment `at` was read
// as.

let service: TestService

beforeAll(async () => {
  service = await startServiceHere({ SYSTEM_TIMEZONE: 'Asia/Tokyo' })
})
afterAll(async () => {
  await service.stop()
  service.remove()
})

interface Rate {
  readonly rate: number
  readonly effective_from: string
}

const before = 1.172
const after = 1.0825

type Ask = (
  login: string,
  params: Readonly<Record<string, string>>,
) => Promise<{ result?: Rate; problem?: unknown }>

const overRpc: Ask = async (login, params) => {
  const headers = { 'X-Api-Key': service.user(login).apiKey }
  const { result, error } = await rpc(service.url, headers, 'accounting.currencies.get_rate', {
    from: 'EUR',
    to: 'USD',
    ...params,
  })
  return { result: result as Rate, problem: error?.data }
}

const overRest: Ask = async (login, params) => {
  const query = new URLSearchParams({ from: 'EUR', to: 'USD', ...params })
  const headers = { 'X-Api-Key': service.user(login).apiKey }
  const { status, body } = await send(
    `${service.url}/accounting/currencies/exchange-rate?${query}`,
    'GET',
    headers,
  )
  return status === 200 ? { result: body as Rate } : { problem: body }
}

describe.each([
  ['REST', overRest],
  ['JSON-RPC', overRpc],
])('over %s', (_, ask) => {
  const rate = async (login: string, params: Readonly<Record<string, string>>) =>
    (await ask(login, params)).result?.rate
  const offset = async (login: string, params: Readonly<Record<string, string>>) =>
    (await ask(login, params)).result?.effective_from.slice(19)

  test('a datetime with an offset ignores __tz', async () => {
    expect(await rate('admin', { at: '2026-01-01T00:00:00+00:00', __tz: 'America/New_York' })).toBe(after)
    expect(await rate('admin', { at: '2025-12-31T23:59:59Z', __tz: 'Pacific/Kiritimati' })).toBe(before)
    expect(await rate('admin', { at: '2026-01-01T00:59:59+01:00' })).toBe(before)
  })

  test('a datetime without an offset is read in __tz', async () => {
    // Midnight in New York is 05:00 UTC, in Kiritimati 10:00 UTC of the day before.
    expect(await rate('reseller-b', { at: '2026-01-01T00:00:00', __tz: 'America/New_York' })).toBe(after)
    expect(await rate('reseller-b', { at: '2025-12-31T19:00:00', __tz: 'America/New_York' })).toBe(after)
    expect(await rate('reseller-b', { at: '2025-12-31T18:59:59', __tz: 'America/New_York' })).toBe(before)
    expect(await rate('reseller-b', { at: '2026-01-01T13:59:59', __tz: 'Pacific/Kiritimati' })).toBe(before)
  })

  test("without __tz it is read in the user's zone", async () => {
    expect(await rate('reseller-a', { at: '2025-12-31T19:00:00' })).toBe(after)
    expect(await rate('reseller-a', { at: '2025-12-31T18:59:59' })).toBe(before)
  })

  test("without a zone of the user it is read in the system's", async () => {
    // Midnight UTC is 09:00 in Tokyo.
    expect(await rate('reseller-b', { at: '2026-01-01T09:00:00' })).toBe(after)
    expect(await rate('reseller-b', { at: '2026-01-01T08:59:59' })).toBe(before)
  })

  test('a response has datetimes in the same zone with an explicit offset', async () => {
    expect(await ask('reseller-a', { at: '2026-02-01T00:00:00Z' })).toMatchObject({
      result: { effective_from: '2025-12-31T19:00:00-05:00' },
    })
    expect(await offset('reseller-b', { at: '2026-02-01T00:00:00Z' })).toBe('+09:00')
    expect(await offset('reseller-a', { at: '2026-02-01T00:00:00Z', __tz: 'UTC' })).toBe('+00:00')
    expect(await offset('reseller-a', { at: '2026-02-01T00:00:00Z', __tz: 'Asia/Kathmandu' })).toBe('+05:45')
  })

  test('summer and winter time have their own offsets', async () => {
    expect(await offset('admin', { at: '2026-02-01T00:00:00Z', __tz: 'Europe/Berlin' })).toBe('+01:00')
    expect(await offset('admin', { at: '2026-08-01T00:00:00Z', __tz: 'Europe/Berlin' })).toBe('+02:00')
  })

  test.each(['Nowhere/City', '+02:00', 'Europe/Berlin ', ''])(
    'the unknown zone "%s" is a validation error',
    async (zone) => {
      expect((await ask('admin', { __tz: zone })).problem).toMatchObject({
        code: 'validation_failed',
        errors: [{ path: '/__tz', keyword: 'timezone' }],
      })
    },
  )

  test.each(['yesterday', '2026-02-30T00:00:00', '2026-01-01', '2026-01-01T25:00:00Z'])(
    '"%s" is no datetime',
    async (at) => {
      expect((await ask('admin', { at })).problem).toMatchObject({
        code: 'validation_failed',
        errors: [{ path: '/at', keyword: 'format' }],
      })
    },
  )
})
