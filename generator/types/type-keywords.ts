import type { Json, JsonObject } from '../document/document.js'
import { isArray, isObject, own } from '../document/json.js'
import { choices, compositions, describingInPlace, groupOf } from '../document/vocabulary.js'
import { leavesFirst } from '../schema/graphs.js'
import { requiredNames } from '../schema/one-way.js'
import { referenceOf, requiredOf, resolve, type Schema, schemaList, schemaMap } from '../schema/schema.js'

export const structuring = [...compositions, ...groupOf('properties')]
export const typing = [
  ...['$ref', '$binary', 'type', 'enum', 'const'],
  ...groupOf('prefixItems'),
  ...structuring,
]

export function isTyped(schema: Schema): boolean {
  return isObject(schema) ? typing.some((keyword) => Object.hasOwn(schema, keyword)) : schema === false
}

/** Whether a part of an allOf only requires properties. */
export function isRequirement(part: Schema): boolean {
  if (!isObject(part) || requiredOf(part).length === 0) return false
  return (
    !typing.some((keyword) => keyword !== 'type' && Object.hasOwn(part, keyword)) && part.type !== 'array'
  )
}

type Schemas = ReadonlyMap<string, Schema>

/** Results for the schemas of one document, so that a chain of them is walked once in total, not once for each. */
const elsewhere = new WeakMap<Schemas, WeakMap<JsonObject, readonly string[]>>()

/** Names that parts of an allOf require without declaring them. */
export function requiredElsewhere(schemas: Schemas, schema: JsonObject): readonly string[] {
  const known = elsewhere.get(schemas) ?? new WeakMap<JsonObject, readonly string[]>()
  elsewhere.set(schemas, known)
  const partsOf = (whole: JsonObject): JsonObject[] =>
    schemaList(whole, 'allOf')
      .map((listed) => resolve(schemas, listed))
      .filter((part) => isObject(part))
  for (const whole of leavesFirst(schema, partsOf, (part) => known.has(part))) {
    const names = partsOf(whole).flatMap((part) => {
      const wanted = [...requiredOf(part), ...(known.get(part) ?? [])]
      if (wanted.length === 0) return wanted
      const declared = new Set(schemaMap(part, 'properties').map(([name]) => name))
      return wanted.filter((name) => !declared.has(name))
    })
    known.set(whole, [...new Set(names)])
  }
  return known.get(schema) ?? []
}

/**
 * Those of the names that the type of a schema would not require: no part declares them where
 * openapi-typescript looks, and no referenced component requires them itself.
 */
export function requiredBeyond(
  schemas: Schemas,
  schema: JsonObject,
  names: readonly string[],
): readonly string[] {
  if (names.length === 0) return names
  const near = new Set<string>()
  const visit = (part: Schema): void => {
    if (!isObject(part)) return
    for (const [name] of schemaMap(part, 'properties')) near.add(name)
    const reference = referenceOf(part)
    const target = reference === undefined ? undefined : schemas.get(reference)
    if (isObject(target)) {
      for (const name of requiredNames(schemas, target)) near.add(name)
      if (isPlainObject(target)) for (const [name] of schemaMap(target, 'properties')) near.add(name)
    }
    for (const inner of schemaList(part, 'allOf')) visit(inner)
  }
  visit(schema)
  return names.filter((name) => !near.has(name))
}

/** Whether a schema describes objects, the only values with members that can be required. */
export function isOfObjects(schema: JsonObject): boolean {
  const type = own(schema, 'type')
  if (type !== undefined) return type === 'object'
  return !choices.some((keyword) => Object.hasOwn(schema, keyword))
}

/** Whether a schema becomes a plain object type, the only kind that openapi-typescript examines. */
function isPlainObject(schema: JsonObject): boolean {
  return !composing.some((keyword) => Object.hasOwn(schema, keyword)) && !isArray(own(schema, 'type'))
}

const composing = ['$ref', ...describingInPlace]

/** The values of an enum or constant that the schema's type admits. Undefined if it lists none. */
export function enumerated(schema: JsonObject): readonly Json[] | undefined {
  const listed = Object.hasOwn(schema, 'const') ? [schema.const ?? null] : own(schema, 'enum')
  if (!isArray(listed)) return undefined
  const type = own(schema, 'type')
  if (type === undefined) return listed
  const types = isArray(type) ? type : [type]
  return listed.filter((value) => types.some((name) => isOfType(value, name)))
}

function isOfType(value: Json, type: Json): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return isArray(value)
  if (type === 'object') return isObject(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}
