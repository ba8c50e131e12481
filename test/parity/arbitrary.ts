import fc from 'fast-check'

type Params = Readonly<Record<string, unknown>>

const limit = fc.integer({ min: 0, max: 30 })
const offset = fc.integer({ min: 0, max: 40 })
const id = fc.integer({ min: 1, max: 40 })
const gatewayOrder = fc.array(
  fc.constantFrom(
    'id',
    '-id',
    'name',
    '-name',
    'title',
    '-title',
    'editable',
    '-editable',
    'credentials_id',
    '-credentials_id',
  ),
  { maxLength: 10 },
)
const gatewayName = fc.oneof(fc.constant('ported-in-1'), fc.string({ unit: 'binary', maxLength: 20 }))
const gatewaySearch = { limit, offset, order: gatewayOrder, id, name: gatewayName, editable: fc.boolean() }
const credit = fc.integer({ min: -99_999_999, max: 99_999_999 }).map((units) => units / 10_000)

const rateParams = fc.record(
  {
    from: fc.constantFrom('EUR', 'USD', 'GBP', 'JPY', 'XXX'),
    to: fc.constantFrom('EUR', 'USD', 'GBP', 'JPY', 'XXX'),
    at: fc.oneof(
      fc.constantFrom(
        '2026-03-29T02:30:00',
        '2025-10-26T02:30:00',
        '2026-01-01T00:00:00+14:00',
        '2025-12-31T23:59:59.999Z',
      ),
      fc
        .date({ min: new Date('2024-06-01'), max: new Date('2027-01-01'), noInvalidDate: true })
        .map((date) => date.toISOString().slice(0, 19)),
    ),
  },
  { requiredKeys: ['from', 'to', 'at'] },
)

const clientName = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 20 })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the document's own pattern
  .filter((name) => /^[^\u0000-\u001F\u007F]+$/.test(name))
const clientSearch = {
  limit,
  offset,
  order: fc.array(fc.constantFrom('id', '-id', 'name', '-name'), { maxLength: 4 }),
  id: fc.integer({ min: 1, max: 9 }),
  name: fc.oneof(fc.constantFrom('Aurora Calling', 'Delta Dial'), fc.string({ maxLength: 20 })),
  currency: fc.constantFrom('EUR', 'USD', 'GBP', 'JPY', 'XXX'),
}

type ParamsByOperation = Readonly<Record<string, fc.Arbitrary<Params>>>

/**
 * Values that the operations of each version accept, by hand from its document; ids are those of the sample. A
 * later version lists what differs from the one before it.
 */
export const validParams = {
  '1.0.0': {
    'lnp.gateways.search': optional(gatewaySearch),
    'accounting.currencies.get_rate': rateParams,
    'clients.get': fc.record({ id: fc.integer({ min: 1, max: 9 }) }),
    'clients.update': fc.record({ id: fc.integer({ min: 1, max: 9 }), credit }, { requiredKeys: ['id'] }),
    'iam.auth.jwt.authenticate': fc.record({
      login: fc.string({ maxLength: 12 }),
      password: fc.string({ maxLength: 12 }),
    }),
    'iam.auth.jwt.refresh': fc.record({}),
  },
  '1.1.0': {
    'lnp.gateways.search': optional({ ...gatewaySearch, credentials_id: fc.integer({ min: 1, max: 12 }) }),
    'lnp.gateways.get': fc.record({ id }),
    'accounting.currencies.list': fc.record({}),
    'clients.search': optional(clientSearch),
    'clients.get': fc.record({ id: fc.integer({ min: 1, max: 9 }) }),
    'clients.update': fc.record(
      {
        id: fc.integer({ min: 1, max: 9 }),
        credit,
        name: clientName,
        expected_version: fc.oneof(
          fc.constant('*'),
          fc.string({ maxLength: 5 }).filter((text) => !/^\d+$/.test(text)),
        ),
        idempotency_key: fc.oneof(fc.constantFrom('a', 'b'), fc.uuid()),
      },
      { requiredKeys: ['id'] },
    ),
  },
  '2.0.0-rc.1': {
    'lnp.gateways.search': optional({ ...gatewaySearch, limit: fc.integer({ min: 0, max: 100 }) }),
    'accounting.currencies.search': fc.record({}),
    'accounting.currencies.get_rate': rateParams,
    'clients.search': optional({ ...clientSearch, limit: fc.integer({ min: 0, max: 100 }) }),
  },
} as const satisfies Readonly<Record<string, ParamsByOperation>>

function optional(fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Params> {
  return fc.record(fields, { requiredKeys: [] })
}

/** Time zones of a call: none, known ones with gaps and overlaps, and unknown names. */
export const timezones = fc.constantFrom(
  undefined,
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Mars/Olympus',
  '+01:00',
  '',
)

/** Invalid params: one of a wrong type, one too many, or one too few. */
export function invalidParams(valid: fc.Arbitrary<Params>): fc.Arbitrary<Params> {
  const stray = fc.oneof(
    fc.constantFrom<unknown>(
      null,
      true,
      -1,
      1.5,
      'abc',
      '',
      1e300,
      [],
      {},
      ['id', 7],
      { id: 1 },
      '2026-02-30T00:00:00',
      'eur',
    ),
    fc.string({ maxLength: 5 }),
  )
  const name = fc.constantFrom(
    'limit',
    'order',
    'id',
    'name',
    'editable',
    'from',
    'at',
    'credit',
    'currency',
    'credentials_id',
    'login',
    'expected_version',
    'idempotency_key',
    'extra',
    '__proto__',
    'constructor',
  )
  return fc.oneof(
    fc
      .tuple(valid, name, stray)
      .map(([params, key, value]) => Object.fromEntries([...Object.entries(params), [key, value]])),
    fc.tuple(valid, fc.nat()).map(([params, at]) => {
      const names = Object.keys(params)
      return Object.fromEntries(
        Object.entries(params).filter(([key]) => key !== names[at % (names.length || 1)]),
      )
    }),
  )
}
