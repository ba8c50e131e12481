import type { Protocol } from '../contract/operation.js'
import { coveredDays, daysBetween, type UsageWindow } from './days.js'
import { OTHERS, type UsageEntry } from './entry.js'

/** A version, or an operation of it, that is deprecated. */
export interface Ending {
  readonly version: string
  /** Absent: the version as a whole. */
  readonly operation?: string
  /** The first day on which it is not served: `2027-06-30`. Absent: none is announced. */
  readonly sunset?: string
}

/** The callers of a deprecated version or operation. */
export interface EndingUsage extends Ending {
  /** `kept`: it has no callers. `called`: it has. `unknown`: the ledger covers too few days. */
  readonly verdict: 'kept' | 'called' | 'unknown'
  /** `in 218 days; 2 consumers still call it, last on 2026-11-20`. */
  readonly text: string
  readonly calls: number
  /** Sorted by calls, the most first. */
  readonly callers: readonly Caller[]
}

export interface Caller {
  readonly protocol: Protocol
  readonly consumer: string
  readonly calls: number
  /** `2026-11-20`. */
  readonly last: string
}

/** The calls of the last days. */
export interface RecentUsage extends UsageWindow {
  /** Calls of the last `days` days. */
  readonly sums: readonly Pick<
    UsageEntry,
    'version' | 'operation' | 'protocol' | 'consumer' | 'calls' | 'last'
  >[]
  /** The first day of the ledger. Undefined: it is empty. */
  readonly first: string | undefined
  /** The last day of the ledger. Absent: it still grows. */
  readonly last?: string | undefined
}

/** The deprecated operations of a version. `sunset` is in seconds since the epoch. */
export function deprecatedOperations(
  version: string,
  operations: readonly {
    readonly name: string
    readonly deprecation?: { readonly sunset?: number } | undefined
  }[],
): Ending[] {
  return operations.flatMap(({ name: operation, deprecation }): Ending[] => {
    if (deprecation === undefined) return []
    const { sunset } = deprecation
    const day = sunset === undefined ? undefined : new Date(sunset * 1000).toISOString().slice(0, 10)
    return [{ version, operation, ...(day !== undefined && { sunset: day }) }]
  })
}

/** Who still calls a deprecated version or operation, and whether it can end on its day. */
export function endingUsage(
  ending: Ending,
  { today, days, sums, first, last: end = today }: RecentUsage,
): EndingUsage {
  const own = sums.filter(
    ({ version, operation }) =>
      version === ending.version && (ending.operation === undefined || operation === ending.operation),
  )
  const callers = callersOf(own)
  const calls = callers.reduce((sum, caller) => sum + caller.calls, 0)
  const { sunset } = ending
  const when = sunset === undefined ? 'no day is announced' : dayText(sunset, today)
  if (calls > 0) {
    const names = new Set(callers.map(({ consumer }) => consumer))
    const least = names.has(OTHERS) ? 'at least ' : ''
    const who = names.size === 1 ? '1 consumer still calls' : `${names.size} consumers still call`
    const last = callers
      .map((caller) => caller.last)
      .sort()
      .at(-1)
    return {
      ...ending,
      verdict: 'called',
      text: `${when}; ${least}${who} it, last on ${last}`,
      calls,
      callers,
    }
  }
  const known = coveredDays({ first, last: end }, { today, days })
  return known < days
    ? {
        ...ending,
        verdict: 'unknown',
        text:
          known === 0
            ? `${when}; no recent calls are recorded`
            : `${when}; no call was recorded, but the record covers only ${known} of the ${daysText(days)} needed`,
        calls,
        callers,
      }
    : {
        ...ending,
        verdict: 'kept',
        text: `${when}; nobody has called it in ${daysText(days)}`,
        calls,
        callers,
      }
}

function callersOf(sums: RecentUsage['sums']): readonly Caller[] {
  const callers = new Map<string, Caller>()
  for (const { protocol, consumer, calls, last } of sums) {
    const key = JSON.stringify([protocol, consumer])
    const known = callers.get(key)
    const day = last.slice(0, 10)
    callers.set(key, {
      protocol,
      consumer,
      calls: calls + (known?.calls ?? 0),
      last: known !== undefined && known.last > day ? known.last : day,
    })
  }
  return [...callers.values()].sort(
    (one, other) => other.calls - one.calls || (one.consumer < other.consumer ? -1 : 1),
  )
}

function dayText(sunset: string, today: string): string {
  const left = daysBetween(today, sunset)
  if (left > 0) return `in ${daysText(left)}`
  return left === 0 ? 'today' : `${daysText(-left)} ago`
}

function daysText(days: number): string {
  return days === 1 ? '1 day' : `${days} days`
}
