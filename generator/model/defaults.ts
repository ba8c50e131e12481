import { accepts } from '../load/instance.js'
import { isObject } from '../load/json.js'
import type { Schema } from './model.js'
import { isSchema, mapSubschemas, referenceOf, subschemas } from './schema.js'

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
  const { default: value } = result
  const resolve = (reference: string) => schemas.get(referenceOf({ $ref: reference }) ?? '')
  if (!Object.hasOwn(result, 'default') || value === undefined || accepts(result, value, resolve))
    return result
  const { default: _, ...rest } = result
  return rest
}
