/** The first and the last day of a ledger, by UTC. Undefined: it is empty. */
export interface LedgerSpan {
  readonly first: string | undefined
  readonly last: string | undefined
}

/** The last `days` days before a day, and that day. */
export interface UsageWindow {
  /** UTC: `2026-11-21`. */
  readonly today: string
  readonly days: number
}

/**
 * The last day, and the first one before it without a gap of more than a week, in which nobody may have counted. Days
 * after `today` say nothing.
 */
export function spanOf(found: Iterable<string>, today: string): LedgerSpan {
  const days = [...new Set(found)].filter((day) => day <= today).sort()
  const isAfterGap = (day: string, index: number) => daysBetween(days[index - 1] ?? day, day) > mostGap
  return { first: days[Math.max(days.findLastIndex(isAfterGap), 0)], last: days.at(-1) }
}

/** Days without a call that may be a quiet week. */
const mostGap = 7

/** How many days of a window a ledger covers, at most all. */
export function coveredDays({ first, last }: LedgerSpan, window: UsageWindow): number {
  if (first === undefined || last === undefined) return 0
  const start = windowStart(window)
  const covered = 1 + daysBetween(first < start ? start : first, last)
  return Math.min(Math.max(covered, 0), window.days)
}

/** The first day whose calls count. */
export function windowStart({ today, days }: UsageWindow): string {
  return new Date(Date.parse(today) - days * DAY_MS).toISOString().slice(0, 10)
}

/** Whole days from one day to another. */
export function daysBetween(one: string, other: string): number {
  return Math.round((Date.parse(other) - Date.parse(one)) / DAY_MS)
}

const DAY_MS = 86_400_000
