import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Coercion, ParameterBinding } from '../../contract/operation.js'
import { ProblemError } from '../../contract/problem.js'
import type { Violation } from '../../contract/problem-details.js'
import { coerceDivided } from '../style/coerce.js'
import { coerceJson } from '../style/json-text.js'
import { QueryBinder } from '../style/query.js'
import { divide } from '../style/style.js'
import { cookiePairs, headerText, pathText, queryPairs } from './transport-style.js'

/** The service must read what the client writes: tests both sides together. */
const word = fc.string({ unit: 'grapheme', minLength: 1 })
const names = ['R', 'a b', 'constructor', 'x,y=z.']
const kinds: readonly (readonly [string, Coercion, fc.Arbitrary<unknown>])[] = [
  ['text', { types: ['string'] }, word],
  ['an integer', { types: ['integer'] }, fc.integer()],
  ['a list of texts', { types: ['array'], items: { types: ['string'] } }, fc.array(word, { minLength: 1 })],
  ['a list of integers', { types: ['array'], items: { types: ['integer'] } }, fc.array(fc.integer())],
  [
    'an object',
    { types: ['object'], properties: Object.fromEntries(names.map((name) => [name, { types: ['string'] }])) },
    fc.dictionary(fc.constantFrom(...names), word, { minKeys: 1, noNullPrototype: true }),
  ],
]

function param(
  place: ParameterBinding['in'],
  style: ParameterBinding['style'],
  explode: boolean,
  coerce: Coercion,
) {
  return { name: 'p q', param: 'p', in: place, required: true, style, explode, coerce } as const
}

function read(raw: string, binding: ParameterBinding, decode: (text: string) => string): unknown {
  const violations: Violation[] = []
  const value = coerceDivided(divide(raw, binding, decode), binding.coerce, '', violations)
  expect(violations).toEqual([])
  return value
}

describe.each(kinds)('%s', (_, coerce, values) => {
  test.each([
    ['simple', false],
    ['simple', true],
    ['label', false],
    ['label', true],
    ['matrix', false],
    ['matrix', true],
  ] as const)('in the path, %s, explode %s', (style, explode) => {
    // A matrix name is in the path as in the document.
    const binding = { ...param('path', style, explode, coerce), name: 'p' }
    fc.assert(
      fc.property(values, (value) => {
        const text = pathText(binding, value)
        fc.pre(text !== '')
        expect(read(text, binding, decodeURIComponent)).toEqual(value)
      }),
    )
  })

  test.each([
    ['form', false],
    ['form', true],
    ['spaceDelimited', false],
    ['pipeDelimited', false],
    ...(coerce.types.includes('object') ? ([['deepObject', true]] as const) : []),
  ] as const)('in the query, %s, explode %s', (style, explode) => {
    const binding = param('query', style, explode, coerce)
    const binder = new QueryBinder([binding], new Set(), coerceJson)
    fc.assert(
      fc.property(values, (value) => {
        const query = written(() => queryPairs(binding, value).join('&'))
        const params = {}
        const violations: Violation[] = []
        binder.read(query, params, violations)
        expect(violations).toEqual([])
        expect(params).toEqual({ p: value })
      }),
    )
  })

  test('in a cookie', () => {
    const binding = param('cookie', 'form', true, coerce)
    fc.assert(
      fc.property(values, (value) => {
        const [pair = ''] = cookiePairs(binding, value)
        expect(pair).toMatch(/^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e,]*$/)
        expect(read(pair.slice(pair.indexOf('=') + 1), binding, decodeURIComponent)).toEqual(value)
      }),
    )
  })

  test('in a header', () => {
    const binding = param('header', 'simple', false, coerce)
    const isTrimmed = (value: unknown) => !/(^|["[:,])\s|\s($|["\],}])/.test(JSON.stringify(value))
    fc.assert(
      fc.property(values.map(inLatin1).filter(isTrimmed), (value) => {
        const text = written(() => headerText(binding, value) ?? '')
        expect(read(text, binding, (part) => part.trim())).toEqual(value)
      }),
    )
  })
})

/** Only the characters that a header can have. */
function inLatin1(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replace(/[^\x20-\x7e\xa0-\xff]/g, 'ä'))
}

/** Skips values that the style refuses. */
function written(write: () => string): string {
  try {
    return write()
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    return fc.pre(false) as never
  }
}
