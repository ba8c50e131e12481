import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ParameterBinding } from '../../contract/operation.js'
import { cookiePairs, headerText, pathText, queryPairs } from './transport-style.js'

type Style = ParameterBinding['style']

function param(where: ParameterBinding['in'], style: Style, explode: boolean): ParameterBinding {
  return { name: 'color', param: 'color', in: where, required: true, style, explode, coerce: { types: [] } }
}

const text = 'blue'
const list = ['blue', 'black', 'brown']
const members = { R: 100, G: 200, B: 150 }

/** OpenAPI 3.1.2, Style Examples: the rows of the path styles. */
const pathRows: [Style, boolean, string, string, string][] = [
  ['matrix', false, ';color=blue', ';color=blue,black,brown', ';color=R,100,G,200,B,150'],
  ['matrix', true, ';color=blue', ';color=blue;color=black;color=brown', ';R=100;G=200;B=150'],
  ['label', false, '.blue', '.blue,black,brown', '.R,100,G,200,B,150'],
  ['label', true, '.blue', '.blue.black.brown', '.R=100.G=200.B=150'],
  ['simple', false, 'blue', 'blue,black,brown', 'R,100,G,200,B,150'],
  ['simple', true, 'blue', 'blue,black,brown', 'R=100,G=200,B=150'],
]

