import type { Json, JsonObject } from '../../document/document.js'
import { isArray, isObject } from '../../document/json.js'
import { choices } from '../../document/vocabulary.js'
import { fingerprint } from '../canonical.js'
import { inRings } from '../graphs.js'
import { referenceOf, type Schema, schemaList, schemaMap, subschemas } from '../schema.js'

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
  const values = new Values(schemas)
  const ringed = inRings<Filled>(holding, (one) => values.within(one))
  return new Set([...holding].filter((property) => ringed.has(property)))
}

function isHolding(property: Schema): property is JsonObject {
  return isObject(property) && typeof property.default === 'object' && property.default !== null
}

/** A value of a schema. */
class ValueAt {
  constructor(
    readonly schema: JsonObject,
    readonly value: Json,
  ) {}
}

/** A property that gets its default, or a value inside a default. */
type Filled = JsonObject | ValueAt

/**
 * Finds what validators fill in inside values. Properties with equal defaults share the work: a row of schemas costs
 * its length.
 */
class Values {
  readonly #known = new Map<JsonObject, Map<string, ValueAt>>()

  constructor(readonly schemas: Schemas) {}

  /** The next values within one, and its missing properties that have an object or array as default. */
  within(filled: Filled): Filled[] {
    if (!(filled instanceof ValueAt)) return this.#at(filled.default ?? null, filled)
    const { value, schema } = filled
    const same = partsOf(this.schemas, schema).flatMap((part) => this.#at(value, part))
    if (isArray(value)) return [...same, ...itemsOf(value, schema).flatMap((item) => this.#at(...item))]
    if (!isObject(value)) return same
    const lacking = schemaMap(schema, 'properties').flatMap(([name, property]) =>
      !Object.hasOwn(value, name) && isHolding(property) ? [property] : [],
    )
    return [...same, ...lacking, ...membersOf(value, schema).flatMap((member) => this.#at(...member))]
  }

  #at(value: Json, schema: Schema): ValueAt[] {
    if (typeof value !== 'object' || value === null || !isObject(schema)) return []
    const known = this.#known.get(schema) ?? new Map<string, ValueAt>()
    this.#known.set(schema, known)
    const key = fingerprint(value)
    const found = known.get(key) ?? new ValueAt(schema, value)
    known.set(key, found)
    return [found]
  }
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

/** The schemas that a schema applies to the same value. Includes branches, since a discriminator may choose one. */
function partsOf(schemas: Schemas, schema: JsonObject): Schema[] {
  const target = schemas.get(referenceOf(schema) ?? '')
  const isChosen = Object.hasOwn(schema, 'discriminator')
  return [
    ...(target === undefined ? [] : [target]),
    ...(isChosen ? choices.flatMap((keyword) => schemaList(schema, keyword)) : []),
    ...schemaList(schema, 'allOf'),
  ]
}
