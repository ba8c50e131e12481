import { expect, test } from 'vitest'
import { whenKnown } from './eventual.js'

test('a value that is there is gone on with at once', () => {
  expect(whenKnown(1, (value) => value + 1)).toBe(2)
})

test('a promise, and whatever else can be waited for, is gone on with later', async () => {
  // biome-ignore lint/suspicious/noThenProperty: a query builder is such an object
  const query = { then: (resolve: (value: number) => void) => resolve(2) } as PromiseLike<number>
  const results = [Promise.resolve(1), query].map((value) => whenKnown(value, (known) => known + 1))
  expect(results.every((result) => result instanceof Promise)).toBe(true)
  expect(await Promise.all(results)).toEqual([2, 3])
})

test('a value that only has a member called then is there', () => {
  // biome-ignore lint/suspicious/noThenProperty: the member that is looked at
  const value = { then: 1 }
  expect(whenKnown(value, (known) => known)).toBe(value)
})
