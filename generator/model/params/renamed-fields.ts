import { objectOf } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { isArray, isObject, own } from '../../document/json.js'
import { inPlaceKeywords, namingKeywords } from '../../document/vocabulary.js'
import { fingerprint } from '../../schema/canonical.js'
import { isAnnotation, isSchema, mapSubschemas, referenceOf, type Schema } from '../../schema/schema.js'

/**
 * A constraint on the fields of a body, with their names among the params. Undefined if a keyword tests names or whole
 * objects, so that it has no such form.
 *
 * `names`: names in the body and among the params.
 */
export function renamedFields(
  schemas: ReadonlyMap<string, Schema>,
  schema: Schema,
  names: ReadonlyMap<string, string>,
  seen: ReadonlySet<string> = new Set(),
): Schema | undefined {
  if (!isObject(schema)) return schema
  const reference = referenceOf(schema)
  const target = reference === undefined || seen.has(reference) ? undefined : schemas.get(reference)
  if (reference === undefined || target === undefined) return renamedHere(schemas, schema, names, seen)
  const renamed = renamedFields(schemas, target, names, new Set([...seen, reference]))
  const { $ref, ...siblings } = schema
  const rest = renamedHere(schemas, siblings, names, seen)
  if (renamed === undefined || rest === undefined) return undefined
  if (renamed === target) return { ...($ref !== undefined && { $ref }), ...rest }
  return Object.keys(rest).every(isAnnotation) ? renamed : { allOf: [renamed, rest] }
}

const ofNames = ['propertyNames', 'patternProperties', 'const', 'enum']

function renamedHere(
  schemas: ReadonlyMap<string, Schema>,
  schema: JsonObject,
  names: ReadonlyMap<string, string>,
  seen: ReadonlySet<string>,
): JsonObject | undefined {
  let isPossible = ofNames.every((keyword) => !Object.hasOwn(schema, keyword))
  const inner = mapSubschemas(schema, (part, keyword) => {
    if (!isSchema(part)) return true
    const renamed = inPlaceKeywords.has(keyword) ? renamedFields(schemas, part, names, seen) : part
    isPossible &&= renamed !== undefined
    return renamed ?? true
  })
  if (!isPossible) return undefined
  const nameOf = (name: Json): Json => (typeof name === 'string' ? (names.get(name) ?? name) : name)
  const list = (value: Json): Json => (isArray(value) ? value.map(nameOf) : value)
  const keyed = (value: Json): Json =>
    isObject(value)
      ? objectOf(Object.entries(value).map(([name, one]) => [names.get(name) ?? name, list(one)]))
      : value
  const entries = Object.entries(inner).map(([keyword, value]): [string, Json] => {
    if (keyword === 'required') return [keyword, list(value)]
    if (namingKeywords.some((naming) => naming === keyword)) return [keyword, keyed(value)]
    if (keyword !== 'discriminator' || !isObject(value)) return [keyword, value]
    return [keyword, { ...value, propertyName: nameOf(own(value, 'propertyName') ?? '') }]
  })
  const renamed = objectOf(entries)
  return fingerprint(renamed) === fingerprint(schema) ? schema : renamed
}
