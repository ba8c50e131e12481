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

/** From the first day to the last one, whatever the order. Days after `today` say nothing. */
export function spanOf(found: Iterable<string>, today: string): LedgerSpan {
  let [first, last]: (string | undefined)[] = []
  for (const day of found) {
    if (day > today) continue
    if (first === undefined || day < first) first = day
    if (last === undefined || day > last) last = day
  }
  return { first, last }
}

/** How many days of a window a ledger covers, at most all. Between its first and its last day it has no gaps. */
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
