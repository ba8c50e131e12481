import { expect, test } from 'vitest'
import { formatDatetime, parseDatetime } from './datetime.js'

/** Includes the examples of RFC 3339 section 5.8. */
test.each([
  '1985-04-12T23:20:50.52Z',
  '1996-12-19T16:39:57-08:00',
  '1990-12-31T23:59:60Z',
  '1990-12-31T15:59:60-08:00',
  '1937-01-01T12:00:27.87+00:20',
  '2024-02-29t00:00:00z',
  '2024-02-29 00:00:00',
  '0000-01-01T00:00:00',
])('%s is a datetime', (text) => expect(parseDatetime(text)).toBeDefined())

test.each([
  '2023-02-29T00:00:00',
  '2024-13-01T00:00:00',
  '2024-00-10T00:00:00',
  '2024-01-01T24:00:00',
  '2024-01-01T00:60:00',
  '2024-01-01T12:00:60Z',
  '1990-12-31T23:59:60-08:00',
  '2024-01-01T00:00:61Z',
  '2024-01-01T00:00:00+24:00',
  '2024-01-01T00:00:00+01:60',
  '2024-01-01T00:00:00+0100',
  '2024-01-01T00:00:00.',
  '2024-01-01T00:00',
  '2024-01-01',
  '+02024-01-01T00:00:00',
  '2024-01-01T00:00:00Z\n',
])('%s is not a datetime', (text) => expect(parseDatetime(text)).toBeUndefined())

test('offsets count in minutes east of UTC, fractions stay as written', () => {
  expect(parseDatetime('1970-01-01T00:00:01.2500-03:30')).toEqual({
    wall: 1000,
    fraction: '.2500',
    offset: -210,
  })
})

test('an offset is written with its sign, UTC among them', () => {
  expect(formatDatetime(0, '.5', -210)).toBe('1970-01-01T00:00:00.5-03:30')
  expect(formatDatetime(0, '', 0)).toBe('1970-01-01T00:00:00+00:00')
})

test('only the years 0 to 9999 can be written', () => {
  const last = Date.parse('9999-12-31T23:59:59Z')
  expect(formatDatetime(last, '', 'Z')).toBe('9999-12-31T23:59:59Z')
  expect(formatDatetime(last + 1000, '', 'Z')).toBeUndefined()
  expect(formatDatetime(Date.parse('0000-01-01T00:00:00Z'), '', 'Z')).toBe('0000-01-01T00:00:00Z')
  expect(formatDatetime(Date.parse('0000-01-01T00:00:00Z') - 1000, '', 'Z')).toBeUndefined()
})
