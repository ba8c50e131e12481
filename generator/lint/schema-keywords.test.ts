// @module-tag long

import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs } from '../../test/runs.js'
import type { Json, JsonObject } from '../document/document.js'
import { lint } from './lint.js'

const ajv = new Ajv2020({ strict: false, logger: false })

const keywords = [
  'allOf',
  'anyOf',
  'oneOf',
  'prefixItems',
  'not',
  'if',
  'then',
  'else',
  'items',
  'contains',
  'additionalProperties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'properties',
  'patternProperties',
  'dependentSchemas',
  'type',
  'const',
  'enum',
  'multipleOf',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'maxItems',
  'minItems',
  'uniqueItems',
  'maxContains',
  'minContains',
  'maxProperties',
  'minProperties',
  'required',
  'dependentRequired',
  'title',
  'description',
  'default',
  'deprecated',
  'readOnly',
  'writeOnly',
  'examples',
  'format',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
  '$defs',
  '$comment',
]

const plain = fc.oneof(
  fc.constantFrom<Json>(true, false, null, 0, 1, -1, 1.5, '', 'a', 'string', 'integer', 'objekt'),
  fc.array(fc.constantFrom<Json>('string', 'null', 'a', 1, true, {}), { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom<Json>(true, {}, 'a', ['a'], ['a', 'a'], 1), {
    maxKeys: 2,
  }),
)

const { schema } = fc.letrec<{ schema: Json; value: Json }>((tie) => ({
  schema: fc.dictionary(fc.constantFrom(...keywords), tie('value'), { maxKeys: 4 }),
  value: fc.oneof({ maxDepth: 3 }, plain, plain, tie('schema')),
}))

it('accepts exactly the schemas that the meta-schema of JSON Schema 2020-12 accepts', () => {
  fc.assert(
    fc.property(schema, (value) => {
      const valid = ajv.validateSchema(value as JsonObject) === true
      const errors = findings(value).filter(({ code }) => faults.includes(code))
      expect(errors.length === 0, JSON.stringify(errors)).toBe(valid)
    }),
    { numRuns: runs(800, 3000) },
  )
})

const faults = ['wrong-type', 'invalid-value', 'value-ignored', 'required-repeated', 'exclusive-flag']

function findings(value: Json) {
  const root = { openapi: '3.1.1', info: { title: 'T', version: '1' }, components: { schemas: { S: value } } }
  return lint({
    file: 'a.yaml',
    files: [],
    root,
    locate: (pointer) => ({ file: pointer, line: 1, column: 1 }),
  })
}
