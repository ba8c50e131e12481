import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compare, fromNumber, isMultiple, key, leastCommonMultiple, toNumber } from './rational.js'

describe('exact numbers', () => {
  it.each([
    [0.1, '1/10'],
    [-2.5, '-5/2'],
    [1e21, '1000000000000000000000'],
    [1.5e-7, '3/20000000'],
    [0, '0'],
  ])('%d is %s', (number, text) => expect(key(fromNumber(number))).toBe(text))

  it('0.3 is a multiple of 0.1, which doubles deny', () => {
    expect(isMultiple(fromNumber(0.3), fromNumber(0.1))).toBe(true)
    expect(0.3 % 0.1).not.toBe(0)
  })

  it.each([
    [4, 6, '12'],
    [0.5, 0.75, '3/2'],
  ])('the least common multiple of %d and %d is %s', (a, b, text) =>
    expect(key(leastCommonMultiple(fromNumber(a), fromNumber(b)))).toBe(text),
  )

  it('a double keeps its value and order', () => {
    const finite = fc.double({ noNaN: true, noDefaultInfinity: true })
    fc.assert(
      fc.property(finite, finite, (a, b) => {
        expect(toNumber(fromNumber(a))).toBe(a === 0 ? 0 : a)
        expect(Math.sign(compare(fromNumber(a), fromNumber(b)))).toBe(a < b ? -1 : a > b ? 1 : 0)
      }),
    )
  })
})
