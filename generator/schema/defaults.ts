import type { JsonObject } from '../document/document.js'
import { isObject } from '../document/json.js'
import { accepts } from './instance.js'
import { isSchema, mapSubschemas, referenceOf, type Schema, subschemas } from './schema.js'

/** A schema without the defaults that it rejects itself, which would make calls that leave them out fail. */
export function withoutInvalidDefaults(schemas: ReadonlyMap<string, Schema>, schema: Schema): Schema {
  // Most have no default, and need no copy.
  return holdsDefault(schema) ? checked(schemas, schema) : schema
}

function holdsDefault(schema: Schema): boolean {
  if (!isObject(schema)) return false
  return Object.hasOwn(schema, 'default') || subschemas(schema).some((part) => holdsDefault(part.schema))
}

function checked(schemas: ReadonlyMap<string, Schema>, schema: Schema): Schema {
  if (!isObject(schema)) return schema
  let changed = false
  const mapped = mapSubschemas(schema, (part) => {
    if (!isSchema(part)) return true
    const kept = checked(schemas, part)
    changed ||= kept !== part
    return kept
  })
  const result = changed ? mapped : schema
  if (!Object.hasOwn(result, 'default') || hasValidDefault(schemas, result)) return result
  const { default: _, ...rest } = result
  return rest
}

/** Whether a schema has a default, and takes it. */
export function hasValidDefault(schemas: ReadonlyMap<string, Schema>, schema: JsonObject): boolean {
  const { default: value } = schema
  const resolve = (reference: string) => schemas.get(referenceOf({ $ref: reference }) ?? '')
  return value !== undefined && accepts(schema, value, resolve)
}
