import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../test/runs.js'
import type { Coercion, ParameterBinding } from '../../contract/operation.js'
import type { Violation } from '../../contract/problem-details.js'
import { parameter } from '../../fixtures/contract.js'
import type { JsonObject } from '../../values/object.js'
import { coerceJson } from './json-text.js'
import { QueryBinder } from './query.js'

const integers: Coercion = { types: ['array'], items: { types: ['integer'] } }
const strings: Coercion = { types: ['array'], items: { types: ['string'] } }
const colour: Coercion = {
  types: ['object'],
  properties: { R: { types: ['integer'] }, G: { types: ['integer'] } },
}

const parameters: ParameterBinding[] = [
  parameter('limit', ['integer']),
  parameter('name', ['string']),
  parameter('ids', ['array'], { coerce: integers }),
  parameter('order', ['array'], { coerce: strings }),
  parameter('csv', ['array'], { coerce: strings, explode: false }),
  parameter('spaced', ['array'], { coerce: strings, explode: false, style: 'spaceDelimited' }),
  parameter('piped', ['array'], { coerce: integers, explode: false, style: 'pipeDelimited' }),
  parameter('either', ['array', 'string'], {
    coerce: { types: ['string', 'array'], items: { types: ['string'] } },
  }),
  parameter('filter', ['object'], {
    coerce: { types: ['object'], properties: { from: { types: ['integer'] }, tags: strings } },
    style: 'deepObject',
  }),
  parameter('colour', ['object'], { coerce: colour }),
  parameter('flat', ['object'], { coerce: colour, explode: false }),
  parameter('wire', ['integer'], { param: 'renamed' }),
  parameter('verbose', ['boolean'], { emptyIsAbsent: true }),
]
const binder = new QueryBinder(parameters, new Set(['api_key']), coerceJson)

test('treats an empty value as absent if the document allows it, else as text', () => {
  expect(read('verbose=&name=').params).toEqual({ name: '' })
  expect(read('verbose').params).toEqual({})
  expect(read('verbose=true').params).toEqual({ verbose: true })
  expect(read('verbose=&verbose=true').params).toEqual({ verbose: true })
})

function read(query: string) {
  const params: JsonObject = {}
  const violations: Violation[] = []
  const timezone = binder.read(query, params, violations)
  return { params, violations, timezone }
}

test('needs the same time for names with and without =', { tags: 'long' }, () => {
  const form = new QueryBinder([], new Set(), coerceJson, true)
  const timeOf = (pair: string) => {
    const text = pair.repeat(400_000)
    const start = process.cpuUsage()
    form.read(text, {}, [])
    const { user, system } = process.cpuUsage(start)
    return user + system
  }
  const empty = timeOf('a=&')
  expect(timeOf('a&')).toBeLessThan(5 * empty + 100_000)
})

test('stops decoding at the limit of violations', () => {
  const { violations, params } = read(`${'limit=%ff&'.repeat(51)}name=%41`)
  expect(violations).toHaveLength(50)
  expect(params.name).toBe('%41')
})

test.each<[string, JsonObject]>([
  ['', {}],
  ['&&limit=5&', { limit: 5 }],
  ['name=a%20b+c%2B%26%3D', { name: 'a b c+&=' }],
  ['name=a=b', { name: 'a=b' }],
  ['name', { name: '' }],
  ['n%61me=x', { name: 'x' }],
  ['ids=1&ids=2', { ids: [1, 2] }],
  ['ids=', { ids: [] }],
  ['order=', { order: [''] }],
  ['order=a%2Cb&order=c', { order: ['a,b', 'c'] }],
  ['csv=a%2Cb,c', { csv: ['a,b', 'c'] }],
  ['spaced=a%20b+c', { spaced: ['a', 'b', 'c'] }],
  ['piped=1%7C2|3', { piped: [1, 2, 3] }],
  ['either=a', { either: 'a' }],
  ['either=a&either=b', { either: ['a', 'b'] }],
  ['filter[from]=1&filter%5Btags%5D=a&filter[tags]=b', { filter: { from: 1, tags: ['a', 'b'] } }],
  ['filter[other]=1', { filter: { other: '1' } }],
  ['R=1&G=2', { colour: { R: 1, G: 2 } }],
  ['flat=R,1,G,2', { flat: { R: 1, G: 2 } }],
  ['wire=1', { renamed: 1 }],
  ['unknown=10', { unknown: '10' }],
  ['filter[a][b]=1', { filter: { a: { b: '1' } } }],
  ['api_key=secret', {}],
])('%j binds %j', (query, params) => {
  expect(read(query)).toEqual({ params, violations: [], timezone: undefined })
})

