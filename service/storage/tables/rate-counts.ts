import type { Queryable, Statement } from '../database/database.js'

/** The count of a key in one window of time. */
interface RateCount {
  readonly key: string
  /** Seconds since the epoch. */
  readonly starts: number
  readonly ends: number
  readonly amount: number
}

/** Counts that several nodes share. */
export interface RateCounts {
  /**
   * Adds the counts of this node and returns the totals of all nodes. An amount of 0 only reads. The result omits keys
   * without any count.
   */
  add(counts: readonly RateCount[]): Promise<readonly Omit<RateCount, 'ends'>[]>
  /** Removes windows that ended before a moment in seconds since the epoch. */
  forget(before: number): Promise<void>
}

export function rateCounts(database: Queryable): RateCounts {
  return {
    async add(counts) {
      if (counts.length === 0) return []
      const rows = await database.query<CountRow>(addCounts, [JSON.stringify(counts)])
      return rows.map(({ key, starts, amount }) => ({ key, starts: Number(starts), amount: Number(amount) }))
    },
    async forget(before) {
      await database.query(deleteCounts, [String(Math.floor(before))])
    },
  }
}

interface CountRow {
  readonly key: string
  readonly starts: string
  readonly amount: string
}

// In the order of the primary key, so that two nodes never deadlock.
const addCounts: Statement = {
  prepared: true,
  text: `with given as (
      select key, starts, ends, amount
        from jsonb_to_recordset($1::jsonb) as given (key text, starts bigint, ends bigint, amount bigint)
    ), added as (
      insert into rate_counts (key, starts, ends, amount)
      select key, starts, ends, amount from given where amount <> 0 order by key, starts
      on conflict (key, starts) do update set amount = rate_counts.amount + excluded.amount
      returning key, starts, amount
    )
    select key, starts, amount from added
    union all
    select key, starts, rate_counts.amount
      from rate_counts join given using (key, starts) where given.amount = 0`,
}

const deleteCounts: Statement = {
  prepared: true,
  text: `delete from rate_counts where (key, starts) in (
      select key, starts from rate_counts where ends < $1::bigint for update skip locked
    )`,
}
