import type { Json, JsonObject } from '../generator/document/document.js'
import type { KeywordName } from '../generator/document/vocabulary.js'

/** Two values of a keyword; if validators check it, an instance that only the old one accepts. */
export interface Example {
  readonly old: Json
  readonly new: Json
  readonly taken?: Json
  /** Without these, the keyword says nothing. */
  readonly beside?: JsonObject
}

export const text = { type: 'string' }
export const whole = { type: 'integer' }
const inText = { $ref: '#/components/schemas/Text' }
const inWhole = { $ref: '#/components/schemas/Whole' }

export const examples: Readonly<Record<KeywordName, Example>> = {
  $id: { old: 'https://a.test/one', new: 'https://a.test/two' },
  $schema: {
    old: 'https://json-schema.org/draft/2020-12/schema',
    new: 'https://spec.openapis.org/oas/3.1/dialect/base',
  },
  $ref: { old: inText.$ref, new: inWhole.$ref, taken: 'a' },
  $anchor: { old: 'three', new: 'four' },
  $dynamicRef: { old: inText.$ref, new: inWhole.$ref, taken: 'a' },
  $dynamicAnchor: { old: 'one', new: 'two' },
  $vocabulary: { old: { 'https://a.test/one': true }, new: { 'https://a.test/two': true } },
  $comment: { old: 'one', new: 'two' },
  $defs: { old: { A: text }, new: { A: whole } },
  definitions: { old: { A: text }, new: { A: whole } },
  allOf: { old: [text], new: [text, { const: 'b' }], taken: 'a' },
  anyOf: { old: [text, whole], new: [whole], taken: 'a' },
  oneOf: { old: [text, whole], new: [whole], taken: 'a' },
  prefixItems: { old: [text], new: [whole], taken: ['a'], beside: { type: 'array' } },
  not: { old: text, new: whole, taken: 1 },
  if: { old: text, new: { minLength: 2 }, taken: 'a', beside: { else: false } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { old: text, new: { minLength: 2 }, taken: 'a', beside: { if: text } },
  else: { old: text, new: { minLength: 2 }, taken: 'a', beside: { if: whole } },
  items: { old: text, new: whole, taken: ['a'], beside: { type: 'array' } },
  contains: { old: text, new: whole, taken: ['a'], beside: { type: 'array' } },
  additionalProperties: { old: text, new: whole, taken: { a: 'a' }, beside: { type: 'object' } },
  propertyNames: {
    old: { maxLength: 2 },
    new: { maxLength: 1 },
    taken: { ab: 1 },
    beside: { type: 'object' },
  },
  unevaluatedItems: { old: text, new: whole, taken: ['a'], beside: { type: 'array' } },
  unevaluatedProperties: { old: text, new: whole, taken: { a: 'a' }, beside: { type: 'object' } },
  properties: { old: { a: text }, new: { a: whole }, taken: { a: 'a' }, beside: { type: 'object' } },
  patternProperties: { old: { a: text }, new: { a: whole }, taken: { a: 'a' }, beside: { type: 'object' } },
  dependentSchemas: {
    ...{ old: { a: {} }, new: { a: { required: ['b'] } } },
    ...{ taken: { a: 1 }, beside: { type: 'object' } },
  },
  type: { old: 'string', new: 'integer', taken: 'a' },
  const: { old: 'a', new: 'b', taken: 'a' },
  enum: { old: ['a', 'b'], new: ['b'], taken: 'a' },
  multipleOf: { old: 2, new: 4, taken: 2, beside: whole },
  maximum: { old: 2, new: 1, taken: 2, beside: whole },
  exclusiveMaximum: { old: 2, new: 1, taken: 1, beside: whole },
  minimum: { old: 1, new: 2, taken: 1, beside: whole },
  exclusiveMinimum: { old: 1, new: 2, taken: 2, beside: whole },
  maxLength: { old: 2, new: 1, taken: 'ab', beside: text },
  minLength: { old: 1, new: 2, taken: 'a', beside: text },
  pattern: { old: '^a', new: '^b', taken: 'a', beside: text },
  maxItems: { old: 2, new: 1, taken: [1, 2], beside: { type: 'array' } },
  minItems: { old: 1, new: 2, taken: [1], beside: { type: 'array' } },
  uniqueItems: { old: false, new: true, taken: [1, 1], beside: { type: 'array' } },
  maxContains: { old: 2, new: 1, taken: [1, 1], beside: { type: 'array', contains: whole } },
  minContains: { old: 1, new: 2, taken: [1], beside: { type: 'array', contains: whole } },
  maxProperties: { old: 2, new: 1, taken: { a: 1, b: 1 }, beside: { type: 'object' } },
  minProperties: { old: 1, new: 2, taken: { a: 1 }, beside: { type: 'object' } },
  required: { old: ['a'], new: ['a', 'b'], taken: { a: 1 }, beside: { type: 'object' } },
  dependentRequired: { old: { a: [] }, new: { a: ['b'] }, taken: { a: 1 }, beside: { type: 'object' } },
  title: { old: 'One', new: 'Two' },
  description: { old: 'One', new: 'Two' },
  default: { old: 'a', new: 'b', beside: text },
  deprecated: { old: false, new: true },
  readOnly: { old: false, new: true, beside: text },
  writeOnly: { old: false, new: true, beside: text },
  examples: { old: ['a'], new: ['b'] },
  format: { old: 'uri', new: 'date', taken: 'a:b', beside: text },
  contentEncoding: { old: 'base64', new: 'base64url', beside: text },
  contentMediaType: { old: 'text/csv', new: 'text/html', beside: text },
  contentSchema: { old: text, new: whole, beside: { ...text, contentMediaType: 'application/json' } },
  discriminator: {
    old: { propertyName: 'kind', mapping: { a: inText.$ref, b: inWhole.$ref } },
    new: { propertyName: 'kind', mapping: { b: inText.$ref, a: inWhole.$ref } },
    beside: { oneOf: [inText, inWhole] },
  },
  xml: { old: { name: 'a' }, new: { name: 'b' } },
  externalDocs: { old: { url: 'https://a.test/one' }, new: { url: 'https://a.test/two' } },
  example: { old: 'a', new: 'b' },
  nullable: { old: true, new: false, taken: null, beside: text },
  additionalItems: { old: text, new: whole, taken: [1, 'a'], beside: { type: 'array', items: [whole] } },
  dependencies: { old: { a: [] }, new: { a: ['b'] }, taken: { a: 1 }, beside: { type: 'object' } },
  $recursiveRef: { old: '#', new: '#/items' },
  $recursiveAnchor: { old: false, new: true },
  'x-extensible-enum': { old: ['a', 'b'], new: ['b'], beside: text },
  'x-stability-level': { old: 'stable', new: 'beta' },
  'x-sunset': { old: '2027-01-01', new: '2027-02-01', beside: { deprecated: true } },
  'x-timezone': { old: false, new: true, beside: { ...text, format: 'date-time' } },
}
