import type { UsageEntry } from 'duet-runtime'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type DatabaseSource, onEachDriver } from '../../testing/databases.js'
import type { Database } from '../database/database.js'
import { migrate, readMigrations } from '../database/migrate.js'
import { usageStore } from './usage.js'

const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
const today = day(0)
const entry = (more: Partial<UsageEntry> = {}): UsageEntry => ({
  day: today,
  api: 'Billing',
  version: '1.1.0',
  next: '2.0.0',
  watched: 'w1',
  protocol: 'rest',
  operation: 'clients.search',
  consumer: 'a1',
  calls: 3,
  sampled: 2,
  unattributed: 1,
  last: `${today}T10:00:00Z`,
  hits: { f1: { calls: 1, last: `${today}T09:00:00Z` } },
  ...more,
})

onEachDriver('the ledger of usage on', (start) => {
  let source: DatabaseSource
  let database: Database
  beforeAll(async () => {
    source = await start()
    ;({ database } = await source.empty())
    await migrate(database, await readMigrations())
  })
  afterAll(() => source?.stop())
  beforeEach(() => database.query('delete from usage_calls'))

  const all = async (since = '0001-01-01') => {
    const found: UsageEntry[] = []
    await usageStore(database, 90).read(since, (entries) => void found.push(...entries))
    return found
  }

  it('adds entries of nodes and returns them', async () => {
    const store = usageStore(database, 90)
    const bare = entry({ consumer: 'b2', hits: {}, protocol: 'jsonrpc' })
    const { next: _, watched: __, ...counted } = bare
    await Promise.all([
      store.record([entry(), counted]),
      store.record([entry({ calls: 4, last: `${today}T08:00:00Z` })]),
    ])
    await store.record([
      entry({
        hits: { f1: { calls: 5, last: `${today}T11:00:00Z` }, f2: { calls: 1, last: `${today}T07:00:00Z` } },
      }),
    ])
    await store.record([])
    const found = await all()
    expect(found).toHaveLength(2)
    expect(found).toContainEqual(counted)
    expect(found).toContainEqual(
      entry({
        calls: 10,
        sampled: 6,
        unattributed: 3,
        hits: { f1: { calls: 7, last: `${today}T11:00:00Z` }, f2: { calls: 1, last: `${today}T07:00:00Z` } },
      }),
    )
  })

  it('removes days that are too old, and returns those since a day', async () => {
    await usageStore(database, 90).record([entry({ day: day(80) }), entry({ day: day(2) })])
    expect(await all(day(3))).toMatchObject([{ day: day(2) }])
    await usageStore(database, 30).record([entry()])
    expect((await all()).map((each) => each.day)).toEqual([day(2), today])
  })

  it('counts consumers as one when a day has too many entries', async () => {
    const store = usageStore(database, 90, 2)
    await store.record([entry(), entry({ consumer: 'b2' })])
    await store.record([
      entry({ consumer: 'c3' }),
      entry({ consumer: 'd4' }),
      entry({ day: day(1), consumer: 'e5' }),
    ])
    expect((await all()).map(({ consumer, calls }) => [consumer, calls])).toEqual([
      ['a1', 3],
      ['b2', 3],
      ['e5', 3],
      ['others', 6],
    ])
  })

  it('sums up by version, operation, protocol and consumer', async () => {
    const store = usageStore(database, 90)
    await store.record([
      entry({ day: day(1), last: `${day(1)}T10:00:00Z` }),
      entry(),
      entry({ consumer: 'b2', hits: {}, last: `${today}T09:00:00Z` }),
    ])
    const [first, second, ...more] = await store.sums(day(30), 10)
    expect(first).toEqual({
      version: '1.1.0',
      operation: 'clients.search',
      protocol: 'rest',
      consumer: 'a1',
      calls: 6,
      broken: 2,
      last: `${today}T10:00:00Z`,
    })
    expect(second).toMatchObject({ consumer: 'b2', calls: 3, broken: 0 })
    expect(more).toEqual([])
    expect(await store.sums(day(30), 1)).toHaveLength(1)
  })

  it('is hidden from the scope of a Reseller', async () => {
    await usageStore(database, 90).record([entry()])
    for (const table of ['usage_calls', 'usage_hits']) {
      const rows = database.query({ text: `select 1 from ${table}`, reseller: '1' })
      expect(await rows.catch(() => [])).toEqual([])
    }
  })
})
