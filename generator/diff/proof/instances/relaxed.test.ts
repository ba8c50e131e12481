import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import type { Json } from '../../../document/document.js'
import { wayOf } from '../../change/place.js'
import { relaxed } from './relaxed.js'

const components: { readonly [reference: string]: Json } = {
  '#/A': { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
  '#/Tree': { type: 'object', properties: { child: { $ref: '#/Tree' }, a: { type: 'integer' } } },
  '#/Self': { $ref: '#/Self' },
}

const ajv = new Ajv2020({ strict: false })

it.each<[schema: Json, way: string, taken: Json, refused: Json]>([
  [{ $ref: '#/A' }, '/a', { a: 1 }, []],
  [{ $ref: '#/A' }, '/a', {}, 'text'],
  [
    { properties: { a: { $ref: '#/A' }, b: { type: 'null' } } },
    '/a/a',
    { a: { a: 1 } },
    { a: { a: 1 }, b: 1 },
  ],
  [{ items: { $ref: '#/A' } }, '/-/a', [{ a: 1 }], [1]],
  [{ prefixItems: [{ type: 'null' }], minItems: 1 }, '/-', [1], []],
  [{ additionalProperties: { type: 'null' }, maxProperties: 1 }, '/*', { x: 1 }, { x: 1, y: 2 }],
  [{ properties: {}, additionalProperties: false }, '/a', { a: 1 }, { b: 1 }],
  [{ dependentRequired: { b: ['a', 'c'] } }, '/a', { b: 1, c: 1 }, { b: 1, a: 1 }],
  [{ allOf: [{ $ref: '#/A' }, { maxProperties: 1 }] }, '/a', { a: 1 }, { a: 1, b: 2 }],
  [{ oneOf: [{ $ref: '#/A' }, { type: 'object', properties: { a: { type: 'null' } } }] }, '/a', { a: 1 }, 1],
])('of %j at %s takes %j, and not %j', (schema, way, taken, refused) => {
  const found = relaxed(schema, wayOf(way), (reference) => components[reference])
  expect(ajv.validate(Object(found), taken)).toBe(true)
  expect(ajv.validate(Object(found), refused)).toBe(false)
})

it('ends where references lead in a circle', () => {
  const found = relaxed({ $ref: '#/Self' }, ['a'], (reference) => components[reference])
  expect(JSON.stringify(found)).toContain('#/Self')
})
