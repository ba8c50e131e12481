import type { Field } from './field.js'

const schema: Field = { one: 'schema' }
const schemas: Field = { list: 'schema', filled: true }
const schemaMap: Field = { map: 'schema' }
const data = (type: Extract<Field, { data: unknown }>['data']): Field => ({ data: type })

/** Keywords of a Schema Object: the JSON Schema 2020-12 meta-schemas and OpenAPI 3.1's base vocabulary. */
export const schemaFields: Readonly<Record<string, Field>> = {
  // core
  $id: data('text'),
  $schema: data('text'),
  $ref: data('text'),
  $anchor: data('text'),
  $dynamicRef: data('text'),
  $dynamicAnchor: data('text'),
  $vocabulary: data('any'),
  $comment: data('text'),
  $defs: schemaMap,
  definitions: schemaMap,
  // applicator and unevaluated
  allOf: schemas,
  anyOf: schemas,
  oneOf: schemas,
  prefixItems: schemas,
  not: schema,
  if: schema,
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: schema,
  else: schema,
  items: schema,
  contains: schema,
  additionalProperties: schema,
  propertyNames: schema,
  unevaluatedItems: schema,
  unevaluatedProperties: schema,
  properties: schemaMap,
  patternProperties: schemaMap,
  dependentSchemas: schemaMap,
  // validation
  type: data('type'),
  const: data('any'),
  enum: data('list'),
  multipleOf: data('positive'),
  maximum: data('number'),
  exclusiveMaximum: data('number'),
  minimum: data('number'),
  exclusiveMinimum: data('number'),
  maxLength: data('count'),
  minLength: data('count'),
  pattern: data('text'),
  maxItems: data('count'),
  minItems: data('count'),
  uniqueItems: data('flag'),
  maxContains: data('count'),
  minContains: data('count'),
  maxProperties: data('count'),
  minProperties: data('count'),
  required: data('uniqueTexts'),
  dependentRequired: data('textsMap'),
  // meta-data, format and content
  title: data('text'),
  description: data('text'),
  default: data('any'),
  deprecated: data('flag'),
  readOnly: data('flag'),
  writeOnly: data('flag'),
  examples: data('list'),
  format: data('text'),
  contentEncoding: data('text'),
  contentMediaType: data('text'),
  contentSchema: schema,
  // OpenAPI
  discriminator: { one: 'discriminator' },
  xml: { one: 'xml' },
  externalDocs: { one: 'externalDocs' },
  example: data('any'),
  nullable: data('any'),
}

/** Values of `type` (JSON Schema 2020-12, validation, section 6.1.1). */
export const schemaTypes = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] as const
