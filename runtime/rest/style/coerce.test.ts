import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../test/runs.js'
import type { JsonType } from '../../contract/operation.js'
import type { Violation } from '../../contract/problem-details.js'
import { coerceText } from './coerce.js'

function coerce(text: string, ...types: JsonType[]) {
  const violations: Violation[] = []
  return { value: coerceText(text, { types }, '/x', violations), violations }
}

test.each<[string, JsonType[], unknown]>([
  ['10', ['integer'], 10],
  ['1.0', ['integer'], 1],
  ['1e2', ['integer'], 100],
  ['1.5', ['integer'], '1.5'],
  ['-0.5', ['number'], -0.5],
  ['010', ['integer'], '010'],
  ['+1', ['integer'], '+1'],
  ['0x10', ['number'], '0x10'],
  [' 1', ['number'], ' 1'],
  ['1.', ['number'], '1.'],
  ['NaN', ['number'], 'NaN'],
  ['Infinity', ['number'], 'Infinity'],
  ['true', ['boolean'], true],
  ['TRUE', ['boolean'], 'TRUE'],
  ['1', ['boolean'], '1'],
  ['', ['integer'], ''],
  ['', ['null', 'integer'], null],
  ['', ['null', 'string'], ''],
  ['null', ['null'], 'null'],
  ['10', ['string'], '10'],
  ['10', ['integer', 'string'], 10],
  ['none', ['integer', 'string'], 'none'],
  ['9007199254740992', ['integer', 'string'], 9007199254740992],
  ['9007199254740993', ['integer', 'string'], '9007199254740993'],
  ['1e400', ['number', 'string'], '1e400'],
  ['true', ['string'], 'true'],
])('%j for %j is %j', (text, types, expected) => {
  expect(coerce(text, ...types)).toEqual({ value: expected, violations: [] })
})

test.each(['12345678901234567.89', '9007199254740993', '1e400', '1e-400'])(
  '%s, which a double would round, is a violation',
  (text) => {
    const [violation] = coerce(text, 'number').violations
    expect(violation).toMatchObject({ path: '/x', keyword: 'exact' })
  },
)

test('converts the text of every number, boolean and string back', () => {
  const value = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean())
  fc.assert(
    fc.property(value, (each) => {
      const { value: read, violations } = coerce(String(each), 'number', 'boolean')
      expect(read).toBe(Object.is(each, -0) ? 0 : each)
      expect(violations).toEqual([])
    }),
    { numRuns: runs(500, 10_000) },
  )
  fc.assert(fc.property(fc.string(), (text) => coerce(text, 'string').value === text))
})
