import { expect, it } from 'vitest'
import { timezoneNamed } from './timezone.js'

it.each([
  ['europe/berlin', 'Europe/Berlin'],
  ['AMERICA/NEW_YORK', 'America/New_York'],
  ['utc', 'UTC'],
  ['America/Port-au-Prince', 'America/Port-au-Prince'],
])('a time zone is found in any case: %s', (typed, name) => {
  expect(timezoneNamed(typed)).toBe(name)
})

it.each(['Mars', '+02:00', '', 'Europe/Berlin ', 'Europe/Berlin\n'])('%j is no time zone', (typed) => {
  expect(timezoneNamed(typed)).toBeUndefined()
})
