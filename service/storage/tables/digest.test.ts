import { expect, it } from 'vitest'
import { digestOf } from './digest.js'

const hex = (value: unknown) => Buffer.from(digestOf(value)).toString('hex')

it('is SHA-256 of the value as JSON', () => {
  // printf '{"a":1}' | sha256sum
  expect(hex({ a: 1 })).toBe('015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862')
})

it('ignores the order of members, at any depth, and undefined members', () => {
  expect(hex({ a: 1, b: { c: [1, 2], d: null } })).toBe(
    hex({ b: { d: null, c: [1, 2] }, e: undefined, a: 1 }),
  )
})

it.each([
  [{ a: 1 }, { a: '1' }],
  [{ a: null }, {}],
  [{ a: [1, 2] }, { a: [2, 1] }],
  [{ a: 'b' }, { b: 'a' }],
])('tells %j from %j', (one, other) => {
  expect(hex(one)).not.toBe(hex(other))
})
