import { isObject, own } from '../load/json.js'
import type { Schema } from './model.js'
import { resolve, schemaList } from './schema.js'

/** Whether a property is read-only: by its own mark, by that of the schema that it refers to, or of a part. */
export function isReadOnly(
  schemas: ReadonlyMap<string, Schema>,
  property: Schema,
  seen: ReadonlySet<Schema> = new Set(),
): boolean {
  if (!isObject(property) || seen.has(property)) return false
  if (own(property, 'readOnly') === true) return true
  const within = new Set([...seen, property])
  const target = resolve(schemas, property)
  return [...(target === property ? [] : [target]), ...schemaList(property, 'allOf')].some((part) =>
    isReadOnly(schemas, part, within),
  )
}
