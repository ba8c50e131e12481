import { expect, it } from 'vitest'
import { coveredDays, spanOf, windowStart } from './days.js'

const window = { today: '2026-11-30', days: 30 }

/** The days of a ledger with calls on one day of each week. */
function weekly(first: string, last: string): string[] {
  const days: string[] = []
  for (let at = Date.parse(first); at < Date.parse(last); at += 7 * 86_400_000)
    days.push(new Date(at).toISOString().slice(0, 10))
  return [...days, last]
}

it.each([
  [[], 0],
  [['2026-11-30'], 1],
  [weekly('2026-11-01', '2026-11-30'), 30],
  // Yesterday's export of a month.
  [weekly('2026-10-31', '2026-11-29'), 30],
  // The ledger began before the window.
  [weekly('2026-06-01', '2026-11-28'), 29],
  [weekly('2026-06-01', '2026-11-30'), 30],
  // Nobody may have counted in more than a week.
  [['2026-11-30', '2026-11-22'], 1],
  [['2026-06-01', '2026-11-29', '2026-11-30'], 2],
  // It ended before the window, or a clock was wrong.
  [['2026-06-01', '2026-10-01'], 0],
  [['2026-11-30', '2027-01-01'], 1],
])('a ledger with entries of %j covers %d of 30 days', (days, covered) => {
  expect(coveredDays(spanOf(days, window.today), window)).toBe(covered)
})

it('a window has so many days before a day', () => {
  expect(windowStart(window)).toBe('2026-10-31')
})
