import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sampleNumber } from './number.js'
import { Random } from './random.js'

describe('a number', () => {
  it.each([
    [{ minimum: 5, maximum: 5 }, 5],
    [{ exclusiveMinimum: 4, exclusiveMaximum: 6 }, 5],
    [{ minimum: 1.2, maximum: 2.9 }, 2],
    [{ multipleOf: 2.5, minimum: 1, maximum: 6 }, 5],
    [{ minimum: 9007199254740991 }, 9007199254740991],
    [{ maximum: -5, minimum: -5.5 }, -5],
  ])('that is an integer of %j is %d', (schema, expected) => {
    expect(sampleNumber(schema, true, new Random('1'))).toBe(expected)
  })

  it.each([
    [{ multipleOf: 0.1, minimum: 0.25, maximum: 0.35 }, 0.3],
    [{ multipleOf: 1e-7, minimum: 3e-7, maximum: 3.5e-7 }, 3e-7],
    [{ minimum: 0.123456, maximum: 0.123456 }, 0.123456],
  ])('of %j is %d, without the error of a double', (schema, expected) => {
    expect(sampleNumber(schema, false, new Random('1'))).toBe(expected)
  })

  it('is missing if the bounds exclude all', () => {
    expect(sampleNumber({ minimum: 2, maximum: 1 }, true, new Random('1'))).toBeUndefined()
    expect(sampleNumber({ multipleOf: 10, minimum: 1, maximum: 9 }, false, new Random('1'))).toBeUndefined()
  })

  it('is within its bounds, however close they are', () => {
    const bound = fc.double({ noNaN: true, min: -1e9, max: 1e9 })
    fc.assert(
      fc.property(bound, bound, fc.string(), (a, b, seed) => {
        const [minimum, maximum] = [Math.min(a, b), Math.max(a, b)]
        const value = sampleNumber({ minimum, maximum }, false, new Random(seed))
        expect(value).toBeGreaterThanOrEqual(minimum)
        expect(value).toBeLessThanOrEqual(maximum)
      }),
    )
  })
})
