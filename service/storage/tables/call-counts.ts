import type { Database, Statement } from '../database/database.js'

/** Calls of one operation over one protocol in a stretch of five minutes. */
export interface CallCount {
  /** Seconds since the epoch. */
  readonly starts: number
  /** Empty: the requests reached no operation. */
  readonly operation: string
  readonly protocol: string
  readonly calls: number
  /** Calls that answered a problem, without the refused ones. */
  readonly errors: number
  /** Calls that credentials, a limit or the load refused. */
  readonly refused: number
  /** Numbers of calls by {@link timeBounds}, and of longer ones last. */
  readonly times: readonly number[]
}

/** Bounds of the counted times in milliseconds. */
export const timeBounds = [5, 10, 25, 50, 100, 250, 500, 1000, 2500] as const

export const stretchSeconds = 300

/** Days for which counts are kept. */
const keptDays = 8

/** Counts of calls, which all nodes add to. */
export interface CallCountStore {
  /** Adds the counts of this node, and removes old ones. */
  add(counts: readonly CallCount[]): Promise<void>
  /** Sums since a moment, by operation, protocol and steps of `step` seconds. */
  sums(since: number, step: number): Promise<readonly CallCount[]>
}

export function callCountStore(database: Database): CallCountStore {
  return {
    async add(counts) {
      await database.query(addCounts, [JSON.stringify(counts)])
      await database.query(forget, [String(keptDays * 86_400)])
    },
    async sums(since, step) {
      const rows = await database.query<SumRow>(sumUp, [String(since), String(step)])
      return rows.map(({ starts, operation, protocol, calls, errors, refused, ...times }) => ({
        starts: Number(starts),
        operation,
        protocol,
        calls: Number(calls),
        errors: Number(errors),
        refused: Number(refused),
        times: slots.map((slot) => Number(times[`t${slot}`])),
      }))
    },
  }
}

const slots = [...timeBounds, Number.POSITIVE_INFINITY].map((_, index) => index + 1)

type SumRow = Readonly<
  Record<'starts' | 'operation' | 'protocol' | 'calls' | 'errors' | 'refused' | `t${number}`, string>
>

// In the order of the primary key, so that two nodes never deadlock.
const addCounts: Statement = {
  text: `insert into call_counts as known (starts, operation, protocol, calls, errors, refused, times)
    select starts, operation, protocol, calls, errors, refused,
        (select array_agg(value::bigint order by place) from jsonb_array_elements_text(times) with ordinality as one (value, place))
      from jsonb_to_recordset($1::jsonb) as given (
        starts bigint, operation text, protocol text, calls bigint, errors bigint, refused bigint, times jsonb
      ) order by starts, operation, protocol
    on conflict (starts, operation, protocol) do update
      set calls = known.calls + excluded.calls, errors = known.errors + excluded.errors,
        refused = known.refused + excluded.refused,
        times = (select array_agg(one.a + one.b order by place)
          from unnest(known.times, excluded.times) with ordinality as one (a, b, place))`,
}

const forget: Statement = {
  text: `delete from call_counts where starts < extract(epoch from now())::bigint - $1::bigint`,
}

const sumUp: Statement = {
  text: `select starts / $2::bigint * $2::bigint as starts, operation, protocol, sum(calls)::bigint as calls,
      sum(errors)::bigint as errors, sum(refused)::bigint as refused,
      ${slots.map((slot) => `sum(times[${slot}])::bigint as t${slot}`).join(', ')}
    from call_counts where starts >= $1::bigint
    group by 1, operation, protocol order by 1, operation, protocol`,
}
