import { expect, test } from 'vitest'
import { endless } from './finite.js'
import type { Schema } from './schema.js'

const S = { $ref: '#/components/schemas/S' }

test.each<[string, Schema]>([
  ['a member of any name', { type: 'object', minProperties: 1, additionalProperties: S }],
  ['a first item', { type: 'array', minItems: 1, prefixItems: [S] }],
  ['an item somewhere', { type: 'array', contains: S }],
  ['a member by its pattern', { type: 'object', required: ['k'], patternProperties: { '^k': S } }],
  [
    'a member beside its pattern',
    { type: 'object', required: ['k'], properties: { k: true }, patternProperties: { k: S } },
  ],
  [
    'more members than may end',
    { type: 'object', minProperties: 2, properties: { a: true, b: S }, additionalProperties: S },
  ],
])('a schema that requires itself as %s has no finite value', (_, schema) => {
  expect(endless(new Map([['S', schema]]))).toEqual(['S'])
})

test.each<[string, Schema]>([
  ['no member has to be there', { type: 'object', additionalProperties: S }],
  [
    'one of another name may be',
    { type: 'object', minProperties: 1, properties: { a: true }, additionalProperties: S },
  ],
  [
    'one of a pattern may be',
    { type: 'object', minProperties: 9, patternProperties: { '^x': true }, additionalProperties: S },
  ],
  [
    'the required member is of another pattern',
    { type: 'object', required: ['x'], patternProperties: { '^k': S } },
  ],
  ['the list may end before', { type: 'array', minItems: 1, prefixItems: [true, S], items: S }],
  ['none of the items has to be one', { type: 'array', contains: S, minContains: 0 }],
])('a schema that leads to itself has finite values where %s', (_, schema) => {
  expect(endless(new Map([['S', schema]]))).toEqual([])
})
