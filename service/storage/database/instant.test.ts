import { describe, expect, it } from 'vitest'
import { fromTimestamptz, toTimestamptz } from './instant.js'

describe('datetimes for timestamptz', () => {
  it.each([
    ['2026-03-01T12:00:00Z', '2026-03-01T12:00:00.000000Z'],
    ['2026-03-01t12:00:00.5z', '2026-03-01t12:00:00.500000Z'],
    ['2026-03-01T12:00:00.9999999Z', '2026-03-01T12:00:00.999999Z'],
    ['+002026-03-01T12:00:00Z', '2026-03-01T12:00:00.000000Z'],
    ['2016-12-31T23:59:60.5Z', '2016-12-31T23:59:59.500000Z'],
    ['0000-12-31T23:59:59Z', '-infinity'],
    ['-000001-12-31T23:59:59Z', '-infinity'],
    ['+010000-01-01T00:00:00Z', 'infinity'],
  ])('%s is %s', (datetime, parameter) => {
    expect(toTimestamptz(datetime)).toBe(parameter)
  })

  it.each(['2026-03-01', '2026-03-01T12:00:00', '2026-03-01T12:00:00+01:00', 'now', ''])(
    '%j is no UTC datetime',
    (text) => {
      expect(() => toTimestamptz(text)).toThrow('Not a UTC datetime')
    },
  )
})

describe('timestamptz as PostgreSQL writes it', () => {
  it.each([
    ['2026-01-31 23:59:59+00', '2026-01-31T23:59:59Z'],
    ['2026-01-31 23:59:59.000001+00', '2026-01-31T23:59:59.000001Z'],
  ])('%s becomes %s', (text, datetime) => {
    expect(fromTimestamptz(text)).toBe(datetime)
  })

  it.each(['2026-01-31 23:59:59+01', '0044-03-15 12:00:00+00 BC', 'infinity'])('%s is refused', (text) => {
    expect(() => fromTimestamptz(text)).toThrow('Not a timestamp in UTC')
  })
})
