import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../test/runs.js'
import { creditSize, fromNumeric, toNumeric } from './decimal.js'

describe('numbers for numeric(15,4)', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    [0.1, '0.1'],
    [-75.25, '-75.25'],
    [100, '100'],
    [0.0001, '0.0001'],
    [99_999_999_999.9999, '99999999999.9999'],
    [-99_999_999_999.9999, '-99999999999.9999'],
  ])('%d is %s', (value, text) => {
    expect(toNumeric(value, creditSize)).toBe(text)
  })

  it.each([
    0.00001,
    0.00005,
    1e-7,
    1.23456,
    // 0.30000000000000004.
    0.1 + 0.2,
    100_000_000_000,
    99_999_999_999.99991,
    1e21,
    Number.MAX_VALUE,
    Number.MIN_VALUE,
    Number.POSITIVE_INFINITY,
    Number.NaN,
  ])('%d does not fit', (value) => {
    expect(toNumeric(value, creditSize)).toBeUndefined()
  })

  it('round-trip as the same decimal, for every decimal of that size', { tags: 'long' }, () => {
    const decimals = fc.bigInt({ min: -(10n ** 15n - 1n), max: 10n ** 15n - 1n }).map(decimalOf)
    fc.assert(
      fc.property(decimals, (decimal) => {
        const crossed = toNumeric(fromNumeric(decimal), creditSize)
        expect(normal(crossed)).toBe(normal(decimal))
      }),
      { numRuns: runs(5_000, 100_000) },
    )
  })

  it('are never rounded: accepted ones read back as the same double', () => {
    fc.assert(
      fc.property(fc.double(), (value) => {
        const text = toNumeric(value, creditSize)
        if (text !== undefined) expect(fromNumeric(text)).toBe(value === 0 ? 0 : value)
      }),
      { numRuns: runs(5_000, 100_000) },
    )
  })

  it('with a fifth decimal place are refused', () => {
    const fifth = fc.tuple(fc.integer({ min: -99_999_999, max: 99_999_999 }), fc.integer({ min: 1, max: 9 }))
    fc.assert(
      fc.property(fifth, ([units, digit]) => {
        expect(toNumeric(Number(`${units}.0000${digit}`), creditSize)).toBeUndefined()
      }),
    )
  })

  /** Formats ten-thousandths like PostgreSQL's numeric of scale 4. */
  function decimalOf(units: bigint): string {
    const digits = (units < 0n ? -units : units).toString().padStart(5, '0')
    return `${units < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`
  }

  function normal(text: string | undefined): string | undefined {
    return text?.includes('.') ? text.replace(/\.?0+$/, '') : text
  }
})
