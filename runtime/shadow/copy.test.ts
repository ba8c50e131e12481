import { expect, it } from 'vitest'
import { copied } from './copy.js'

it('a copy shares nothing with its original, whatever the names of members', () => {
  const text = '{"a":[{"b":1},null,[2]],"__proto__":{"c":[3]},"d":"e"}'
  const original = JSON.parse(text)
  const copy = copied(original)
  expect(JSON.stringify(copy)).toBe(text)
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
  original.a[0].b = 7
  original.a[2].push(7)
  Object.getOwnPropertyDescriptor(original, '__proto__')?.value.c.push(7)
  expect(JSON.stringify(copy)).toBe(text)
  expect(Object.prototype).not.toHaveProperty('c')
})

it('a value of more than 1,000 parts is not copied', () => {
  const list = (length: number) => ({ list: Array.from({ length }, () => 0) })
  expect(copied(list(998))).toEqual(list(998))
  expect(copied(list(999))).toBeUndefined()
  expect(copied(Array.from({ length: 500 }, () => [1]))).toBeUndefined()
})

it('a file is not copied', () => {
  const file = new Blob(['text'])
  expect(copied({ file })).toEqual({ file })
})
