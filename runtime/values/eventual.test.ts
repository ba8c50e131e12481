import { expect, test } from 'vitest'
import { whenKnown } from './eventual.js'

test('continues at once with a value', () => {
  expect(whenKnown(1, (value) => value + 1)).toBe(2)
})

test('continues later with a promise or a thenable', async () => {
  // biome-ignore lint/suspicious/noThenProperty: a query builder is such an object
  const query = { then: (resolve: (value: number) => void) => resolve(2) } as PromiseLike<number>
  const results = [Promise.resolve(1), query].map((value) => whenKnown(value, (known) => known + 1))
  expect(results.every((result) => result instanceof Promise)).toBe(true)
  expect(await Promise.all(results)).toEqual([2, 3])
})

test('a value whose member then is not a function is a plain value', () => {
  // biome-ignore lint/suspicious/noThenProperty: the member that is looked at
  const value = { then: 1 }
  expect(whenKnown(value, (known) => known)).toBe(value)
})