/** The query styles in the same table; undefined if the table has no such style. */
const queryRows: [Style, boolean, string | undefined, string | undefined, string][] = [
  ['form', false, 'color=blue', 'color=blue,black,brown', 'color=R,100,G,200,B,150'],
  ['form', true, 'color=blue', 'color=blue&color=black&color=brown', 'R=100&G=200&B=150'],
  ['spaceDelimited', false, undefined, 'color=blue%20black%20brown', 'color=R%20100%20G%20200%20B%20150'],
  ['pipeDelimited', false, undefined, 'color=blue%7Cblack%7Cbrown', 'color=R%7C100%7CG%7C200%7CB%7C150'],
  ['deepObject', true, undefined, undefined, 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
]

describe('the Style Examples of OpenAPI 3.1', () => {
  test.each(pathRows)('path, %s, explode %s', (style, explode, ofText, ofList, ofMembers) => {
    const binding = param('path', style, explode)
    expect(pathText(binding, text)).toBe(ofText)
    expect(pathText(binding, list)).toBe(ofList)
    expect(pathText(binding, members)).toBe(ofMembers)
  })

  test.each([true, false])('path, an empty text of a matrix, explode %s', (explode) => {
    expect(pathText(param('path', 'matrix', explode), '')).toBe(';color')
  })

  test.each(queryRows)('query, %s, explode %s', (style, explode, ofText, ofList, ofMembers) => {
    const binding = param('query', style, explode)
    if (ofText !== undefined) expect(queryPairs(binding, text).join('&')).toBe(ofText)
    if (ofList !== undefined) expect(queryPairs(binding, list).join('&')).toBe(ofList)
    expect(queryPairs(binding, members).join('&')).toBe(ofMembers)
  })

  test('header, simple', () => {
    expect(headerText(param('header', 'simple', false), list)).toBe('blue,black,brown')
    expect(headerText(param('header', 'simple', false), members)).toBe('R,100,G,200,B,150')
    expect(headerText(param('header', 'simple', true), members)).toBe('R=100,G=200,B=150')
  })
})

test('everything but unreserved characters is percent-encoded, as UTF-8', () => {
  expect(pathText(param('path', 'simple', false), "a/b?c#d%e f'(*)!é€")).toBe(
    'a%2Fb%3Fc%23d%25e%20f%27%28%2A%29%21%C3%A9%E2%82%AC',
  )
  expect(queryPairs(param('query', 'form', true), '-._~+&=')).toEqual(['color=-._~%2B%26%3D'])
})

test('writes scalars as in JSON, null and an absent member as nothing', () => {
  const form = param('query', 'form', true)
  expect(queryPairs(form, [0, -1.5, true, null])).toEqual(['color=0', 'color=-1.5', 'color=true', 'color='])
  expect(queryPairs(form, null)).toEqual(['color='])
  expect(queryPairs(form, new Date(0))).toEqual(['color=1970-01-01T00%3A00%3A00.000Z'])
  expect(queryPairs(form, { a: 1, b: undefined })).toEqual(['a=1'])
})

test('an empty list or object is not sent', () => {
  for (const style of ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'] as const) {
    expect(queryPairs(param('query', style, style === 'deepObject'), {})).toEqual([])
    expect(queryPairs(param('query', style, style === 'deepObject'), [])).toEqual([])
  }
})

test('sends an empty list as empty text if its items cannot be texts', () => {
  const coerce = { types: ['array'], items: { types: ['integer'] } } as const
  expect(queryPairs({ ...param('query', 'form', true), coerce }, [])).toEqual(['color='])
  expect(headerText({ ...param('header', 'simple', false), coerce }, [])).toBe('')
  expect(headerText(param('header', 'simple', false), [])).toBeUndefined()
})

test('a cookie has one value, exploded or not', () => {
  expect(cookiePairs(param('cookie', 'form', true), ['a,b', 'c'])).toEqual(['color=a%2Cb,c'])
  expect(cookiePairs(param('cookie', 'form', true), members)).toEqual(['color=R=100,G=200,B=150'])
  expect(cookiePairs(param('cookie', 'form', false), members)).toEqual(['color=R,100,G,200,B,150'])
  expect(cookiePairs(param('cookie', 'form', true), [])).toEqual([])
})

test('a deep object nests its inner objects in brackets and repeats the name of a list', () => {
  const deep = param('query', 'deepObject', true)
  const coerce = { types: ['object'], properties: { c: { types: ['array'] } } } as const
  expect(queryPairs({ ...deep, coerce }, { a: { 'b]': 1 }, c: ['x', 'y'] })).toEqual([
    'color%5Ba%5D%5Bb%5D%5D=1',
    'color%5Bc%5D=x',
    'color%5Bc%5D=y',
  ])
})

test('an exploded object repeats the name of a list among its members', () => {
  const coerce = { types: ['object'], properties: { c: { types: ['array'] } } } as const
  const exploded = { ...param('query', 'form', true), coerce }
  expect(queryPairs(exploded, { a: 1, c: ['x y', 2] })).toEqual(['a=1', 'c=x%20y', 'c=2'])
  const mixed = { types: ['object'], properties: { c: { types: ['string', 'array'] } } } as const
  expect(() => queryPairs({ ...exploded, coerce: mixed }, { c: ['x'] })).toThrow('validation_failed')
})

test('a deep object indexes the items of a list if a text is allowed there', () => {
  const coerce = { types: ['object'], properties: { c: { types: ['string', 'array'] } } } as const
  const deep = { ...param('query', 'deepObject', true), coerce }
  expect(queryPairs(deep, { c: ['x'] })).toEqual(['color%5Bc%5D%5B0%5D=x'])
  expect(queryPairs(deep, { c: 'x' })).toEqual(['color%5Bc%5D=x'])
})

test.each<[string, () => unknown]>([
  ['is not a text', () => queryPairs(param('query', 'form', false), [['nested']])],
  ['is not a text', () => queryPairs(param('query', 'form', true), Number.NaN)],
  ['surrogate', () => queryPairs(param('query', 'form', true), 'half \ud800')],
  ['delimiter', () => queryPairs(param('query', 'spaceDelimited', false), ['a b'])],
  ['delimiter', () => queryPairs(param('query', 'pipeDelimited', false), ['a|b'])],
  ['delimiter', () => headerText(param('header', 'simple', false), ['a,b'])],
  ['a header cannot have; call over JSON-RPC', () => headerText(param('header', 'simple', false), 'Łódź')],
  [
    'a header cannot have; call over JSON-RPC',
    () => headerText(param('header', 'simple', false), ['a', 'b\nc']),
  ],
])('refuses values that a style cannot carry: %s', (why, write) => {
  const violations = [{ path: '/color', keyword: 'rest', message: expect.stringContaining(why) }]
  expect(write).toThrow(expect.objectContaining({ code: 'validation_failed', violations }))
})

test("a text in a header may contain a list's delimiter", () => {
  expect(headerText(param('header', 'simple', false), 'a,b')).toBe('a,b')
})

describe('round trips', () => {
  const word = fc.string({ unit: 'grapheme', minLength: 1 })
  const words = fc.array(word, { minLength: 1 })
  const record = fc
    .uniqueArray(fc.tuple(word, word), { minLength: 1, selector: ([name]) => name })
    .map((entries) => entries as [string, string][])

  const decode = decodeURIComponent
  const pairs = (parts: string[]) => parts.map((part) => part.split('=').map(decode))
  const twos = (parts: string[]) =>
    Array.from({ length: parts.length / 2 }, (_, at) => parts.slice(2 * at, 2 * at + 2))

  test.each([
    ['simple', false, ',', 0],
    ['simple', true, ',', 0],
    ['label', false, ',', 1],
    ['label', true, '.', 1],
    ['matrix', false, ',', ';color='.length],
  ] as const)('a list in the path, %s, explode %s', (style, explode, delimiter, lead) => {
    fc.assert(
      fc.property(words, (items) => {
        const sent = pathText(param('path', style, explode), items).slice(lead)
        expect(sent.split(delimiter).map(decode)).toEqual(items)
      }),
    )
  })

  test('a list in the path, matrix, explode true', () => {
    fc.assert(
      fc.property(words, (items) => {
        const sent = pathText(param('path', 'matrix', true), items).slice(1)
        expect(pairs(sent.split(';'))).toEqual(items.map((item) => ['color', item]))
      }),
    )
  })

  test.each([
    ['simple', ',', 0],
    ['label', '.', 1],
    ['matrix', ';', 1],
  ] as const)('an object in the path, %s, exploded', (style, delimiter, lead) => {
    fc.assert(
      fc.property(record, (entries) => {
        const sent = pathText(param('path', style, true), Object.fromEntries(entries)).slice(lead)
        expect(new Map(pairs(sent.split(delimiter)) as [string, string][])).toEqual(new Map(entries))
      }),
    )
  })

  test('a list in the query, form, as URLSearchParams reads it', () => {
    fc.assert(
      fc.property(words, (items) => {
        const sent = new URLSearchParams(queryPairs(param('query', 'form', true), items).join('&'))
        expect(sent.getAll('color')).toEqual(items)
      }),
    )
  })

  test('an object in the query, form, not exploded', () => {
    fc.assert(
      fc.property(record, (entries) => {
        const [sent = ''] = queryPairs(param('query', 'form', false), Object.fromEntries(entries))
        const parts = sent.slice('color='.length).split(',').map(decode)
        expect(new Map(twos(parts) as [string, string][])).toEqual(new Map(entries))
      }),
    )
  })

  test.each([
    ['spaceDelimited', '%20', ' '],
    ['pipeDelimited', '%7C', '|'],
  ] as const)('a list in the query, %s', (style, delimiter, plain) => {
    fc.assert(
      fc.property(words, (items) => {
        fc.pre(!items.some((item) => item.includes(plain)))
        const [sent = ''] = queryPairs(param('query', style, false), items)
        expect(sent.slice('color='.length).split(delimiter).map(decode)).toEqual(items)
      }),
    )
  })

  test('an object in the query, deepObject, as URLSearchParams reads it', () => {
    fc.assert(
      fc.property(record, (entries) => {
        const sent = queryPairs(param('query', 'deepObject', true), Object.fromEntries(entries)).join('&')
        const read = [...new URLSearchParams(sent)].map(([name, value]) => [
          name.slice('color['.length, -1),
          value,
        ])
        expect(new Map(read as [string, string][])).toEqual(new Map(entries))
      }),
    )
  })
})
