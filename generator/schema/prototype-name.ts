import { objectOf } from '../document/cursor.js'
import type { JsonObject } from '../document/document.js'
import { isObject } from '../document/json.js'
import { mapSubschemas, type Schema, schemaMap } from './schema.js'

/** AJV ignores a property called `__proto__`. As a pattern it is checked like others. */
export function withPrototypeName(schema: JsonObject): JsonObject {
  const properties = schemaMap(schema, 'properties')
  const property = properties.find(([name]) => name === '__proto__')?.[1]
  if (property === undefined) return schema
  const patterns = new Map(schemaMap(schema, 'patternProperties'))
  return {
    ...schema,
    properties: objectOf(properties.filter(([name]) => name !== '__proto__')),
    patternProperties: objectOf([...patterns, ['^__proto__$', property]]),
  }
}

/** The same for all of a schema. */
export function withPrototypeNames(schema: Schema): Schema {
  if (!isObject(schema)) return schema
  const mapped = mapSubschemas(schema, (part) => (isObject(part) ? withPrototypeNames(part) : part !== false))
  return withPrototypeName(mapped)
}
