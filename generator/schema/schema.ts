import type { Json, JsonObject } from '../document/document.js'
import { isArray, isObject, type MutableObject, own, setOwn } from '../document/json.js'
import { escaped, unescaped } from '../document/pointer.js'
import {
  choices,
  holdingOf,
  isCurrent,
  isExtension,
  keywordNamed,
  keywordsThat,
  type SchemaHolding,
} from '../document/vocabulary.js'
import { keepDigits } from '../document/written-digits.js'
import { keepOrderOf } from '../document/written-order.js'

/** A JSON Schema 2020-12. Each `$ref` points to `#/components/schemas/<name>` of the model. */
export type Schema = boolean | JsonObject

export function holdsSchemas(keyword: string): boolean {
  return heldBy(keyword) !== undefined
}

/** Whether a keyword contains a map of schemas. */
export function isSchemaMap(keyword: string): boolean {
  return heldBy(keyword) === 'schema-map'
}

/** Keywords that only describe: two schemas that differ only in them accept the same values. */
export function isAnnotation(keyword: string): boolean {
  return keywordNamed(keyword)?.role === 'words' || isExtension(keyword)
}

/**
 * A copy with every direct subschema replaced. Follows only keywords of JSON Schema 2020-12 that contain
 * schemas, so a `$ref` in an example, a default or an enum stays data.
 */
export function mapSubschemas(
  schema: JsonObject,
  replace: (subschema: Json, keyword: string, key: string | number | undefined) => Schema,
): JsonObject {
  const result: MutableObject = {}
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword] ?? null
    setOwn(result, keyword, replaced(keyword, value, replace))
  }
  keepDigits(schema, result)
  return result
}

/** The value of a keyword with every schema in it replaced. */
export function replaced(
  keyword: string,
  value: Json,
  replace: (subschema: Json, keyword: string, key: string | number | undefined) => Schema,
): Json {
  const held = heldBy(keyword)
  if (held === 'schema') return replace(value, keyword, undefined)
  if (held === 'schemas' && isArray(value)) return value.map((item, index) => replace(item, keyword, index))
  if (held !== 'schema-map' || !isObject(value)) return value
  const result: MutableObject = {}
  for (const key of Object.keys(value)) setOwn(result, key, replace(value[key] ?? null, keyword, key))
  keepOrderOf(value, result)
  return result
}

/** Every direct subschema of a schema. */
export function subschemas(schema: JsonObject): { readonly keyword: string; readonly schema: Schema }[] {
  const found: { keyword: string; schema: Schema }[] = []
  for (const keyword of Object.keys(schema)) {
    const held = heldBy(keyword)
    if (held === undefined) continue
    for (const part of schemasAt(held, schema[keyword] ?? null))
      if (isSchema(part)) found.push({ keyword, schema: part })
  }
  return found
}

/** The schemas in the value of a keyword. */
function schemasAt(held: SchemaHolding, value: Json): readonly Json[] {
  if (held === 'schema') return [value]
  if (held === 'schemas') return isArray(value) ? value : []
  return isObject(value) ? Object.values(value) : []
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'boolean' || isObject(value)
}

/** The component that a schema's `$ref` names. Undefined if there is no reference. */
export function referenceOf(schema: Schema | undefined): string | undefined {
  const reference = isObject(schema) ? own(schema, '$ref') : undefined
  if (typeof reference !== 'string' || !reference.startsWith(componentPrefix)) return undefined
  return unescaped(reference.slice(componentPrefix.length))
}

/** Whether a schema is only a reference to a component. */
export function isComponent(schema: Schema | undefined): boolean {
  return isObject(schema) && Object.keys(schema).length === 1 && referenceOf(schema) !== undefined
}

/** The `$ref` of a component schema. */
export function referenceTo(name: string): string {
  return componentPrefix + escaped(name)
}

/** The schema at the end of a chain of references, without the keywords next to them. */
export function resolve(schemas: Schemas, schema: Schema): Schema {
  let at = schema
  for (let steps = 0; steps < shortRow; steps++) {
    const name = referenceOf(at)
    const target = name === undefined ? undefined : schemas.get(name)
    if (target === undefined) return at
    at = target
  }
  return endOfRow(schemas, at)
}

type Schemas = ReadonlyMap<string, Schema>

const shortRow = 8

/** The ends of long chains, so that each is walked once, not once per schema. */
const ends = new WeakMap<Schemas, Map<string, Schema>>()

function endOfRow(schemas: Schemas, schema: Schema): Schema {
  const known = ends.get(schemas) ?? new Map<string, Schema>()
  ends.set(schemas, known)
  const followed = new Set<string>()
  let at = schema
  for (let name = referenceOf(at); name !== undefined; name = referenceOf(at)) {
    const target = known.get(name) ?? schemas.get(name)
    if (target === undefined || followed.has(name)) return at
    followed.add(name)
    at = target
  }
  for (const name of followed) known.set(name, at)
  return at
}

/** The members of a keyword that is a map of schemas or a schema. Empty if the keyword is absent. */
export function schemaMap(schema: JsonObject, keyword: string): [string, Schema][] {
  const value = own(schema, keyword)
  if (!isObject(value)) return []
  return Object.entries(value).filter((entry): entry is [string, Schema] => isSchema(entry[1]))
}

export function schemaList(schema: JsonObject, keyword: string): Schema[] {
  const value = own(schema, keyword)
  return isArray(value) ? value.filter(isSchema) : []
}

export function requiredOf(schema: JsonObject): string[] {
  const value = own(schema, 'required')
  return isArray(value) ? value.filter((name) => typeof name === 'string') : []
}

const componentPrefix = '#/components/schemas/'

/** How a keyword of 2020-12 contains schemas. Schemas in `$defs` only apply through references. */
function heldBy(keyword: string): SchemaHolding | undefined {
  return held.get(keyword)
}

const held = new Map(
  [...keywordsThat((keyword) => isCurrent(keyword) && keyword.role !== 'identifier')].map((name) => [
    name,
    holdingOf(name),
  ]),
)

/** The schemas that every value of a schema has to match as well: of a reference, an `allOf`, and an only branch. */
export function alwaysApplied(schemas: Schemas, schema: Schema): Schema[] {
  if (!isObject(schema)) return []
  const target = schemas.get(referenceOf(schema) ?? '')
  return [
    ...(target === undefined ? [] : [target]),
    ...schemaList(schema, 'allOf'),
    ...choices
      .map((keyword) => schemaList(schema, keyword))
      .flatMap((branches) => (branches.length === 1 ? branches : [])),
  ]
}
