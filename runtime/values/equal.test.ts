import { expect, test } from 'vitest'
import { equal } from './equal.js'

test('objects are equal whatever the order of their members', () => {
  expect(equal({ a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 })).toBe(true)
  expect(equal({ a: 1 }, { a: 1, b: 2 })).toBe(false)
  expect(equal([1, 2], [2, 1])).toBe(false)
  expect(equal([], {})).toBe(false)
  expect(equal(null, {})).toBe(false)
})

test('members with inherited names are data', () => {
  const hostile = () => JSON.parse('{"valueOf": 1, "toString": 2, "constructor": 3, "__proto__": {"x": 1}}')
  expect(equal(hostile(), hostile())).toBe(true)
  expect(equal(JSON.parse('{"constructor": 1}'), { other: 1 })).toBe(false)
  expect(equal({ x: 1 }, JSON.parse('{"__proto__": {"x": 1}}'))).toBe(false)
  expect(equal({ toString: undefined }, { other: undefined })).toBe(false)
})
