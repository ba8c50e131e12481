import { ProblemError } from '@duet/runtime'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiKeyVault } from '../identity/api-key.js'
import { insertSample } from '../sample/sample.js'
import { type DatabaseSource, drivers } from '../testing/databases.js'
import type { Database } from './database.js'
import { migrate, readMigrations } from './migrate.js'
import { createStorage, type GatewaySearch, type Storage } from './storage.js'

const everyone = { resellerId: null }

describe.each(drivers)('storage on %s', (_name, start) => {
  let source: DatabaseSource
  let database: Database
  let storage: Storage
  let resellerA: { resellerId: number }
  let resellerB: { resellerId: number }

  beforeAll(async () => {
    source = await start()
    database = (await source.empty()).database
    await migrate(database, await readMigrations())
    await insertSample(database, createApiKeyVault('s'.repeat(32)))
    storage = createStorage(database)
    const rows = await database.query<{ id: string; name: string }>(
      'select id, name from resellers order by name',
    )
    resellerA = { resellerId: Number(rows[0]?.id) }
    resellerB = { resellerId: Number(rows[1]?.id) }
  })
  afterAll(() => source?.stop())

  const search = (part: Partial<GatewaySearch>) =>
    storage.as(everyone).gateways.search({ limit: 20, offset: 0, order: [], ...part })

  describe('column values', () => {
    it('arrive alike: bigint and numeric as text, timestamptz as UTC text with microseconds', async () => {
      const rows = await database.query(
        `select 9007199254740993::bigint as big, 1.50::numeric as exact, 7::integer as small, true as yes,
          '2026-03-01 12:00:00.123456+02'::timestamptz as at, null::bigint as nothing, 'é'::text as text`,
        [],
      )
      expect(rows).toEqual([
        {
          big: '9007199254740993',
          exact: '1.50',
          small: 7,
          yes: true,
          at: '2026-03-01T10:00:00.123456Z',
          nothing: null,
          text: 'é',
        },
      ])
    })

    it('of bytea come back as they were given', async () => {
      const [row] = await database.query<{ bytes: Uint8Array }>('select $1::bytea as bytes', [
        Buffer.from([0, 92, 255]),
      ])
      expect([...(row?.bytes ?? [])]).toEqual([0, 92, 255])
    })
  })

  describe('transactions', () => {
    const names = async () =>
      (await database.query<{ name: string }>('select name from resellers')).map((row) => row.name)

    it('leave nothing behind when the work throws', async () => {
      const failing = database.transaction(async (transaction) => {
        await transaction.query("insert into resellers (name) values ('gone')")
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect(await names()).not.toContain('gone')
    })

    it('reject when a statement in them failed, even if the work went on', async () => {
      const swallowing = database.transaction(async (transaction) => {
        await transaction.query('select nonsense').catch(() => {})
      })
      await expect(swallowing).rejects.toThrow()
    })
  })

  describe('clients', () => {
    it('of the own reseller are found', async () => {
      expect(await storage.as(resellerA).clients.get(1)).toEqual({
        id: 1,
        name: 'Aurora Calling',
        credit: 250.5,
        currency: 'EUR',
      })
      expect(await storage.as(resellerB).clients.get(4)).toMatchObject({ id: 4, credit: 9999.9999 })
    })

    it('of another reseller are as absent as those that do not exist', async () => {
      expect(await storage.as(resellerA).clients.get(4)).toBeUndefined()
      expect(await storage.as(resellerB).clients.get(1)).toBeUndefined()
      expect(await storage.as(resellerA).clients.get(999)).toBeUndefined()
    })

    it('of another reseller are not changed', async () => {
      expect(await storage.as(resellerA).clients.update(4, { credit: 1 })).toBeUndefined()
      expect(await storage.as(everyone).clients.get(4)).toMatchObject({ credit: 9999.9999 })
    })

    it('are all there for a user without a reseller', async () => {
      const found = await Promise.all([1, 2, 3, 4, 5, 6].map((id) => storage.as(everyone).clients.get(id)))
      expect(found.map((client) => client?.id)).toEqual([1, 2, 3, 4, 5, 6])
    })

    it('are refused to nobody in particular', () => {
      expect(() => storage.as(undefined)).toThrow(expect.objectContaining({ code: 'unauthenticated' }))
    })

    it.each([0, -1, 1.5, 2 ** 53, 1e300, Number.NaN])('have no id %s', async (id) => {
      expect(await storage.as(everyone).clients.get(id)).toBeUndefined()
      expect(await storage.as(everyone).clients.update(id, { credit: 1 })).toBeUndefined()
    })

    it('are answered as they are when there is nothing to change', async () => {
      expect(await storage.as(resellerA).clients.update(2, {})).toMatchObject({ id: 2, credit: 1200.75 })
      expect(await storage.as(resellerB).clients.update(2, {})).toBeUndefined()
    })

    it('answer a violation at /credit for a credit the column would round', async () => {
      const failure = await storage
        .as(resellerA)
        .clients.update(1, { credit: 0.00001 })
        .catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(ProblemError)
      expect(failure).toMatchObject({ code: 'validation_failed', violations: [{ path: '/credit' }] })
      expect(await storage.as(resellerA).clients.get(1)).toMatchObject({ credit: 250.5 })
    })

    it('give back every credit of four decimal places exactly', async () => {
      const credits = fc.integer({ min: -(10 ** 15 - 1), max: 10 ** 15 - 1 }).map((units) => units / 10_000)
      await fc.assert(
        fc.asyncProperty(credits, async (credit) => {
          const updated = await storage.as(resellerA).clients.update(3, { credit })
          expect(updated?.credit).toBe(credit === 0 ? 0 : credit)
        }),
        { numRuns: 60, examples: [[99_999_999_999.9999], [-99_999_999_999.9999], [0.1], [-0]] },
      )
    })
  })

  describe('exchange rates', () => {
    const rate = (from: string, to: string, at?: string) =>
      storage.as(resellerA).currencies.rate(from, to, at)

    it('against the base currency are the dated ones', async () => {
      expect(await rate('EUR', 'USD', '2026-03-01T12:00:00Z')).toEqual({
        rate: 1.0825,
        effectiveFrom: '2026-01-01T00:00:00Z',
      })
    })

    it('change at the very moment they are dated from, and not a nanosecond before', async () => {
      expect((await rate('EUR', 'USD', '2026-07-01T00:00:00Z'))?.rate).toBe(1.094)
      expect((await rate('EUR', 'USD', '2026-06-30T23:59:59.999999Z'))?.rate).toBe(1.0825)
      expect((await rate('EUR', 'USD', '2026-06-30T23:59:59.999999999Z'))?.rate).toBe(1.0825)
    })

    it('between two others are the quotient at ten decimal places, valid from the later of both dates', async () => {
      // 173.10 / 1.1720 = 147.6962457337883…; the yen is dated October, the dollar July.
      expect(await rate('USD', 'JPY', '2025-11-11T00:00:00Z')).toEqual({
        rate: 147.6962457338,
        effectiveFrom: '2025-10-01T00:00:00Z',
      })
      // 1 / 162.35 = 0.00615953187557745…
      expect((await rate('JPY', 'EUR', '2025-02-01T00:00:00Z'))?.rate).toBe(0.0061595319)
    })

    it('of a currency to itself are 1', async () => {
      expect(await rate('EUR', 'EUR', '2026-03-01T00:00:00Z')).toMatchObject({ rate: 1 })
      expect(await rate('JPY', 'JPY', '2026-03-01T00:00:00Z')).toMatchObject({ rate: 1 })
    })

    it('are those of now where no moment is given', async () => {
      expect(await rate('EUR', 'GBP')).toEqual(await rate('EUR', 'GBP', new Date().toISOString()))
    })

    it.each([
      ['EUR', 'XXX', '2026-03-01T00:00:00Z'],
      ['XXX', 'EUR', '2026-03-01T00:00:00Z'],
      ['EUR', 'USD', '2024-12-31T23:59:59.999999Z'],
      ['EUR', 'USD', '0000-01-01T00:00:00Z'],
      ['EUR', 'USD', '-000001-12-31T00:00:00Z'],
    ])('from %s to %s at %s are unknown', async (from, to, at) => {
      expect(await rate(from, to, at)).toBeUndefined()
    })

    it('at the end of time are the last ones', async () => {
      expect((await rate('EUR', 'GBP', '9999-12-31T23:59:59Z'))?.rate).toBe(0.861)
      expect((await rate('EUR', 'GBP', '+010000-01-01T00:00:00Z'))?.rate).toBe(0.861)
    })

    it('have no more digits than a double holds', async () => {
      await database.query("insert into currencies (code) values ('VST'), ('TNY')")
      await database.query(
        `insert into currency_rates (currency, effective_from, rate) values
          ('VST', '2025-01-01T00:00:00Z', 98765432.1234567), ('TNY', '2025-01-01T00:00:00Z', 0.01)`,
      )
      expect((await rate('TNY', 'VST', '2026-01-01T00:00:00Z'))?.rate).toBe(9876543212.34567)
      expect((await rate('VST', 'TNY', '2026-01-01T00:00:00Z'))?.rate).toBe(0.0000000001)
    })
  })

  describe('stored rates', () => {
    const insert = (currency: string, rate: string) =>
      database.transaction(async (transaction) => {
        await transaction.query('insert into currencies (code) values ($1) on conflict do nothing', [
          currency,
        ])
        await transaction.query(
          "insert into currency_rates (currency, effective_from, rate) values ($1, '2025-01-01T00:00:00Z', $2::numeric)",
          [currency, rate],
        )
      })

    it.each([
      ['SRA', '12345678.1234567', 12345678.1234567],
      ['SRB', '100000000', 100000000],
      ['SRC', '12345.0123456789', 12345.0123456789],
      ['SRD', '0.0123456789', 0.0123456789],
      ['SRE', '99999.9999999999', 99999.9999999999],
    ])('of %s at %s are answered digit for digit', async (currency, stored, answered) => {
      await insert(currency, stored)
      expect((await storage.as(resellerA).currencies.rate('EUR', currency))?.rate).toBe(answered)
    })

    it.each(['12345678.1234567891', '123456.0123456789', '99999999.12345678'])(
      'of more digits than a double holds are refused: %s',
      async (stored) => {
        await expect(insert('SRX', stored)).rejects.toMatchObject({ constraint: 'currency_rates_rate_exact' })
      },
    )

    it('that were kept with more digits become what has been answered of them', async () => {
      const { database: earlier } = await source.empty()
      const migrations = await readMigrations()
      await migrate(earlier, migrations.slice(0, 1))
      await earlier.query(
        `insert into currencies (code) values ('OLD');
        insert into currency_rates (currency, effective_from, rate) values ('OLD', now(), 12345678.1234567891)`,
      )
      await migrate(earlier, migrations)
      expect(await earlier.query('select rate from currency_rates')).toEqual([
        { rate: '12345678.1234568000' },
      ])
    })
  })

  describe('gateways', () => {
    const ids = async (part: Partial<GatewaySearch>) => (await search(part)).map((gateway) => gateway.id)

    it('come 20 at a time by id', async () => {
      const found = await search({})
      expect(found).toHaveLength(20)
      expect(found[0]).toEqual({
        id: 1,
        name: 'ported-in-1',
        title: 'Ported in, route 1',
        credentials_id: 1,
        editable: true,
      })
      expect(found.map((gateway) => gateway.id)).toEqual(
        [...found.map((gateway) => gateway.id)].sort((a, b) => a - b),
      )
    })

    it('are filtered by id, by the exact name, and by editable only where it is true', async () => {
      expect(await ids({ id: 7 })).toEqual([7])
      expect(await ids({ name: 'ported-in-1' })).toEqual([1])
      expect(await ids({ name: 'ported-in' })).toEqual([])
      expect(await ids({ name: 'PORTED-IN-1' })).toEqual([])
      expect(await ids({ editable: true, limit: 1000 })).toHaveLength(24)
      expect(await ids({ editable: false, limit: 1000 })).toHaveLength(30)
      expect(await ids({ id: 5, editable: true })).toEqual([])
    })

    it.each(['\0', 'a\ud800b', "'; drop table gateways; --", '%'])('have no name %j', async (name) => {
      expect(await ids({ name })).toEqual([])
    })

    it('are in a total order whatever they are ordered by', async () => {
      expect(await ids({ order: ['-id'], limit: 3 })).toEqual([30, 29, 28])
      expect(await ids({ order: ['editable'], limit: 7 })).toEqual([5, 10, 15, 20, 25, 30, 1])
      expect(await ids({ order: ['-credentials_id', '-id'], limit: 4 })).toEqual([30, 29, 28, 27])
      expect(await ids({ order: ['-credentials_id'], limit: 4 })).toEqual([28, 29, 30, 25])
      expect((await search({ order: ['name'], limit: 3 })).map((gateway) => gateway.name)).toEqual([
        'ported-in-1',
        'ported-in-10',
        'ported-in-11',
      ])
    })

    it('are ordered by the first mention of a column', async () => {
      expect(await ids({ order: ['-id', 'id', 'name'], limit: 2 })).toEqual([30, 29])
      expect(await ids({ order: ['editable', '-editable', '-id'], limit: 2 })).toEqual([30, 25])
    })

    it.each(['nonsense', 'id; drop table gateways', '__proto__', 'constructor', '', '--id'])(
      'are not ordered by %j',
      async (column) => {
        await expect(search({ order: [column] })).rejects.toThrow('sort column')
      },
    )

    it('are found by every filter in every order of one or two columns', async () => {
      type Gateway = Awaited<ReturnType<typeof search>>[number]
      const columns = ['id', 'name', 'title', 'credentials_id', 'editable'] as const
      const all = await search({ limit: 1000 })
      const matches =
        ({ id, name, editable }: Partial<GatewaySearch>) =>
        (gateway: Gateway) =>
          (id ?? gateway.id) === gateway.id &&
          (name ?? gateway.name) === gateway.name &&
          (editable !== true || gateway.editable)
      const compare = (order: readonly string[]) => (a: Gateway, b: Gateway) => {
        for (const entry of [...order, 'id']) {
          const column = columns.find((known) => entry.replace('-', '') === known) ?? 'id'
          if (a[column] !== b[column]) return a[column] < b[column] === entry.startsWith('-') ? 1 : -1
        }
        return 0
      }
      const single = columns.flatMap((column) => [[column], [`-${column}`]])
      const pairs = columns.flatMap((one) => columns.map((two) => [`-${one}`, `-${two}`]))
      for (const id of [undefined, 7]) {
        for (const name of [undefined, 'ported-in-7']) {
          for (const editable of [undefined, true]) {
            for (const order of [[], ...single, ...pairs.filter(([one, two]) => one !== two)]) {
              const filter = { id, name, editable }
              const expected = all.filter(matches(filter)).sort(compare(order))
              expect([order, await search({ ...filter, order, limit: 1000 })]).toEqual([order, expected])
            }
          }
        }
      }
      const prepared = await database.query<{ name: string }>('select name from pg_prepared_statements')
      for (const { name } of prepared) expect(Buffer.byteLength(name)).toBeLessThan(63)
    })

    it('page without gap or overlap', async () => {
      const pages = await Promise.all(
        [0, 7, 14, 21, 28, 35].map((offset) => ids({ offset, limit: 7, order: ['title'] })),
      )
      const all = pages.flat()
      expect(new Set(all).size).toBe(30)
      expect(all).toEqual(await ids({ limit: 1000, order: ['title'] }))
    })

    it('beyond the last are none', async () => {
      expect(await ids({ offset: 30 })).toEqual([])
      expect(await ids({ offset: 1e300 })).toEqual([])
      expect(await ids({ limit: 0 })).toEqual([])
    })
  })

  describe('constraints', () => {
    it.each([
      [
        "insert into clients (reseller_id, name, currency) values (999, 'x', 'EUR')",
        'clients_reseller_id_fkey',
      ],
      ["insert into clients (reseller_id, name, currency) values (1, 'x', 'XXX')", 'clients_currency_fkey'],
      [
        "insert into clients (reseller_id, name, credit, currency) values (1, 'x', 'NaN', 'EUR')",
        'clients_credit_check',
      ],
      ["insert into currencies (code, is_base) values ('CHF', true)", 'currencies_one_base'],
      ["insert into currencies (code) values ('chf')", 'currencies_code_check'],
      [
        "insert into currency_rates (currency, is_base, effective_from, rate) values ('EUR', true, now(), 2)",
        'currency_rates_base_is_one',
      ],
      [
        "insert into currency_rates (currency, effective_from, rate) values ('EUR', now(), 2)",
        'currency_rates_currency_is_base_fkey',
      ],
      ["insert into users (login) values ('admin')", 'users_login_key'],
      ["insert into users (login, api_key_ciphertext) values ('half', 'x')", 'users_api_key_whole'],
    ])('refuse %s', async (statement, constraint) => {
      await expect(database.query(statement)).rejects.toMatchObject({ constraint })
    })
  })
})
