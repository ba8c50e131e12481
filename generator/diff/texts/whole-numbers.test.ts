import fc from 'fast-check'
import { expect, it } from 'vitest'
import { wholeNumbers } from './whole-numbers.js'

it.each([
  [{ from: 0, to: 9 }, ['0', '7', '9'], ['10', '-1', '07', '1.0', '']],
  [{ from: 98, to: 1203 }, ['98', '99', '100', '999', '1000', '1199', '1203'], ['97', '1204', '9', '0098']],
  [{ from: -12, to: 3 }, ['-12', '-1', '0', '3'], ['-13', '4', '-0', '-20']],
  [{ from: 5, to: undefined }, ['5', '9', '10', '123456789012345678901'], ['4', '-5', '05']],
  [{ from: undefined, to: -5 }, ['-5', '-10', '-99999'], ['-4', '0', '5']],
  [{ from: undefined, to: undefined }, ['0', '-1', '10'], ['-0', '00', '1e3']],
])('writes the numbers of %j', (range, written, others) => {
  const pattern = new RegExp(wholeNumbers(range))
  expect([...written, ...others].filter((text) => pattern.test(text))).toEqual(written)
})

it('matches exactly the numbers in the range', () => {
  const number = fc.integer({ min: -100_000, max: 100_000 })
  fc.assert(
    fc.property(number, number, number, (one, other, value) => {
      const [from, to] = [Math.min(one, other), Math.max(one, other)]
      expect(new RegExp(wholeNumbers({ from, to })).test(String(value))).toBe(value >= from && value <= to)
    }),
  )
})
