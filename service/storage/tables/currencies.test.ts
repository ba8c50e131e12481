import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DatabaseSource, onEachDriver } from '../../testing/databases.js'
import { openSampleStorage, type SampleStorage } from '../../testing/sample-storage.js'
import type { Database } from '../database/database.js'
import { migrate, readMigrations } from '../database/migrate.js'
import type { Storage } from '../storage.js'

onEachDriver('currencies on', (start) => {
  let source: DatabaseSource
  let database: Database
  let storage: Storage
  let resellerA: SampleStorage['resellerA']

  beforeAll(async () => {
    ;({ source, database, storage, resellerA } = await openSampleStorage(start))
  })
  afterAll(() => source?.stop())

  describe('exchange rates', () => {
    const rate = (from: string, to: string, at?: string) =>
      storage.as(resellerA).currencies.rate(from, to, at)

    it('against the base currency are the dated ones', async () => {
      expect(await rate('EUR', 'USD', '2026-03-01T12:00:00Z')).toEqual({
        rate: 1.0825,
        effectiveFrom: '2026-01-01T00:00:00Z',
      })
    })

    it('change exactly at their effective moment', async () => {
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

    it('are the present ones by default', async () => {
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

    it('in the far future are the last ones', async () => {
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

    it('with too many digits are migrated to the values that were returned', {
      tags: 'long',
    }, async () => {
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
})
