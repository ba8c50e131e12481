import type { JsonObject } from '../document/document.js'
import { isObject } from '../document/json.js'
import type { Schema } from '../schema/schema.js'

type Schemas = ReadonlyMap<string, Schema>

/**
 * Caches a result for each schema, because many tables contain it. The cache lives as long as the document's
 * schemas.
 */
export function remembered<Found>(
  find: (schemas: Schemas, schema: Schema) => Found,
): (schemas: Schemas, schema: Schema) => Found {
  const ofSchemas = new WeakMap<Schemas, WeakMap<JsonObject, Found>>()
  return (schemas, schema) => {
    if (!isObject(schema)) return find(schemas, schema)
    const known = ofSchemas.get(schemas) ?? new WeakMap<JsonObject, Found>()
    ofSchemas.set(schemas, known)
    const found = known.get(schema) ?? find(schemas, schema)
    known.set(schema, found)
    return found
  }
}
