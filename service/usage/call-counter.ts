import type { CallEvent } from 'duet-runtime'
import {
  type CallCount,
  type CallCountStore,
  stretchSeconds,
  timeBounds,
} from '../storage/tables/call-counts.js'

/** Counts the calls of this node, and adds the counts to those of all nodes once a minute. */
export interface CallCounter {
  count(event: Pick<CallEvent<unknown>, 'operation' | 'protocol' | 'durationMs' | 'code'>): void
  /** Stores what was counted. Counts that cannot be stored are kept for the next time, up to a bound. */
  flush(): Promise<void>
}

/**
 * @param operations names of the operations that are counted apart
 * @param now milliseconds since the epoch; for tests
 */
export function createCallCounter(
  store: Pick<CallCountStore, 'add'>,
  operations: ReadonlySet<string>,
  now: () => number = Date.now,
): CallCounter {
  let counts = new Map<string, MutableCount>()
  const countOf = (starts: number, operation: string, protocol: string) => {
    const key = `${starts} ${operation} ${protocol}`
    const known = counts.get(key)
    if (known !== undefined || counts.size >= mostCounts) return known
    const fresh = { starts, operation, protocol, calls: 0, errors: 0, refused: 0, times: noTimes() }
    counts.set(key, fresh)
    return fresh
  }
  return {
    count({ operation = '', protocol, durationMs, code }) {
      // Requests of the administration area are no calls.
      if (operation !== '' && !operations.has(operation)) return
      const starts = Math.floor(now() / 1000 / stretchSeconds) * stretchSeconds
      const count = countOf(starts, operation, protocol)
      if (count === undefined) return
      count.calls += 1
      if (code !== undefined) count[refusals.has(code) ? 'refused' : 'errors'] += 1
      const slot = timeBounds.findIndex((bound) => durationMs <= bound)
      const place = slot === -1 ? timeBounds.length : slot
      count.times[place] = (count.times[place] ?? 0) + 1
    },
    async flush() {
      if (counts.size === 0) return
      const given = counts
      counts = new Map()
      try {
        await store.add([...given.values()])
      } catch (error) {
        for (const count of given.values())
          merge(countOf(count.starts, count.operation, count.protocol), count)
        throw error
      }
    },
  }
}

/** Hours of counts, if the database is away. */
const mostCounts = 2_000

/** Codes of calls that credentials, a limit or the load refused. */
const refusals: ReadonlySet<string> = new Set([
  'unauthenticated',
  'invalid_api_key',
  'invalid_token',
  'rate_limited',
  'unavailable',
])

type MutableCount = { -readonly [Name in keyof CallCount]: CallCount[Name] } & { times: number[] }

function noTimes(): number[] {
  return [...timeBounds, 0].map(() => 0)
}

function merge(into: MutableCount | undefined, count: CallCount): void {
  if (into === undefined) return
  into.calls += count.calls
  into.errors += count.errors
  into.refused += count.refused
  into.times = into.times.map((time, slot) => time + (count.times[slot] ?? 0))
}
