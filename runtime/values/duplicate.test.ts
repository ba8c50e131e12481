import fc from 'fast-check'
import { expect, test } from 'vitest'
import { duplicate } from './duplicate.js'
import { equal } from './equal.js'

test.each([
  [[], undefined],
  [[1, 1.0], { i: 1, j: 0 }],
  [[0, -0], { i: 1, j: 0 }],
  [[1, '1', true, 'true', null, 'null', ':1', '":1'], undefined],
  [[{ a: 1, b: [2] }, 7, { b: [2], a: 1 }], { i: 2, j: 0 }],
  [[['a', 'b'], ['a,b'], [['a'], 'b'], { a: 'b' }], undefined],
  [[JSON.parse('{"__proto__":1}'), {}], undefined],
  [[{ a: undefined }, {}], undefined],
])('the first duplicate of %j is %j', (items, found) => {
  expect(duplicate(items)).toEqual(found)
})

test('items are duplicates if they are equal', () => {
  const item = fc.jsonValue({ maxDepth: 2 })
  fc.assert(
    fc.property(
      fc.array(fc.oneof(item, fc.constantFrom(0, '0', [0], {}, { a: 0 })), { maxLength: 6 }),
      (items) => {
        const found = items.findIndex((item, i) => items.slice(0, i).some((other) => equal(item, other)))
        expect(duplicate(items)?.i ?? -1).toBe(found)
      },
    ),
  )
})
