import { expect } from 'vitest'
import type { Queryable } from '../../service/storage/database/database.js'
import { protocols } from './call.js'
import { type Report, sendUpdate, type Update } from './load.js'
import type { System } from './system.js'

interface Entry {
  readonly id: string
  readonly entity_id: string
  readonly before: Readonly<Record<string, unknown>>
  readonly after: Readonly<Record<string, unknown>>
}

/** The audit trail in the order of changes. Read in parts, since an hour's trail exceeds the statement timeout. */
async function trailOf(database: Queryable): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  const length = 20_000
  for (let last = '0'; ; last = entries.at(-1)?.id ?? last) {
    const part = await database.query<Entry>(
      `select id, entity_id, before, after from audit
        where operation = 'clients.update' and id > $1 order by id limit ${length}`,
      [last],
    )
    for (const entry of part) entries.push(entry)
    if (part.length < length) return entries
  }
}

/** How often each credit was set. */
function times(entries: readonly Entry[]): ReadonlyMap<unknown, number> {
  const counts = new Map<unknown, number>()
  for (const { after } of entries) counts.set(after.credit, (counts.get(after.credit) ?? 0) + 1)
  return counts
}

/** Expects that every acknowledged update was made once. Returns how many of the open ones were made. */
export async function expectMade(database: Queryable, report: Report): Promise<{ made: number }> {
  const counts = times(await trailOf(database))
  expect(report.acknowledged.filter(({ credit }) => counts.get(credit) !== 1)).toEqual([])
  expect([...counts].filter(([, count]) => count > 1)).toEqual([])
  await expectWhole(database)
  return { made: report.open.filter(({ credit }) => counts.has(credit)).length }
}

/** The same, and that each open update is made exactly once if it is repeated, on any node over either protocol. */
export async function expectKept(system: System, report: Report): Promise<{ made: number }> {
  expect(report.wrong).toEqual([])
  const made = await expectMade(system.database, report)
  await sendAgain(system, report.open)
  const all = { ...report, acknowledged: [...report.acknowledged, ...report.open] }
  await expectMade(system.database, all)
  return made
}

/** Expects that none of these updates was made. */
export async function expectNotMade({ database }: System, updates: readonly Update[]): Promise<void> {
  const counts = times(await trailOf(database))
  expect(updates.filter(({ credit }) => counts.has(credit))).toEqual([])
}

async function sendAgain({ urls, apiKey }: System, updates: readonly Update[]): Promise<void> {
  const queue = updates.map((update, index) => ({ update, index }))
  const work = async () => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      const { update, index } = next
      const url = urls()[index % urls().length] ?? ''
      for (const protocol of protocols) {
        expect(await sendUpdate(update, url, protocol, apiKey)).toMatchObject({ kind: 'done' })
      }
    }
  }
  await Promise.all(Array.from({ length: 4 }, work))
}

/** Expects that each client equals the end of its trail, and that each entry continues the previous one. */
async function expectWhole(database: Queryable): Promise<void> {
  const entries = await trailOf(database)
  const clients = await database.query<{ id: string; credit: string; version: string }>(
    'select id, credit, version from clients where id <= 3',
  )
  for (const { id, credit, version } of clients) {
    const own = entries.filter(({ entity_id }) => entity_id === id)
    const broken = own.filter(
      ({ before }, index) => index > 0 && before.version !== own[index - 1]?.after.version,
    )
    expect(broken).toEqual([])
    expect(version).toBe(String(own.length + 1))
    if (own.length > 0) expect(own.at(-1)?.after).toMatchObject({ credit: Number(credit), version })
  }
}