test.each([
  ['limit=1&limit=1', '/limit', 'duplicate'],
  ['unknown=1&unknown=2', '/unknown', 'duplicate'],
  ['csv=a&csv=b', '/csv', 'duplicate'],
  ['filter[from]=1&filter[from]=2', '/filter/from', 'duplicate'],
  ['name=%ff', '/name', 'encoding'],
  ['ids=1&ids=9007199254740993', '/ids/1', 'exact'],
  ['wire=9007199254740993', '/renamed', 'exact'],
  ['__tz=UTC&__tz=Europe/Berlin', '/__tz', 'conflict'],
])('%j is a violation at %s: %s', (query, path, keyword) => {
  expect(read(query).violations).toMatchObject([{ path, keyword }])
})

test.each([
  ['a=7', { a: 7 }],
  ['a=7&a=8', { a: ['7', '8'] }],
  ['a=7.0&a=&a=x', { a: ['7.0', '', 'x'] }],
  ['b=7&b=true', { b: [7, 'true'] }],
])('%s is one number, or a list that the items decide', (query, params) => {
  const coerce: Coercion = { types: ['integer', 'array'], items: { types: ['string'] } }
  const prefix: Coercion = { types: ['integer', 'array'], prefix: [{ types: ['integer'] }] }
  const either = new QueryBinder(
    [
      parameter('a', ['integer', 'array'], { coerce }),
      parameter('b', ['integer', 'array'], { coerce: prefix }),
    ],
    new Set(),
    coerceJson,
  )
  const found = {}
  const violations: Violation[] = []
  either.read(query, found, violations)
  expect([found, violations]).toEqual([params, []])
})

test('__tz is not a param', () => {
  expect(read('__tz=Europe%2FBerlin&limit=1')).toEqual({
    params: { limit: 1 },
    violations: [],
    timezone: 'Europe/Berlin',
  })
})

test('inherited names are ordinary params', () => {
  const { params } = read('__proto__=1&constructor=2&toString=3&filter[__proto__]=4')
  expect(Object.entries(params)).toEqual([
    ['__proto__', '1'],
    ['constructor', '2'],
    ['toString', '3'],
    ['filter', JSON.parse('{"__proto__": "4"}')],
  ])
  expect(Object.getPrototypeOf(params)).toBe(Object.prototype)
})

/** RFC 6570 section 3.2.8 expansion, as clients write a query. */
test('binds what a client serializes', () => {
  const text = fc.string({ unit: 'grapheme' }).filter((each) => !/\p{Surrogate}/u.test(each))
  const encode = encodeURIComponent
  fc.assert(
    fc.property(
      fc.integer(),
      text,
      fc.array(text, { minLength: 1 }),
      fc.array(text, { minLength: 1 }),
      fc.record({ R: fc.integer(), G: fc.integer() }),
      (limit, name, order, csv, flat) => {
        const query = [
          `limit=${limit}`,
          `name=${encode(name)}`,
          ...order.map((each) => `order=${encode(each)}`),
          `csv=${csv.map(encode).join(',')}`,
          `flat=R,${flat.R},G,${flat.G}`,
        ].join('&')
        expect(read(query)).toEqual({
          params: { limit, name, order, csv, flat },
          violations: [],
          timezone: undefined,
        })
      },
    ),
    { numRuns: runs(300, 6_000) },
  )
})

test('no query makes it throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'%=&[]+,|a1_filter.'), maxLength: 60 }), (query) => {
      read(query)
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    }),
    { numRuns: runs(1000, 20_000) },
  )
})

test('reads a value that is no object by the name of a parameter whose members have names of their own', () => {
  const either = parameter('size', ['integer', 'object'], {
    coerce: { types: ['integer', 'object'], properties: { R: { types: ['integer'] } } },
    param: 'renamed',
  })
  const reader = new QueryBinder([either], new Set(), coerceJson)
  const params: JsonObject = {}
  reader.read('size=5', params, [])
  expect(params).toEqual({ renamed: 5 })
  const members: JsonObject = {}
  reader.read('R=5', members, [])
  expect(members).toEqual({ renamed: { R: 5 } })
})
