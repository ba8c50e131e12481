import { objectOf } from '../document/cursor.js'
import type { Json, JsonObject } from '../document/document.js'
import { isArray, isObject, own } from '../document/json.js'
import { compositions } from '../document/vocabulary.js'
import type { Model, Operation } from '../model/model.js'
import { leavesFirst } from '../schema/graphs.js'
import { isSchema, requiredOf, resolve, type Schema, schemaList, schemaMap } from '../schema/schema.js'

type Schemas = Model['schemas']

/** Reduces a value that all of these schemas describe. Undefined: nothing is left. */
export type Lessen = (schemas: Schemas, described: readonly Schema[], value: Json) => Json | undefined

/** Params with the named ones reduced. A required param stays unchanged if nothing would be left of it. */
export function lessened(
  schemas: Schemas,
  operation: Operation,
  params: JsonObject,
  names: ReadonlySet<string>,
  lessen: Lessen,
): JsonObject {
  const whole = partsOf(schemas, operation.params)
  const required = new Set(whole.flatMap(requiredOf))
  return objectOf(
    Object.entries(params).flatMap(([name, value]) => {
      const less = names.has(name) ? lessen(schemas, memberOf(whole, name), value) : value
      if (less !== undefined) return [[name, less] as const]
      return required.has(name) ? [[name, value] as const] : []
    }),
  )
}

/**
 * A value without its empty optional parts, lists and objects that forms and queries cannot represent.
 * Undefined if the value itself or a required part of it is empty.
 */
export const filled: Lessen = (schemas, described, value) => {
  const parts = described.flatMap((schema) => partsOf(schemas, schema))
  if (isArray(value)) {
    const items = parts.flatMap((part) => schemaAt(part, 'items'))
    const kept = value.map((item) => filled(schemas, items, item)).filter((item) => item !== undefined)
    return kept.length === 0 ? undefined : kept
  }
  if (!isObject(value)) return value
  const required = new Set(parts.flatMap(requiredOf))
  const kept: [string, Json][] = []
  for (const [name, member] of Object.entries(value)) {
    const less = filled(schemas, memberOf(parts, name), member)
    if (less !== undefined) kept.push([name, less])
    else if (required.has(name)) return undefined
  }
  return kept.length === 0 ? undefined : objectOf(kept)
}

/** A schema and all its parts, including alternatives. */
function partsOf(schemas: Schemas, schema: Schema): JsonObject[] {
  const objectsOf = (part: Schema): JsonObject[] => {
    const target = resolve(schemas, part)
    return isObject(target) ? [target] : []
  }
  const within = (whole: JsonObject): JsonObject[] =>
    compositions.flatMap((keyword) => schemaList(whole, keyword).flatMap(objectsOf))
  return objectsOf(schema).flatMap((whole) => leavesFirst(whole, within, () => false))
}

function memberOf(parts: readonly JsonObject[], name: string): Schema[] {
  return parts.flatMap((part) => {
    const known = schemaMap(part, 'properties').find(([key]) => key === name)
    return known === undefined ? schemaAt(part, 'additionalProperties') : [known[1]]
  })
}

function schemaAt(part: JsonObject, keyword: string): Schema[] {
  const value = own(part, keyword)
  return value !== undefined && isSchema(value) ? [value] : []
}
