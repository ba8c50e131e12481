import type { JsonObject } from '../../../document/document.js'
import { isArray, isObject, own } from '../../../document/json.js'
import { keywordNamed } from '../../../document/vocabulary.js'
import {
  isAnnotation,
  isSchema,
  referenceOf,
  requiredOf,
  type Schema,
  schemaList,
  schemaMap,
} from '../../../schema/schema.js'
import { typesOf } from '../../texts/types.js'

type Schemas = ReadonlyMap<string, Schema>

/**
 * Whether the keywords alone show that a schema has a value, as for nearly all schemas. `false` is inconclusive: a
 * search must decide, and that first reads all components of the document.
 */
export function isInhabited(schemas: Schemas, schema: Schema, depth = 4): boolean {
  if (!isObject(schema)) return schema
  const keywords = Object.keys(schema).filter(isAsserting)
  if (keywords.length === 0) return true
  if (depth === 0) return false
  const within = (part: Schema): boolean => isInhabited(schemas, part, depth - 1)
  if (keywords.join() === 'anyOf') return schemaList(schema, 'anyOf').some(within)
  if (keywords.join() === '$ref') return within(schemas.get(referenceOf(schema) ?? '') ?? false)
  const types = own(schema, 'type') === undefined ? keywordsByType.keys() : typesOf(schema)
  return [...types].some((type) => {
    const known = keywordsByType.get(type)
    const isPlain = known !== undefined && keywords.every((key) => key === 'type' || known.includes(key))
    return isPlain && (type === 'string' ? hasText(schema) : type !== 'object' || hasObject(schema, within))
  })
}

/** Whether a keyword may exclude values. What is no keyword excludes none, such as the members of an operation. */
function isAsserting(key: string): boolean {
  return keywordNamed(key) !== undefined && !isAnnotation(key) && !marks.has(key)
}

const marks: ReadonlySet<string> = new Set(['default', 'readOnly', 'writeOnly'])

/** Keywords that leave some value of a type, on their own or as checked by the functions below. */
const keywordsByType: ReadonlyMap<string, readonly string[]> = new Map([
  ['null', []],
  ['boolean', []],
  ['number', ['format']],
  ['integer', ['format']],
  ['string', ['enum', 'format', 'minLength', 'maxLength']],
  ['array', ['items', 'maxItems']],
  ['object', ['properties', 'required', 'additionalProperties']],
])

/** Every format has texts up to this length, and texts that are not empty. */
const usualLength = 64

/** Whether an enum, a format or length bounds leave a text. Combinations of them are not checked. */
function hasText(schema: JsonObject): boolean {
  const { enum: values, format, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema
  const hasLength = (length: number): boolean => Number(minLength) <= length && length <= Number(maxLength)
  if (isArray(values))
    return format === undefined && values.some((one) => typeof one === 'string' && hasLength([...one].length))
  if (format === undefined) return Number(minLength) <= Number(maxLength)
  return Number(minLength) <= 1 && Number(maxLength) >= usualLength
}

function hasObject(schema: JsonObject, isInhabited: (property: Schema) => boolean): boolean {
  const properties = new Map(schemaMap(schema, 'properties'))
  const others = own(schema, 'additionalProperties') ?? true
  return requiredOf(schema).every((name) => {
    const property = properties.get(name) ?? others
    return isSchema(property) && isInhabited(property)
  })
}
