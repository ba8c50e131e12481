import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { expect, test } from 'vitest'
import { runs } from '../../../test/runs.js'
import { timezoneNamed, toUtc, toZone } from './timezone.js'

test('knows IANA names in any case, including links', () => {
  expect(timezoneNamed('Europe/Berlin')).toBe('Europe/Berlin')
  expect(timezoneNamed('europe/berlin')).toBe('Europe/Berlin')
  expect(timezoneNamed('US/Eastern')).toBe('US/Eastern')
  expect(timezoneNamed('UTC')).toBe('UTC')
  expect(timezoneNamed('Etc/GMT+5')).toBe('Etc/GMT+5')
})

test.each(['', '+01:00', 'Z', 'Mars/Olympus', '__proto__', 'constructor', 'Europe/Berlin ', 'a'.repeat(500)])(
  '%j is no zone',
  (name) => expect(timezoneNamed(name)).toBeUndefined(),
)

test('a datetime with its own offset ignores the zone', () => {
  expect(toUtc('2024-07-01T12:00:00.250+02:00', 'America/New_York')).toBe('2024-07-01T10:00:00.250Z')
  expect(toUtc('2024-07-01T12:00:00z', 'America/New_York')).toBe('2024-07-01T12:00:00Z')
})

test('a datetime without an offset is read in the zone', () => {
  expect(toUtc('2024-07-01T12:00:00', 'America/New_York')).toBe('2024-07-01T16:00:00Z')
  expect(toUtc('2024-01-01T12:00:00', 'America/New_York')).toBe('2024-01-01T17:00:00Z')
  expect(toUtc('2024-01-01T12:00:00.123456789', 'UTC')).toBe('2024-01-01T12:00:00.123456789Z')
})

/** RFC 5545 section 3.3.5: a time that does not occur has the offset before the gap. */
test('a time in a gap is the later instant', () => {
  expect(toUtc('2024-03-10T02:30:00', 'America/New_York')).toBe('2024-03-10T07:30:00Z')
})

/** RFC 5545 section 3.3.5: a time that occurs twice is the first occurrence. */
test('a time in an overlap is the earlier instant', () => {
  expect(toUtc('2024-11-03T01:30:00', 'America/New_York')).toBe('2024-11-03T05:30:00Z')
})

test('datetimes are written with the offset that their zone has at that moment', () => {
  expect(toZone('2024-07-01T10:00:00.5Z', 'Europe/Berlin')).toBe('2024-07-01T12:00:00.5+02:00')
  expect(toZone('2024-01-01T12:00:00+02:00', 'Asia/Kolkata')).toBe('2024-01-01T15:30:00+05:30')
  expect(toZone('2024-01-01T12:00:00Z', 'UTC')).toBe('2024-01-01T12:00:00+00:00')
  expect(toZone('2024-03-10T06:59:59Z', 'America/New_York')).toBe('2024-03-10T01:59:59-05:00')
  expect(toZone('2024-03-10T07:00:00Z', 'America/New_York')).toBe('2024-03-10T03:00:00-04:00')
})

test.each([
  [
    'Europe/Paris',
    '2024-03-31T01:00:00Z',
    '2024-03-31T03:00:00+02:00',
    '2024-03-31T00:59:59Z',
    '2024-03-31T01:59:59+01:00',
  ],
  [
    'America/Chicago',
    '2024-11-03T07:00:00Z',
    '2024-11-03T01:00:00-06:00',
    '2024-11-03T06:59:59Z',
    '2024-11-03T01:59:59-05:00',
  ],
])('in %s the instant of a transition has the new offset', (zone, at, written, before, earlier) => {
  expect(toZone(at, zone)).toBe(written)
  expect(toZone(before, zone)).toBe(earlier)
})

test('a local mean time with seconds in its offset keeps its instant', () => {
  const text = toZone('1850-01-01T00:00:00Z', 'America/New_York')
  expect(text).toBe('1849-12-31T19:04:00-04:56')
})

test('leaves text without an offset, or that is not a datetime, unchanged', () => {
  expect(toZone('2024-01-01T12:00:00', 'UTC')).toBeUndefined()
  expect(toZone('now', 'UTC')).toBeUndefined()
  expect(toUtc('now', 'UTC')).toBeUndefined()
  expect(toUtc('9999-12-31T23:59:59-01:00', 'UTC')).toBeUndefined()
})

const zones = [
  'America/New_York',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'UTC',
]
const instants = fc.integer({ min: -2_000_000_000, max: 4_000_000_000 })

test('writing in a zone and reading back gives the instant, at the offset Temporal has', () => {
  fc.assert(
    fc.property(instants, fc.constantFrom(...zones), (seconds, zone) => {
      const utc = `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
      const local = toZone(utc, zone) ?? ''
      expect(toUtc(local, 'Asia/Tokyo')).toBe(utc)
      const offset = Temporal.Instant.from(utc).toZonedDateTimeISO(zone).offsetNanoseconds
      const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(local) ?? []
      const written = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
      expect(written).toBe(Math.round(offset / 60e9) + 0)
    }),
    { numRuns: runs(300, 6_000) },
  )
})
