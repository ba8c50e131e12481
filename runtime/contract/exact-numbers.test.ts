import { expect, test } from 'vitest'
import { inexactNumbers, uncertainNumbers } from './exact-numbers.js'

test("finds a number's position despite white space, escapes, strings of digits and literals", () => {
  const text = `{ "a\\"]" : [ true, "1e999,{[", -1e999 ,
    null, {"": 0.5, "b": [[], {}, 12345678901234567]}], "c" :1E+400}`
  expect([...inexactNumbers(text)]).toEqual(['/a"]/2', '/a"]/4/b/2', '/c'])
})

test.each(['1e999', '{"a":1e999}', '[[1e999]]'])('a number at the end of its text is found: %s', (text) => {
  expect([...inexactNumbers(text)]).toHaveLength(1)
})

test("limits the pointer's length, however long the names are", () => {
  const name = 'n'.repeat(100_000)
  const pointers = [...inexactNumbers(`{"${name}":[${Array(2000).fill('1e999').join()}]}`)]
  expect(pointers).toHaveLength(2000)
  expect(new Set(pointers)).toEqual(new Set([`/${'n'.repeat(199)}…`]))
  const [uncertain = ''] = uncertainNumbers({ [name]: [1e300] })
  expect(uncertain).toBe(pointers[0])
})

test('a caller that stops early does not pay for the rest', () => {
  const text = `[1e999,${'1e999,'.repeat(100_000)}`
  const [first] = inexactNumbers(text)
  expect(first).toBe('/0')
})

test('reads a long name once, not once for each number below it', () => {
  const cost = (numbers: number) => {
    const text = `{"${'n'.repeat(50 * numbers)}":[${Array(numbers).fill('1e999').join()}]}`
    const before = process.cpuUsage()
    let found = 0
    for (const _ of inexactNumbers(text)) found++
    expect(found).toBe(numbers)
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  cost(2_000)
  // Linear work costs 32 times as much, quadratic work 1,024 times.
  expect(cost(64_000)).toBeLessThan(250 * Math.max(cost(2_000), 1_000))
})
