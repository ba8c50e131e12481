import { expect, test } from 'vitest'
import type { ParameterBinding } from '../../contract/operation.js'
import { parameter } from '../../fixtures/contract.js'
import { coerceDivided } from './coerce.js'
import { divide, missingPrefix } from './style.js'

const array = { types: ['array'], items: { types: ['string'] } } as const
const object = {
  types: ['object'],
  properties: { R: { types: ['integer'] }, G: { types: ['integer'] } },
} as const
const plain = { types: ['string'] } as const

/** RFC 6570 section 3.2: the expansions of `{color}` with the values of OpenAPI's table of styles. */
test.each<[ParameterBinding['style'], boolean, ParameterBinding['coerce'], string, unknown]>([
  ['simple', false, plain, 'blue', 'blue'],
  ['simple', false, array, 'blue,black', ['blue', 'black']],
  ['simple', false, array, 'a%2Cb,c', ['a,b', 'c']],
  ['simple', false, object, 'R,100,G,200', { R: 100, G: 200 }],
  ['simple', true, object, 'R=100,G=200', { R: 100, G: 200 }],
  ['label', false, plain, '.blue', 'blue'],
  ['label', false, array, '.blue,black', ['blue', 'black']],
  ['label', true, array, '.blue.black', ['blue', 'black']],
  ['label', false, object, '.R,100,G,200', { R: 100, G: 200 }],
  ['label', true, object, '.R=100.G=200', { R: 100, G: 200 }],
  ['matrix', false, plain, ';color=blue', 'blue'],
  ['matrix', false, plain, ';color', ''],
  ['matrix', false, array, ';color=blue,black', ['blue', 'black']],
  ['matrix', true, array, ';color=blue;color=black', ['blue', 'black']],
  ['matrix', false, object, ';color=R,100,G,200', { R: 100, G: 200 }],
  ['matrix', true, object, ';R=100;G=200', { R: 100, G: 200 }],
  ['spaceDelimited', false, object, 'R%20100%20G%20200', { R: 100, G: 200 }],
  ['pipeDelimited', false, object, 'R%7C100%7CG%7C200', { R: 100, G: 200 }],
])('%s, explode %s: %s', (style, explode, coerce, raw, expected) => {
  const binding = parameter('color', [], { style, explode, coerce })
  expect(coerceDivided(divide(raw, binding, decodeURIComponent), coerce, '/color', [])).toEqual(expected)
})

test.each<[ParameterBinding['style'], boolean, ParameterBinding['coerce'], string, string | undefined]>([
  ['label', false, plain, '15', '.'],
  ['label', true, array, 'blue.black', '.'],
  ['matrix', false, plain, '15', ';color='],
  ['matrix', false, plain, ';15', ';color='],
  ['matrix', false, plain, 'xcolor=15', ';color='],
  ['matrix', false, plain, ';colors=15', ';color='],
  ['matrix', false, plain, ';color', undefined],
  ['matrix', true, array, ';color=blue;shade=black', ';color='],
  ['matrix', true, object, 'R=100', ';'],
  ['matrix', true, object, ';R=100', undefined],
  ['label', true, array, '', undefined],
  ['simple', false, plain, '15', undefined],
])('%s, explode %s, %j of %s lacks %s', (style, explode, coerce, raw, expected) => {
  expect(missingPrefix(raw, parameter('color', [], { style, explode, coerce }))).toBe(expected)
})

test('a member named __proto__ stays a member', () => {
  const binding = parameter('color', [], { style: 'simple', explode: true, coerce: object })
  const value = coerceDivided(divide('__proto__=1', binding, decodeURIComponent), object, '/color', [])
  expect(JSON.stringify(value)).toBe('{"__proto__":"1"}')
})
