import { expect, test } from 'vitest'
import { exactInt64, exactJson, nativeInt64, withExactInt64 } from './int64.js'
import { parseJson } from './json.js'
import type { Int64Graph } from './operation.js'

const graph: Int64Graph = [{ properties: { id: 1, list: 2 } }, { int64: true }, { items: 1 }]

test('an integer that no double holds becomes a bigint at a position of the graph, but not elsewhere', () => {
  const text = '{"id":9007199254740993,"list":[1,-9007199254740993],"other":9007199254740993}'
  const { value, inexact } = withExactInt64(parseJson(text), (path) => ({ graph, path }))
  expect(value).toEqual({ id: 9007199254740993n, list: [1, -9007199254740993n], other: 9007199254740992 })
  expect([...inexact]).toEqual(['/other'])
})

test.each([
  ['9007199254740993.0', 9007199254740993n],
  ['9.007199254740993e15', 9007199254740993n],
  ['9223372036854775808', 9223372036854775808n],
  ['9007199254740992', 9007199254740992],
  ['-9223372036854775808', -9223372036854775808n],
])('%s is read as %s', (text, value) => {
  expect(exactJson(`{"id":${text}}`, (path) => ({ graph, path })).value).toEqual({ id: value })
})

test('programs use one form and JSON another', () => {
  const exact = { id: 9007199254740993n, list: [1], other: 2 }
  const asString = { id: '9007199254740993', list: ['1'], other: 2 }
  expect(nativeInt64(exact, 'string', graph)).toEqual(asString)
  expect(exactInt64(asString, 'string', graph)).toEqual(exact)
  expect(nativeInt64(exact, 'bigint', graph)).toEqual({ ...exact, list: [1n] })
  expect(exactInt64({ ...exact, list: [1n] }, 'bigint', graph)).toEqual(exact)
})

test.each(['1', '', '01', '1.0', '1e3', '0x1', ' 1', '1'.repeat(21)])(
  'the text %j stays text among bigints',
  (text) => {
    expect(exactInt64({ id: text }, 'bigint', graph)).toEqual({ id: text })
  },
)

test.each(['', '01', '1.0', '1e3', '0x1', ' 1', '1'.repeat(21)])('the text %j is no integer', (text) => {
  expect(exactInt64({ id: text }, 'string', graph)).toEqual({ id: text })
})

test('compares a name before many numbers with patterns once', () => {
  let asked = 0
  const counting = {
    get patterns() {
      asked++
      return { '^a': 2 }
    },
  }
  const numbers = Array.from({ length: 500 }, () => '[9007199254740993]')
  const found = withExactInt64(parseJson(`{"aaaa":[${numbers}]}`), (path) => ({
    graph: [counting, { int64: true }, { items: 3 }, { items: 1 }],
    path,
  }))
  expect(found.value).toEqual({ aaaa: numbers.map(() => [9007199254740993n]) })
  expect(asked).toBeLessThan(10)
})
