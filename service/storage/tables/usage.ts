import { type Ledger, mergeUsage, OTHERS, type Protocol, type UsageEntry } from 'duet-runtime'
import type { Database, Queryable, SqlValue, Statement } from '../database/database.js'

/** The ledger of usage, which all nodes add to. */
export interface UsageStore extends Ledger {
  /**
   * Adds entries, and removes those of days that are too old. Beyond a number of entries a day, all consumers count as
   * one, `others`.
   */
  record(entries: readonly UsageEntry[]): Promise<void>
  /** Entries since a day, `2026-11-20`, in the order in which they came. Calls `each` with some of them at a time. */
  read(since: string, each: (entries: readonly UsageEntry[]) => void | Promise<void>): Promise<void>
  /** The sums since a day, by version, operation, protocol and consumer, the latest first. At most `limit`. */
  sums(since: string, limit: number): Promise<readonly UsageSum[]>
  /** The first day of which it has entries. Undefined: it is empty. */
  first(): Promise<string | undefined>
}

export interface UsageSum {
  readonly version: string
  readonly operation: string
  readonly protocol: Protocol
  readonly consumer: string
  readonly calls: number
  /** The calls that a change to the next version breaks. */
  readonly broken: number
  /** UTC datetime. */
  readonly last: string
}

/** @param days how long entries are kept */
export function usageStore(database: Database, days: number, mostEntries = 20_000): UsageStore {
  return {
    record: (entries) => add(database, entries, days, mostEntries),
    async read(since, each) {
      for (let last = '0'; ; ) {
        const rows = await database.query<UsageRow>(readPage, [since, last])
        const [end] = rows.slice(-1)
        if (end === undefined) return
        await each(rows.map(toEntry))
        last = end.id
      }
    },
    async first() {
      const [row] = await database.query<{ day: string }>('select min(day)::text as day from usage_calls')
      return row?.day ?? undefined
    },
    async sums(since, limit) {
      const rows = await database.query<SumRow>(sumUp, [since, String(limit)])
      return rows.map((row) => ({ ...row, calls: Number(row.calls), broken: Number(row.broken) }))
    },
  }
}

async function add(
  database: Database,
  entries: readonly UsageEntry[],
  days: number,
  mostEntries: number,
): Promise<void> {
  if (entries.length === 0) return
  await database.transaction(async (transaction) => {
    const full = await fullDays(transaction, entries, mostEntries)
    const given = entries.map((entry) => (full.has(entry.day) ? { ...entry, consumer: OTHERS } : entry))
    // In the order of the keys, so that two nodes never deadlock.
    const merged = mergeUsage(given).map((entry) => ({
      ...entry,
      next: entry.next ?? '',
      watched: entry.watched ?? '',
    }))
    await transaction.query(addEntries, [JSON.stringify(merged)])
    await transaction.query(forget, [String(days)])
  })
}

async function fullDays(
  database: Queryable,
  entries: readonly UsageEntry[],
  mostEntries: number,
): Promise<ReadonlySet<string>> {
  const days: SqlValue = JSON.stringify([...new Set(entries.map(({ day }) => day))])
  const rows = await database.query<{ day: string }>(countDays, [days, String(mostEntries)])
  return new Set(rows.map(({ day }) => day))
}

interface UsageRow {
  readonly id: string
  readonly day: string
  readonly api: string
  readonly version: string
  readonly next: string
  readonly watched: string
  readonly operation: string
  readonly protocol: Protocol
  readonly consumer: string
  readonly calls: string
  readonly sampled: string
  readonly unattributed: string
  readonly last: string
  /** JSON text. */
  readonly hits: string
}

type SumRow = Omit<UsageSum, 'calls' | 'broken'> & { readonly calls: string; readonly broken: string }

function toEntry(row: UsageRow): UsageEntry {
  const { id: _, next, watched, calls, sampled, unattributed, hits, ...others } = row
  return {
    ...others,
    ...(next !== '' && { next }),
    ...(watched !== '' && { watched }),
    calls: Number(calls),
    sampled: Number(sampled),
    unattributed: Number(unattributed),
    hits: JSON.parse(hits),
  }
}

const moment = `'YYYY-MM-DD"T"HH24:MI:SS"Z"'`

const addEntries: Statement = {
  text: `with given as (
      select * from jsonb_to_recordset($1::jsonb) as given (
        day date, api text, version text, next text, watched text, operation text, protocol text, consumer text,
        calls bigint, sampled bigint, unattributed bigint, last timestamptz, hits jsonb
      )
    ), added as (
      insert into usage_calls as known (
        day, api, version, next, watched, operation, protocol, consumer, calls, sampled, unattributed, last
      )
      select day, api, version, next, watched, operation, protocol, consumer, calls, sampled, unattributed, last
        from given
      on conflict (day, version, operation, protocol, consumer, next, watched, api) do update
        set calls = known.calls + excluded.calls, sampled = known.sampled + excluded.sampled,
          unattributed = known.unattributed + excluded.unattributed, last = greatest(known.last, excluded.last)
      returning id, day, api, version, next, watched, operation, protocol, consumer
    )
    insert into usage_hits as known (usage_id, fingerprint, calls, last)
    select added.id, hit.key, (hit.value ->> 'calls')::bigint, (hit.value ->> 'last')::timestamptz
      from added join given using (day, api, version, next, watched, operation, protocol, consumer),
        jsonb_each(given.hits) as hit
    on conflict (usage_id, fingerprint) do update
      set calls = known.calls + excluded.calls, last = greatest(known.last, excluded.last)`,
}

const countDays: Statement = {
  text: `select day::text as day from usage_calls
    where day in (select jsonb_array_elements_text($1::jsonb)::date)
    group by day having count(*) >= $2::bigint`,
}

const forget: Statement = {
  text: `delete from usage_calls where id in (
      select id from usage_calls where day < (now() at time zone 'UTC')::date - $1::int
        order by id limit 5000 for update skip locked
    )`,
}

const readPage: Statement = {
  text: `select id, day::text as day, api, version, next, watched, operation, protocol, consumer,
      calls, sampled, unattributed, to_char(last at time zone 'UTC', ${moment}) as last,
      coalesce((
        select jsonb_object_agg(fingerprint, jsonb_build_object(
          'calls', hits.calls, 'last', to_char(hits.last at time zone 'UTC', ${moment})
        )) from usage_hits hits where usage_id = id
      ), '{}')::text as hits
    from usage_calls where day >= $1::date and id > $2::bigint order by id limit 1000`,
}

const sumUp: Statement = {
  text: `select version, operation, protocol, consumer, sum(calls)::bigint as calls,
      coalesce(sum((select max(hits.calls) from usage_hits hits where usage_id = id)), 0)::bigint as broken,
      to_char(max(last) at time zone 'UTC', ${moment}) as last
    from usage_calls where day >= $1::date
    group by version, operation, protocol, consumer
    order by max(last) desc, version, operation, protocol, consumer limit $2::int`,
}
