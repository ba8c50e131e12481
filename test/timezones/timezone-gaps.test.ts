import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApi, type Handlers } from '@billing/api/1.0.0'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rpc, send } from '../calls.js'

// The handlers return the moment that they receive, which shows how a local time was read.
const seen: (string | undefined)[] = []
const handlers: Partial<Handlers<string>> = {
  'accounting.currencies': {
    get_rate({ from, to, at }) {
      seen.push(at)
      return { from, to, rate: 1, effective_from: at ?? '' }
    },
  },
}

let server: Server
let url: string

beforeAll(async () => {
  const api = createApi<string>({
    handlers: handlers as Handlers<string>,
    authenticate: ({ apiKey }) => apiKey ?? '',
  })
  server = createServer(api.node())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
})

const key = { 'X-Api-Key': 'any' }
type Ask = (at: string, timezone: string) => Promise<unknown>

const overRpc: Ask = async (at, __tz) =>
  (await rpc(url, key, 'accounting.currencies.get_rate', { from: 'EUR', to: 'USD', at, __tz })).result

const overRest: Ask = async (at, __tz) => {
  const query = new URLSearchParams({ from: 'EUR', to: 'USD', at, __tz })
  return (await send(`${url}/accounting/currencies/exchange-rate?${query}`, 'GET', key)).body
}

describe.each([
  ['REST', overRest],
  ['JSON-RPC', overRpc],
])('over %s', (_, ask) => {
  test.each([
    // Clocks go from 02:00 to 03:00: a time in the gap is read with the offset before it (RFC 5545 section 3.3.5).
    ['gap', 'Europe/Berlin', '2026-03-29T02:30:00', '2026-03-29T01:30:00Z', '2026-03-29T03:30:00+02:00'],
    ['gap', 'America/New_York', '2026-03-08T02:00:00', '2026-03-08T07:00:00Z', '2026-03-08T03:00:00-04:00'],
    [
      'gap of half an hour',
      'Australia/Lord_Howe',
      '2026-10-04T02:15:00',
      '2026-10-03T15:45:00Z',
      '2026-10-04T02:45:00+11:00',
    ],
    [
      'day that a zone skipped',
      'Pacific/Apia',
      '2011-12-30T12:00:00',
      '2011-12-30T22:00:00Z',
      '2011-12-31T12:00:00+14:00',
    ],
    // Clocks go from 03:00 back to 02:00: the first of the two is meant.
    ['overlap', 'Europe/Berlin', '2026-10-25T02:30:00', '2026-10-25T00:30:00Z', '2026-10-25T02:30:00+02:00'],
    [
      'overlap',
      'America/New_York',
      '2026-11-01T01:59:59',
      '2026-11-01T05:59:59Z',
      '2026-11-01T01:59:59-04:00',
    ],
    [
      'second before a gap',
      'Europe/Berlin',
      '2026-03-29T01:59:59',
      '2026-03-29T00:59:59Z',
      '2026-03-29T01:59:59+01:00',
    ],
    [
      'first second after an overlap',
      'Europe/Berlin',
      '2026-10-25T03:00:00',
      '2026-10-25T02:00:00Z',
      '2026-10-25T03:00:00+01:00',
    ],
    [
      'fraction',
      'Asia/Kolkata',
      '2026-05-01T00:00:00.125',
      '2026-04-30T18:30:00.125Z',
      '2026-05-01T00:00:00.125+05:30',
    ],
  ])(
    '%s in %s: %s is %s for the handler and %s for the caller',
    async (_case, zone, local, utc, answered) => {
      const result = await ask(local, zone)
      expect(seen.at(-1)).toBe(utc)
      expect(result).toMatchObject({ effective_from: answered })
    },
  )
})
