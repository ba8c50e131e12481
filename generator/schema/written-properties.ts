import type { JsonObject } from '../document/document.js'
import { isObject, own } from '../document/json.js'
import { orderOf, writtenOrder } from '../document/written-order.js'
import { type Schema, schemaMap, subschemas } from './schema.js'

/** The properties of a schema, in the order of the document. */
export function writtenProperties(schema: JsonObject): [string, Schema][] {
  const properties = own(schema, 'properties')
  if (!isObject(properties)) return []
  const inOrder = writtenOrder(properties)
  return schemaMap(schema, 'properties').sort(([a], [b]) => inOrder(a, b))
}

/** Represents the orders of properties within schemas. */
export function orderText(schemas: Iterable<Schema>): string {
  const found: string[] = []
  const waiting: Schema[] = [...schemas]
  for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
    if (!isObject(schema)) continue
    const properties = own(schema, 'properties')
    const names = isObject(properties) ? orderOf(properties) : undefined
    if (names !== undefined) found.push(names.join('\n'))
    for (const part of subschemas(schema)) waiting.push(part.schema)
  }
  return found.join('\n\n')
}
