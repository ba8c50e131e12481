import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../test/runs.js'
import { decimalOf, isExact, isMultipleOf } from './decimal.js'

test("parses text into sign, significant digits and the last one's exponent", () => {
  expect(decimalOf('-120.50e3')).toEqual({ negative: true, digits: '1205', exponent: 2 })
  expect(decimalOf('0.00')).toEqual({ negative: false, digits: '', exponent: 0 })
  expect(decimalOf('1e+21')).toEqual({ negative: false, digits: '1', exponent: 21 })
})

test.each([
  '0',
  '-0',
  '0.1',
  '1.10',
  '9007199254740992',
  '1000000000000000000000000',
  '1e21',
  '1E-7',
  '0.30000000000000004',
  '5e-324',
  '0e99999',
])('a double holds %s exactly as written', (token) => expect(isExact(token)).toBe(true))

test.each([
  '9007199254740993',
  '12345678901234567.89',
  '0.1000000000000000055511151231257827',
  '1e400',
  '1e-400',
  '-1e-400',
  '3.14159265358979323846',
])('a double does not hold %s', (token) => expect(isExact(token)).toBe(false))

test('a double holds exactly what it prints', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => isExact(String(value))),
    { numRuns: runs(500, 10_000) },
  )
})

test.each([
  [0.3, 0.1, true],
  [19.99, 0.01, true],
  [19.999, 0.01, false],
  [1e21, 7, false],
  [1.5e300, 1e299, true],
  [0, 0.01, true],
  [-4.4, 1.1, true],
  [7, 2, false],
  [1, 0, false],
  [Number.POSITIVE_INFINITY, 1, false],
])('%d a multiple of %d: %s', (value, divisor, expected) => {
  expect(isMultipleOf(value, divisor)).toBe(expected)
})

test('cents are multiples of a cent, and tenths of a cent are not', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e12, max: 1e12 }), (cents) => {
      const value = Number(`${cents}e-2`)
      return isMultipleOf(value, 0.01) && !isMultipleOf(Number(`${cents}1e-3`), 0.01)
    }),
    { numRuns: runs(300, 6_000) },
  )
})

test('the fast path for powers of ten agrees with the exact one', () => {
  // Without double arithmetic: both numbers' digits, as integers of the same scale.
  const exact = (value: number, places: number) => {
    const { digits, exponent } = decimalOf(String(value))
    return digits === '' || exponent >= -places
  }
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 15 }),
      fc.oneof(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.double({ noNaN: true, min: -1e6, max: 1e6 }),
        fc.tuple(fc.maxSafeInteger(), fc.integer({ min: 0, max: 12 })).map(([n, e]) => Number(`${n}e-${e}`)),
      ),
      (places, value) => {
        expect(isMultipleOf(value, Number(`1e-${places}`))).toBe(exact(value, places))
      },
    ),
    { numRuns: runs(2000, 40_000) },
  )
})
