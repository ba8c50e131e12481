import { ProblemError } from 'duet-runtime'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runs } from '../../test/runs.js'
import { type DatabaseSource, onEachDriver } from '../testing/databases.js'
import { openSampleStorage, type SampleStorage, terms } from '../testing/sample-storage.js'
import type { Database } from './database/database.js'
import type { Storage } from './storage.js'

const everyone = { resellerId: null }

onEachDriver('storage on', (start) => {
  let source: DatabaseSource
  let database: Database
  let storage: Storage
  let resellerA: SampleStorage['resellerA']
  let resellerB: SampleStorage['resellerB']

  beforeAll(async () => {
    ;({ source, database, storage, resellerA, resellerB } = await openSampleStorage(start))
  })
  afterAll(() => source?.stop())

  describe('column values', () => {
    it('are the same on both drivers: bigint and numeric as text, timestamptz as UTC text with microseconds', async () => {
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

    it('of bytea round-trip', async () => {
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
        version: '1',
      })
      expect(await storage.as(resellerB).clients.get(4)).toMatchObject({ id: 4, credit: 9999.9999 })
    })

    it('of another reseller look like missing ones', async () => {
      expect(await storage.as(resellerA).clients.get(4)).toBeUndefined()
      expect(await storage.as(resellerB).clients.get(1)).toBeUndefined()
      expect(await storage.as(resellerA).clients.get(999)).toBeUndefined()
    })

    it('of another reseller are not changed', async () => {
      expect(await storage.as(resellerA).clients.update(4, { credit: 1 }, terms)).toBeUndefined()
      expect(await storage.as(everyone).clients.get(4)).toMatchObject({ credit: 9999.9999 })
    })

    it('are all visible to a user without a reseller', async () => {
      const found = await Promise.all([1, 2, 3, 4, 5, 6].map((id) => storage.as(everyone).clients.get(id)))
      expect(found.map((client) => client?.id)).toEqual([1, 2, 3, 4, 5, 6])
    })

    it('are refused without a principal', () => {
      expect(() => storage.as(undefined)).toThrow(expect.objectContaining({ code: 'unauthenticated' }))
    })

    it.each([0, -1, 1.5, 2 ** 53, 1e300, Number.NaN])('have no id %s', async (id) => {
      expect(await storage.as(everyone).clients.get(id)).toBeUndefined()
      expect(await storage.as(everyone).clients.update(id, { credit: 1 }, terms)).toBeUndefined()
    })

    it('are returned unchanged when there is nothing to change', async () => {
      expect(await storage.as(resellerA).clients.update(2, {}, terms)).toMatchObject({
        id: 2,
        credit: 1200.75,
      })
      expect(await storage.as(resellerB).clients.update(2, {}, terms)).toBeUndefined()
    })

    it('throw a violation at /credit for a credit that the column would round', async () => {
      const failure = await storage
        .as(resellerA)
        .clients.update(1, { credit: 0.00001 }, terms)
        .catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(ProblemError)
      expect(failure).toMatchObject({ code: 'validation_failed', violations: [{ path: '/credit' }] })
      expect(await storage.as(resellerA).clients.get(1)).toMatchObject({ credit: 250.5 })
    })

    it('return every credit of four decimal places exactly', async () => {
      const credits = fc.integer({ min: -(10 ** 15 - 1), max: 10 ** 15 - 1 }).map((units) => units / 10_000)
      await fc.assert(
        fc.asyncProperty(credits, async (credit) => {
          const updated = await storage.as(resellerA).clients.update(3, { credit }, terms)
          expect(updated?.credit).toBe(credit === 0 ? 0 : credit)
        }),
        { numRuns: runs(60, 600), examples: [[99_999_999_999.9999], [-99_999_999_999.9999], [0.1], [-0]] },
      )
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
