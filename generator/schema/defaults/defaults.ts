import { compareText, objectOf } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { isObject } from '../../document/json.js'
import { fingerprint } from '../canonical.js'
import { leavesFirst } from '../graphs.js'
import { refuses } from '../instance.js'
import { alwaysApplied, isSchema, mapSubschemas, referenceOf, type Schema, subschemas } from '../schema.js'
import { endlessDefaults } from './endless-defaults.js'

type Schemas = ReadonlyMap<string, Schema>

/**
 * The default of a schema: its own, or the one that its `$ref`, the parts of its `allOf` and the only branch of an
 * `anyOf` or `oneOf` agree on. Undefined if they differ, or if the schema rejects it. Ignores one branch of several,
 * which depends on the value.
 */
export function defaultOf(schemas: Schemas, schema: Schema): Json | undefined {
  return new Defaults(schemas).of(schema)
}

/** Whether a schema has its own default, and accepts it. */
export function hasValidDefault(schemas: Schemas, schema: JsonObject): boolean {
  const { default: value } = schema
  return value !== undefined && takes(schemas, schema, value)
}

/**
 * Drops defaults that their own schema rejects, because calls without the value would fail. Then copies the
 * default of each property's schema to the property itself, where validators look for it, unless filling it in
 * would never end. Changes `schemas`, and returns a function that does the same to other schemas.
 */
export function settleDefaults(schemas: Map<string, Schema>): (schema: Schema) => Schema {
  for (const [name, schema] of schemas) schemas.set(name, withoutInvalidDefaults(schemas, schema))
  const defaults = new Defaults(new Map(schemas))
  for (const [name, schema] of schemas) schemas.set(name, defaults.atProperties(schema))
  const endless = endlessDefaults(schemas)
  if (endless.size > 0) for (const [name, schema] of schemas) schemas.set(name, without(endless, schema))
  return (schema) => defaults.atProperties(withoutInvalidDefaults(schemas, schema))
}

function withoutInvalidDefaults(schemas: Schemas, schema: Schema): Schema {
  // Most schemas have no default and need no copy.
  return holdsDefault(schema) ? checked(schemas, schema) : schema
}

function holdsDefault(schema: Schema): boolean {
  if (!isObject(schema)) return false
  return Object.hasOwn(schema, 'default') || subschemas(schema).some((part) => holdsDefault(part.schema))
}

function checked(schemas: Schemas, schema: Schema): Schema {
  if (!isObject(schema)) return schema
  const result = replacing(schema, (part) => checked(schemas, part))
  if (!Object.hasOwn(result, 'default') || hasValidDefault(schemas, result)) return result
  const { default: _, ...rest } = result
  return rest
}

function without(endless: ReadonlySet<Schema>, schema: Schema): Schema {
  if (!isObject(schema)) return schema
  const result = replacing(schema, (part) => without(endless, part))
  if (!endless.has(schema)) return result
  const { default: _, ...rest } = result
  return rest
}

/** The schema with its direct subschemas replaced. The schema itself if none changes. */
function replacing(schema: JsonObject, replace: (part: Schema, keyword: string) => Schema): JsonObject {
  const parts = subschemas(schema)
  const kept = parts.map((part) => replace(part.schema, part.keyword))
  // Most stay as they are, and need no copy.
  if (kept.every((one, index) => one === parts[index]?.schema)) return schema
  let index = 0
  return mapSubschemas(schema, (part) => (isSchema(part) ? (kept[index++] ?? true) : true))
}

function takes(schemas: Schemas, schema: Schema, value: Json): boolean {
  return !refuses(schema, value, (reference) => schemas.get(referenceOf({ $ref: reference }) ?? ''))
}

/** Keywords in whose subschemas validators fill in defaults. */
const filled: ReadonlySet<string> = new Set(['prefixItems', 'properties'])

/** The defaults of the schemas of one document. */
class Defaults {
  /** The defaults of each schema. At most two are kept, because two different ones give no default. */
  readonly #candidates = new Map<Schema, readonly Json[]>()

  constructor(private readonly schemas: Schemas) {}

  of(schema: Schema): Json | undefined {
    const [value, other] = this.#candidatesOf(schema)
    return value === undefined || other !== undefined || !takes(this.schemas, schema, value)
      ? undefined
      : value
  }

  /** The schema with the default of each property at the property itself. */
  atProperties(schema: Schema): Schema {
    if (!isObject(schema)) return schema
    return replacing(schema, (part, keyword) => {
      const inner = this.atProperties(part)
      return filled.has(keyword) ? this.#withDefault(part, inner) : inner
    })
  }

  #withDefault(source: Schema, schema: Schema): Schema {
    if (!isObject(schema) || Object.hasOwn(schema, 'default') || this.#parts(source).length === 0)
      return schema
    const value = this.of(source)
    if (value === undefined) return schema
    return objectOf(
      [...Object.entries(schema), ['default', value] as const].sort(([a], [b]) => compareText(a, b)),
    )
  }

  #candidatesOf(schema: Schema): readonly Json[] {
    const isKnown = (part: Schema): boolean => this.#candidates.has(part)
    for (const part of leavesFirst(schema, (part) => this.#parts(part), isKnown)) {
      const own = isObject(part) ? part.default : undefined
      const found = this.#parts(part).flatMap((other) => this.#candidates.get(other) ?? [])
      this.#candidates.set(part, own === undefined ? different(found) : [own])
    }
    return this.#candidates.get(schema) ?? []
  }

  #parts(schema: Schema): Schema[] {
    return alwaysApplied(this.schemas, schema)
  }
}

/** The first two different values. */
function different(values: readonly Json[]): readonly Json[] {
  const [first] = values
  if (first === undefined || values.length === 1) return values
  const other = values.find((value) => fingerprint(value) !== fingerprint(first))
  return other === undefined ? [first] : [first, other]
}
