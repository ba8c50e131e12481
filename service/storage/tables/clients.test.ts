import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DatabaseSource, onEachDriver } from '../../testing/databases.js'
import { openSampleStorage, type SampleStorage, terms } from '../../testing/sample-storage.js'
import type { Database, Queryable } from '../database/database.js'
import type { ClientSearch, Storage } from '../storage.js'
import { clientStore } from './clients.js'
import type { Scope } from './scope.js'

const everyone = { resellerId: null }

onEachDriver('listings of clients on', (start) => {
  let source: DatabaseSource
  let database: Database
  let storage: Storage
  let resellerA: SampleStorage['resellerA']
  let resellerB: SampleStorage['resellerB']

  beforeAll(async () => {
    ;({ source, database, storage, resellerA, resellerB } = await openSampleStorage(start))
  })
  afterAll(() => source?.stop())

  const search = (scope: Scope, part: Partial<ClientSearch> = {}) =>
    storage.as(scope).clients.search({ limit: 20, offset: 0, order: [], ...part })
  const ids = async (scope: Scope, part: Partial<ClientSearch> = {}) =>
    (await search(scope, part)).map(({ id }) => id)

  it('contain the clients by id', async () => {
    expect(await search(resellerA, { limit: 2 })).toEqual([
      { id: 1, name: 'Aurora Calling', credit: 250.5, currency: 'EUR', version: '1' },
      { id: 2, name: 'Blue Harbor Telecom', credit: 1200.75, currency: 'USD', version: '1' },
    ])
  })

  it('contain only clients of the Reseller, for every query', async () => {
    expect(await ids(resellerA)).toEqual([1, 2, 3])
    expect(await ids(resellerB)).toEqual([4, 5, 6])
    expect(await ids(everyone)).toEqual([1, 2, 3, 4, 5, 6])
    expect(await ids({ resellerId: 999 })).toEqual([])
    expect(await ids(resellerA, { id: 4 })).toEqual([])
    expect(await ids(resellerA, { name: 'Delta Dial' })).toEqual([])
    expect(await ids(resellerB, { currency: 'USD' })).toEqual([])
    expect(await ids(resellerB, { offset: 2 })).toEqual([6])
    expect(await ids(resellerB, { order: ['-name'], limit: 1 })).toEqual([6])
  })

  it('are refused without a principal', () => {
    expect(() => storage.as(undefined)).toThrow(expect.objectContaining({ code: 'unauthenticated' }))
  })

  it('are filtered by id, by the exact name and by currency', async () => {
    expect(await ids(everyone, { id: 4 })).toEqual([4])
    expect(await ids(everyone, { name: 'Cedar Voice' })).toEqual([3])
    expect(await ids(everyone, { name: 'cedar voice' })).toEqual([])
    expect(await ids(everyone, { currency: 'EUR' })).toEqual([1, 4, 6])
    expect(await ids(resellerB, { currency: 'EUR', name: 'Fjord Connect', id: 6 })).toEqual([6])
    expect(await ids(everyone, { currency: 'USD', name: 'Cedar Voice' })).toEqual([])
  })

  it.each(['\0', 'a\ud800b', "'; drop table clients; --", '%', '?', '$1'])(
    'have no name %j',
    async (name) => {
      expect(await ids(everyone, { name })).toEqual([])
      expect(await ids(resellerA, { name, currency: 'EUR' })).toEqual([])
    },
  )

  it('are in the requested order, ties by id', async () => {
    await database.transaction(async (transaction) => {
      await transaction.query(
        "insert into clients (reseller_id, name, currency) values ($1::bigint, 'Aurora Calling', 'EUR')",
        [String(resellerA.resellerId)],
      )
    })
    expect(await ids(resellerA, { order: ['name'] })).toEqual([1, 7, 2, 3])
    expect(await ids(resellerA, { order: ['-name'] })).toEqual([3, 2, 1, 7])
    expect(await ids(resellerA, { order: ['-name', '-id'] })).toEqual([3, 2, 7, 1])
    expect(await ids(everyone, { order: ['-id'], limit: 2, offset: 1 })).toEqual([6, 5])
    await expect(ids(everyone, { order: ['reseller_id'] })).rejects.toThrow('sort column')
    await expect(ids(everyone, { order: ['__proto__'] })).rejects.toThrow('sort column')
  })

  it('use an index of the Reseller instead of reading all clients', { tags: 'long' }, async () => {
    await database.query(
      `insert into resellers (name) select 'R' || n from generate_series(1, 200) n;
      insert into clients (reseller_id, name, currency)
        select r.id, 'C' || n, 'EUR' from resellers r, generate_series(1, 50) n;
      analyze clients`,
    )
    const plans: unknown[] = []
    const explaining: Queryable = {
      async query(statement, values) {
        const { text } = typeof statement === 'string' ? { text: statement } : statement
        plans.push(...(await database.query(`explain ${text}`, values)))
        return []
      },
    }
    const everything = { limit: 20, offset: 0, order: ['name'] }
    await clientStore(explaining, { resellerId: 7 }).search(everything)
    expect(JSON.stringify(plans)).toContain('using clients_reseller_id_name on clients')
    plans.length = 0
    await clientStore(explaining, { resellerId: 7 }).search({ ...everything, order: [], currency: 'EUR' })
    expect(JSON.stringify(plans)).not.toContain('Seq Scan')
  })

  describe('a name', () => {
    const rename = (id: number, name: string) => storage.as(resellerB).clients.update(id, { name }, terms)

    it('is changed alone, or with the credit', async () => {
      expect(await rename(4, 'Ʌelta ☎')).toEqual({
        id: 4,
        name: 'Ʌelta ☎',
        credit: 9999.9999,
        currency: 'EUR',
        version: '2',
      })
      const both = await storage.as(resellerB).clients.update(4, { name: 'Delta Dial', credit: 1.5 }, terms)
      expect(both).toMatchObject({ name: 'Delta Dial', credit: 1.5 })
      expect(await storage.as(resellerB).clients.update(4, { credit: 2 }, terms)).toMatchObject({
        name: 'Delta Dial',
      })
    })

    it('of another Reseller’s client is not', async () => {
      expect(await rename(1, 'Mine')).toBeUndefined()
      expect(await storage.as(everyone).clients.get(1)).toMatchObject({ name: 'Aurora Calling' })
    })

    it.each(['\0', 'a\ud800b'])('that the column can’t hold is a violation at /name: %j', async (name) => {
      await expect(rename(4, name)).rejects.toMatchObject({
        code: 'validation_failed',
        violations: [{ path: '/name' }],
      })
    })
  })
})
