import { expect, test } from 'vitest'
import { equal, fullFormats, isMultipleOf, ucs2length, zonedDateTime } from './validation.js'

test('lengths count code points, as JSON Schema does', () => {
  expect(ucs2length('a\u{1f600}b')).toBe(3)
  expect(ucs2length('\ud83d\ud83d\ude00')).toBe(2)
  expect(ucs2length('')).toBe(0)
})

test('a zoned-date-time may omit its offset, a date-time may not', () => {
  expect(zonedDateTime('2024-01-01T00:00:00')).toBe(true)
  expect(zonedDateTime('2024-01-01T00:00:00+01:00')).toBe(true)
  expect(zonedDateTime('2024-01-01')).toBe(false)
  expect(fullFormats['zoned-date-time']).toBe(zonedDateTime)
  const { 'date-time': datetime } = fullFormats
  const { validate } = datetime as { validate: (text: string) => boolean }
  expect(validate('2024-01-01T00:00:00')).toBe(false)
})

test('the helpers of generated code are plain functions', () => {
  expect([equal, isMultipleOf, ucs2length].map((each) => typeof each)).toEqual(Array(3).fill('function'))
})
