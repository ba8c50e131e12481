import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DatabaseSource, onEachDriver } from '../../testing/databases.js'
import type { Database } from '../database/database.js'
import { migrate, readMigrations } from '../database/migrate.js'
import { rateCounts } from './rate-counts.js'

onEachDriver('rate counts on', (start) => {
  let source: DatabaseSource
  let database: Database
  beforeAll(async () => {
    source = await start()
    ;({ database } = await source.empty())
    await migrate(database, await readMigrations())
  })
  afterAll(() => source?.stop())

  it('add up by key and window, and return the totals', async () => {
    const counts = rateCounts(database)
    const window = { starts: 1_200, ends: 1_260 }
    expect(await counts.add([])).toEqual([])
    await counts.add([{ key: 'user:7', ...window, amount: 3 }])
    const answered = await counts.add([
      { key: 'user:8', ...window, amount: 1 },
      { key: 'user:7', ...window, amount: 2 },
      { key: 'user:7', starts: 1_260, ends: 1_320, amount: 4 },
    ])
    expect([...answered].sort((a, b) => a.amount - b.amount)).toEqual([
      { key: 'user:8', starts: 1_200, amount: 1 },
      { key: 'user:7', starts: 1_260, amount: 4 },
      { key: 'user:7', starts: 1_200, amount: 5 },
    ])
  })

  it('return the totals without adding to them', async () => {
    const counts = rateCounts(database)
    const ask = { starts: 2_400, ends: 2_460, amount: 0 }
    expect(await counts.add([{ key: 'asked:7', ...ask }])).toEqual([])
    await counts.add([{ key: 'asked:7', ...ask, amount: 3 }])
    expect(await counts.add([{ key: 'asked:7', ...ask }])).toEqual([
      { key: 'asked:7', starts: 2_400, amount: 3 },
    ])
    expect(await database.query("select key from rate_counts where key = 'asked:7'")).toHaveLength(1)
    await database.query("delete from rate_counts where key = 'asked:7'")
  })

  it('accept concurrent counts of several nodes', async () => {
    const counts = rateCounts(database)
    const keys = Array.from({ length: 20 }, (_, index) => `shared:${index}`)
    const given = (all: readonly string[]) => all.map((key) => ({ key, starts: 0, ends: 60, amount: 1 }))
    await Promise.all(
      Array.from({ length: 8 }, (_, node) => counts.add(given(node % 2 === 0 ? keys : [...keys].reverse()))),
    )
    const answered = await counts.add(given(keys))
    expect(new Set(answered.map(({ amount }) => amount))).toEqual(new Set([9]))
  })

  it('remove windows that are over', async () => {
    const counts = rateCounts(database)
    await counts.forget(1_260)
    const rows = await database.query<{ key: string }>('select key from rate_counts order by key, starts')
    expect(rows.map(({ key }) => key)).toEqual(['user:7', 'user:7', 'user:8'])
    await counts.forget(1_261)
    expect(await database.query('select key from rate_counts')).toHaveLength(1)
  })
})
