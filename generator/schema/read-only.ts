import { picked } from '../document/cursor.js'
import { isObject } from '../document/json.js'
import { isLeftOut } from './one-way.js'
import type { Schema } from './schema.js'

/** Whether requests omit a property. */
export function isReadOnly(schemas: ReadonlyMap<string, Schema>, property: Schema): boolean {
  return isLeftOut(schemas, property, 'readOnly')
}

/**
 * The schema of a value that is not a property, such as a parameter. There read-only and write-only values are
 * sent all the same (OpenAPI 3.0, Schema Object: relevant only for properties).
 */
export function withoutDirection(schemas: ReadonlyMap<string, Schema>, schema: Schema): Schema {
  if (!isObject(schema)) return schema
  const kept = picked(schema, (keyword) => keyword !== 'readOnly' && keyword !== 'writeOnly')
  const bare = Object.keys(kept).length === Object.keys(schema).length ? schema : kept
  return isReadOnly(schemas, bare) ? { ...bare, readOnly: false } : bare
}
