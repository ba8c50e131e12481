import type { Json } from '../document/document.js'
import { clone, isArray, isObject, type MutableObject, own, setOwn } from '../document/json.js'
import { compositions, keywordsThat, plainLimits } from '../document/vocabulary.js'
import { keepDigitsAt } from '../document/written-digits.js'

/** Schema keywords that Swagger 2.0 allows in parameters, headers and items (Swagger 2.0, Parameter Object). */
const keywords = [
  ...keywordsThat(({ name, of }) => plainLimits.has(name) && of !== 'object'),
  ...['type', 'items', 'default', 'enum', 'x-nullable'],
]

/** Moves the keywords of a parameter or header under `schema`, in place. `note` receives the schema. */
export function convertParameter(parameter: MutableObject, note: (schema: Json) => void): void {
  if (Object.hasOwn(parameter, '$ref') || Object.hasOwn(parameter, 'schema')) return
  const { collectionFormat } = parameter
  delete parameter.collectionFormat
  const schema = taken(parameter)
  if (own(schema, 'type') === 'array')
    Object.assign(parameter, own(parameter, 'in') === 'query' ? styleOf(collectionFormat) : {})
  convertSchema(schema)
  parameter.schema = schema
  note(schema)
}

/** The schema of a form field. Does not change the parameter. */
export function fieldOf(parameter: MutableObject): MutableObject {
  const schema = taken(clone(parameter) as MutableObject)
  const { description } = parameter
  if (typeof description === 'string') schema.description = description
  convertSchema(schema)
  return schema
}

function taken(holder: MutableObject): MutableObject {
  const schema: MutableObject = {}
  for (const key of keywords) {
    const value = own(holder, key)
    if (value === undefined) continue
    setOwn(schema, key, value)
    keepDigitsAt([holder, key], [schema, key])
    delete holder[key]
  }
  return schema
}

/**
 * The style of a list in a query or a form: `csv` by default (Swagger 2.0, Parameter Object). `tsv` has no
 * equivalent.
 */
export function styleOf(format: Json | undefined): MutableObject {
  if (format === 'multi') return { style: 'form', explode: true }
  if (format === 'ssv') return { style: 'spaceDelimited', explode: false }
  if (format === 'pipes') return { style: 'pipeDelimited', explode: false }
  return { style: 'form', explode: false }
}

/** Converts a schema and its subschemas to OpenAPI 3.0, in place. */
export function convertSchema(value: Json): void {
  if (!isObject(value)) return
  const schema: MutableObject = value
  const discriminator = own(schema, 'discriminator')
  if (typeof discriminator === 'string') schema.discriminator = { propertyName: discriminator }
  if (own(schema, 'x-nullable') === true) schema.nullable = true
  if (own(schema, 'type') === 'file') Object.assign(schema, { type: 'string', format: 'binary' })
  delete schema['x-nullable']
  delete schema.collectionFormat
  // A list of items is a tuple in JSON Schema draft 4, and documents of that time use it.
  const items = own(schema, 'items')
  if (isArray(items)) {
    schema.prefixItems = items
    delete schema.items
    for (const item of items) convertSchema(item)
  }
  for (const key of ['items', 'additionalProperties']) convertSchema(own(schema, key) ?? null)
  for (const key of compositions) {
    const parts = own(schema, key)
    if (isArray(parts)) for (const part of parts) convertSchema(part)
  }
  const properties = own(schema, 'properties')
  if (isObject(properties)) for (const property of Object.values(properties)) convertSchema(property)
}

/** The media types of `consumes` or `produces`. */
export function mediaTypes(stated: Json | undefined): string[] {
  return isArray(stated) ? [...new Set(stated.filter((type) => typeof type === 'string'))] : []
}
