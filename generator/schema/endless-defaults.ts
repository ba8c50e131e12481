import type { Json, JsonObject } from '../document/document.js'
import { isArray, isObject } from '../document/json.js'
import { inRings } from './rings.js'
import { referenceOf, type Schema, schemaList, schemaMap, subschemas } from './schema.js'

type Schemas = ReadonlyMap<string, Schema>

/** Properties whose default, once filled in, contains the same default again. Validators would never end. */
export function endlessDefaults(schemas: Schemas): ReadonlySet<Schema> {
  const holding = new Set<JsonObject>()
  const open: Schema[] = [...schemas.values()]
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    if (!isObject(schema)) continue
    open.push(...subschemas(schema).map((part) => part.schema))
    for (const [, property] of schemaMap(schema, 'properties')) if (isHolding(property)) holding.add(property)
  }
  return inRings(holding, (property) => filledIn(schemas, property))
}

function isHolding(property: Schema): property is JsonObject {
  return isObject(property) && typeof property.default === 'object' && property.default !== null
}

/** The properties that have an object or array as default and are filled in inside a property's default. */
function filledIn(schemas: Schemas, property: JsonObject): ReadonlySet<JsonObject> {
  const found = new Set<JsonObject>()
  const open: (readonly [Json, Schema])[] = [[property.default ?? null, property]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, schema] = next
    if (typeof value !== 'object' || value === null) continue
    for (const part of partsOf(schemas, schema)) {
      if (isArray(value)) open.push(...itemsOf(value, part))
      if (!isObject(value)) continue
      for (const [name, member] of schemaMap(part, 'properties'))
        if (!Object.hasOwn(value, name) && isHolding(member)) found.add(member)
      open.push(...membersOf(value, part))
    }
  }
  return found
}

function itemsOf(value: readonly Json[], part: JsonObject): (readonly [Json, Schema])[] {
  const prefix = schemaList(part, 'prefixItems')
  return value.flatMap((item, index) => [[item, prefix[index] ?? schemaAt(part, 'items')] as const])
}

function membersOf(value: JsonObject, part: JsonObject): (readonly [Json, Schema])[] {
  const properties = new Map(schemaMap(part, 'properties'))
  const others = [
    schemaAt(part, 'additionalProperties'),
    ...schemaMap(part, 'patternProperties').map(([, of]) => of),
  ]
  return Object.entries(value).flatMap(([name, member]) => {
    const declared = properties.get(name)
    return [...(declared === undefined ? [] : [declared]), ...others].map(
      (schema) => [member, schema] as const,
    )
  })
}

function schemaAt(schema: JsonObject, keyword: string): Schema {
  const value = schema[keyword]
  return isObject(value) ? value : true
}

/** A schema, its references and parts, each once. Includes branches, since a discriminator may choose one. */
function partsOf(schemas: Schemas, schema: Schema): ReadonlySet<JsonObject> {
  const parts = new Set<JsonObject>()
  const open: Schema[] = [schema]
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (!isObject(part) || parts.has(part)) continue
    parts.add(part)
    const target = schemas.get(referenceOf(part) ?? '')
    if (target !== undefined) open.push(target)
    if (Object.hasOwn(part, 'discriminator'))
      open.push(...schemaList(part, 'anyOf'), ...schemaList(part, 'oneOf'))
    open.push(...schemaList(part, 'allOf'))
  }
  return parts
}
