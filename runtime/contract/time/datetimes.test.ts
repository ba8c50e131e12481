import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../test/runs.js'
import type { DatetimeGraph } from '../operation.js'
import { mapDatetimes } from './datetimes.js'

const stamp = (text: string) => (text.startsWith('2') ? `<${text}>` : undefined)

/** A tree of nodes, each with a datetime, a list of children, and a map of datetimes. */
const graph: DatetimeGraph = [
  { properties: { at: 1, children: 2, by: 3 } },
  { datetime: true },
  { items: 0 },
  { values: 1 },
]

test('datetimes are converted where the graph says, through lists, maps and recursion', () => {
  const value = { at: '2024', other: '2024', children: [{ at: '2025', children: [] }], by: { x: '2026' } }
  expect(mapDatetimes(value, graph, stamp)).toEqual({
    at: '<2024>',
    other: '2024',
    children: [{ at: '<2025>', children: [] }],
    by: { x: '<2026>' },
  })
  expect(value.at).toBe('2024')
})

test('converts elements of a tuple by their index, others as items', () => {
  const tuple: DatetimeGraph = [{ prefix: [1, 2], items: 2 }, {}, { datetime: true }]
  expect(mapDatetimes(['2024', '2024', '2024'], tuple, stamp)).toEqual(['2024', '<2024>', '<2024>'])
  expect(mapDatetimes(['2024', '2024', '2024'], [{ prefix: [1] }, { datetime: true }], stamp)).toEqual([
    '<2024>',
    '2024',
    '2024',
  ])
  const nothing = ['2024']
  expect(mapDatetimes(nothing, tuple, stamp)).toBe(nothing)
})

test('converts unnamed members by the pattern that they match', () => {
  const patterns: DatetimeGraph = [
    { properties: { at_name: 1 }, patterns: { '^at_': 2, '^no_': 1 }, values: 3 },
    {},
    { datetime: true },
    { items: 2 },
  ]
  const value = { at_x: '2024', at_name: '2024', no_x: '2024', other: ['2024'] }
  expect(mapDatetimes(value, patterns, stamp)).toEqual({
    at_x: '<2024>',
    at_name: '2024',
    no_x: '2024',
    other: ['<2024>'],
  })
  expect(
    mapDatetimes({ 'a-b': '2024' }, [{ patterns: { '^a\\-b$': 1 } }, { datetime: true }], stamp),
  ).toEqual({
    'a-b': '<2024>',
  })
})

test('a member that matches two patterns is converted by both', () => {
  const both: DatetimeGraph = [
    { patterns: { a: 1, b: 2 } },
    { properties: { x: 3 } },
    { properties: { y: 3 } },
    { datetime: true },
  ]
  expect(mapDatetimes({ ab: { x: '2024', y: '2024' } }, both, stamp)).toEqual({
    ab: { x: '<2024>', y: '<2024>' },
  })
})

test('returns the same value if there is nothing to convert', () => {
  const value = { other: '2024', children: [{ by: {} }], at: 7 }
  expect(mapDatetimes(value, graph, stamp)).toBe(value)
})

test('reports an unconverted text with its pointer', () => {
  const left: string[] = []
  mapDatetimes({ children: [{ by: { 'a/b': 'never' } }] }, graph, stamp, (path, text) =>
    left.push(path, text),
  )
  expect(left).toEqual(['/children/0/by/a~1b', 'never'])
})

test('a map member named __proto__ is data, and no prototype changes', () => {
  const value = JSON.parse('{"by": {"__proto__": "2024"}}')
  const mapped = mapDatetimes(value, graph, stamp) as { by: object }
  expect(JSON.stringify(mapped)).toBe('{"by":{"__proto__":"<2024>"}}')
  expect(Object.getPrototypeOf(mapped.by)).toBe(Object.prototype)
})

test('does not look up properties on prototypes', () => {
  const inherited: DatetimeGraph = [{ properties: { constructor: 1, toString: 1 } }, { datetime: true }]
  const value = {}
  expect(mapDatetimes(value, inherited, stamp)).toBe(value)
})

test('no value makes it throw or change its input', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const before = JSON.stringify(value)
      mapDatetimes(value, graph, stamp)
      expect(JSON.stringify(value)).toBe(before)
    }),
    { numRuns: runs(200, 4_000) },
  )
})

test('visits a member that matches several patterns once per node, at any depth', () => {
  const patterns = { '^a': 0, a$: 1 }
  const twofold: DatetimeGraph = [{ patterns }, { patterns, properties: { at: 2 } }, { datetime: true }]
  let value: unknown = { at: '2024' }
  for (let i = 0; i < 20; i++) value = { a: value }
  let count = 0
  const convert = (text: string) => {
    count++
    return stamp(text)
  }
  expect(JSON.stringify(mapDatetimes(value, twofold, convert))).toBe(
    JSON.stringify(value).replace('2024', '<2024>'),
  )
  expect(count).toBeLessThan(100)
})
