import { expect, test } from 'vitest'
import { inDraft07 } from './draft-07.js'

const $schema = 'http://json-schema.org/draft-07/schema#'

test('renames keywords that have another name in draft-07', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    properties: { pair: { prefixItems: [{ type: 'string' }], items: { prefixItems: [] } } },
    dependentRequired: { a: ['b'] },
    dependentSchemas: { c: { prefixItems: [{}] } },
  }
  expect(inDraft07(schema)).toEqual({
    $schema,
    properties: { pair: { items: [{ type: 'string' }], additionalItems: { items: [] } } },
    dependencies: { a: ['b'], c: { items: [{}] } },
  })
})

test('keeps siblings of a reference, and definitions where references point', () => {
  const schema = { $ref: '#/$defs/A', minProperties: 1, $defs: { A: { $ref: '#/$defs/B' }, B: {} } }
  expect(inDraft07(schema)).toEqual({
    $schema,
    allOf: [{ $ref: '#/$defs/A' }, { minProperties: 1 }],
    $defs: { A: { $ref: '#/$defs/B' }, B: {} },
  })
})

test('drops what draft-07 cannot express, and never makes the schema stricter', () => {
  const schema = {
    unevaluatedProperties: false,
    allOf: [
      { contains: { type: 'string' }, minContains: 0, maxContains: 2 },
      { contains: true, minContains: 2 },
    ],
  }
  expect(inDraft07(schema)).toEqual({ $schema, allOf: [{}, { contains: true }] })
})

test('does not treat values as schemas', () => {
  const schema = { const: { items: 1, prefixItems: [2] }, properties: { prefixItems: { type: 'string' } } }
  expect(inDraft07(schema)).toEqual({ $schema, ...schema })
})
