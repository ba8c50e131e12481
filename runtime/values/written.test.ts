import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText, isPlainArray, isPlainObject, quoted } from './written.js'

test('quotes a string as JSON.stringify does, even lone surrogates', { tags: 'long' }, () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary', maxLength: 80 }), fc.string({ maxLength: 80 })),
      (text) => {
        expect(quoted(text)).toBe(JSON.stringify(text))
      },
    ),
  )
  for (const text of ['\ud800', 'a\udc00b', '\u2028', '\u0000', '\u001f\u007f', '"', '\\', 'x'.repeat(100)]) {
    expect(quoted(text)).toBe(JSON.stringify(text))
  }
})

test('writes any JSON value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(anyText(value)).toBe(JSON.stringify(value))
    }),
  )
})

test.each([undefined, () => 1, Symbol('s'), 1n, { big: 1n }, new Date(0), { toJSON: () => 1 }])(
  'a value that JSON.stringify leaves out, asks or throws at is not written: %o',
  (value) => expect(anyText(value)).toBe(undefined),
)

describe('what is plain', () => {
  test('has no class and no toJSON', () => {
    expect([{}, Object.create(null)].map(isPlainObject)).toEqual([true, true])
    const others = [null, [], new Date(0), new (class {})(), Object.create({}), { toJSON: 1 }, 'x']
    expect(others.map(isPlainObject)).toEqual(others.map(() => false))
  })

  test('is an array without toJSON', () => {
    expect([[], Object.assign([], { toJSON: () => 1 }), {}].map(isPlainArray)).toEqual([true, false, false])
  })
})
