import { picked } from '../document/cursor.js'
import { isObject, own } from '../document/json.js'
import { resolve, type Schema, schemaList } from './schema.js'

/** Whether a property is read-only: by its own mark, or that of its reference's target or of a part. */
export function isReadOnly(
  schemas: ReadonlyMap<string, Schema>,
  property: Schema,
  seen: ReadonlySet<Schema> = new Set(),
): boolean {
  if (!isObject(property) || seen.has(property)) return false
  const marked = own(property, 'readOnly')
  if (typeof marked === 'boolean') return marked
  const within = new Set([...seen, property])
  const target = resolve(schemas, property)
  return [...(target === property ? [] : [target]), ...schemaList(property, 'allOf')].some((part) =>
    isReadOnly(schemas, part, within),
  )
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
