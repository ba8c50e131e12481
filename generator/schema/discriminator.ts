import { compareText } from '../document/cursor.js'
import type { Json, JsonObject } from '../document/document.js'
import { isArray, isObject, own } from '../document/json.js'
import { type Choice, choices, compositions, otherMembers, strictestFirst } from '../document/vocabulary.js'
import { fingerprint } from './canonical.js'
import { referenceOf, requiredOf, type Schema, schemaList, schemaMap } from './schema.js'

type Schemas = ReadonlyMap<string, Schema>

/** A union in which the value of one property selects the branch (OpenAPI 3.2, Discriminator Object). */
export interface Discrimination {
  readonly property: string
  readonly keyword: Choice
  /** The branches that are objects, with their values. No two branches share a value. */
  readonly branches: readonly { readonly schema: Schema; readonly values: readonly Json[] }[]
  /** Index of the branch for objects without the property. Undefined if the property is required. */
  readonly absent: number | undefined
  /** Index of the branch for all other values. Undefined if such objects are refused. */
  readonly other: number | undefined
  readonly nullable: boolean
}

/**
 * How a schema's discriminator distinguishes the branches of its oneOf or anyOf: by the values that a branch
 * fixes itself, else by those of the mapping and its name. Undefined if it cannot: a branch without a name
 * fixes none, two branches share one, one is neither an object nor null, or the default mapping names no
 * branch.
 */
export function discriminationOf(schemas: Schemas, schema: JsonObject): Discrimination | undefined {
  const property = discriminatorProperty(schema)
  const keyword = strictestFirst.find((name) => schemaList(schema, name).length > 0)
  if (property === undefined || keyword === undefined) return undefined
  if (keyword === 'oneOf' && Object.hasOwn(schema, 'anyOf')) return undefined
  const all = schemaList(schema, keyword)
  const objects = all.filter((branch) => !isNull(branch))
  const branches = objects.map((branch) => ({
    schema: branch,
    values: fixedValues(schemas, branch, property) ?? namedValues(schema, branch) ?? [],
  }))
  const keys = branches.flatMap(({ values }) => values.map(fingerprint))
  const isClear =
    branches.length > 0 && branches.every(({ values }) => values.length > 0 && values.every(isScalar))
  if (!isClear || new Set(keys).size < keys.length) return undefined
  if (!objects.every((branch) => isObjectSchema(schemas, branch, new Set()))) return undefined
  const other = objects.findIndex((branch) => isDefaultBranch(schema, branch))
  if (other === -1 && defaultMapping(schema) !== undefined) return undefined
  const optional = objects.filter(
    (branch) =>
      fixedValues(schemas, branch, property) !== undefined && !requires(schemas, branch, property, new Map()),
  )
  if (optional.length > 1 && other === -1) return undefined
  const [absent] = optional
  return {
    property,
    keyword,
    branches,
    absent: other !== -1 ? other : absent === undefined ? undefined : objects.indexOf(absent),
    other: other === -1 ? undefined : other,
    nullable: objects.length < all.length,
  }
}

/** Whether a branch accepts the objects whose discriminator value belongs to no other branch. */
export function isDefaultBranch(schema: JsonObject, branch: Schema): boolean {
  const name = referenceOf(branch)
  return name !== undefined && name === defaultMapping(schema)
}

/** The values of the discriminator for a branch, from the mapping and its name. Undefined without a name. */
export function namedValues(schema: JsonObject, branch: Schema): readonly string[] | undefined {
  const discriminator = own(schema, 'discriminator')
  const mapping = isObject(discriminator) ? own(discriminator, 'mapping') : undefined
  const name = referenceOf(branch)
  if (name === undefined) return undefined
  const known = isObject(mapping) ? mapping : {}
  const mapped = Object.entries(known)
    .filter(([, target]) => typeof target === 'string' && referenceOf({ $ref: target }) === name)
    .map(([value]) => value)
  return [...mapped, ...(Object.hasOwn(known, name) ? [] : [name])].sort(compareText)
}

/** The values that a schema's const or enum allows for a property. Undefined if it restricts none. */
export function fixedValues(schemas: Schemas, schema: Schema, property: string): readonly Json[] | undefined {
  return fixedHere(schemas, schema, property, new Map())
}

export function discriminatorProperty(schema: JsonObject): string | undefined {
  const discriminator = own(schema, 'discriminator')
  const property = isObject(discriminator) ? own(discriminator, 'propertyName') : undefined
  return typeof property === 'string' ? property : undefined
}

/**
 * Whether a schema has a discriminator and no alternatives. Its children extend it by allOf, and its own values
 * may have their members.
 */
export function leavesChildrenOpen(schema: Schema): boolean {
  if (!isObject(schema) || discriminatorProperty(schema) === undefined) return false
  if ((own(schema, 'type') ?? 'object') !== 'object') return false
  return ![...choices, ...otherMembers].some((key) => Object.hasOwn(schema, key))
}

/** The component that the default mapping names, or its text if that is no component. */
function defaultMapping(schema: JsonObject): string | undefined {
  const discriminator = own(schema, 'discriminator')
  const target = isObject(discriminator) ? own(discriminator, 'defaultMapping') : undefined
  return typeof target === 'string' ? (referenceOf({ $ref: target }) ?? target) : undefined
}

/** The schemas visited by a search. Nested alternatives lead to the same ones in too many ways to follow. */
type Seen = Set<Schema>

function fixedHere(
  schemas: Schemas,
  schema: Schema,
  property: string,
  known: Map<Schema, readonly Json[] | undefined>,
): readonly Json[] | undefined {
  if (!isObject(schema) || known.has(schema)) return known.get(schema)
  known.set(schema, undefined)
  const found = fixedBy(schemas, schema, property, known)
  known.set(schema, found)
  return found
}

function fixedBy(
  schemas: Schemas,
  schema: JsonObject,
  property: string,
  within: Map<Schema, readonly Json[] | undefined>,
): readonly Json[] | undefined {
  const declared = schemaMap(schema, 'properties').find(([name]) => name === property)?.[1]
  const own = declared === undefined ? undefined : enumerated(schemas, declared, new Set())
  if (own !== undefined) return own
  for (const part of [...targetOf(schemas, schema), ...schemaList(schema, 'allOf')]) {
    const found = fixedHere(schemas, part, property, within)
    if (found !== undefined) return found
  }
  for (const keyword of strictestFirst) {
    const branches = schemaList(schema, keyword).filter((branch) => !isNull(branch))
    const found = branches.map(
      (branch) => fixedHere(schemas, branch, property, within) ?? namedWithin(schema, branch, property),
    )
    if (found.length > 0 && found.every((values) => values !== undefined)) return [...new Set(found.flat())]
  }
  return undefined
}

/** The values that a nested discriminator of the same property has for a branch, if it covers every value. */
function namedWithin(schema: JsonObject, branch: Schema, property: string): readonly string[] | undefined {
  const isSame = discriminatorProperty(schema) === property && defaultMapping(schema) === undefined
  return isSame ? namedValues(schema, branch) : undefined
}

function enumerated(schemas: Schemas, schema: Schema, seen: Seen): readonly Json[] | undefined {
  if (!isObject(schema) || seen.has(schema)) return undefined
  const constant = own(schema, 'const')
  if (constant !== undefined) return [constant]
  const listed = own(schema, 'enum')
  if (isArray(listed)) return listed.filter((value) => value !== null)
  seen.add(schema)
  for (const part of [...targetOf(schemas, schema), ...schemaList(schema, 'allOf')]) {
    const found = enumerated(schemas, part, seen)
    if (found !== undefined) return found
  }
  return undefined
}

function requires(schemas: Schemas, schema: Schema, property: string, known: Map<Schema, boolean>): boolean {
  if (!isObject(schema)) return false
  const earlier = known.get(schema)
  if (earlier !== undefined) return earlier
  known.set(schema, false)
  const found = requiredBy(schemas, schema, property, known)
  known.set(schema, found)
  return found
}

function requiredBy(
  schemas: Schemas,
  schema: JsonObject,
  property: string,
  within: Map<Schema, boolean>,
): boolean {
  if (requiredOf(schema).includes(property)) return true
  const parts = [...targetOf(schemas, schema), ...schemaList(schema, 'allOf')]
  if (parts.some((part) => requires(schemas, part, property, within))) return true
  return choices.some((keyword) => {
    const branches = schemaList(schema, keyword)
    return branches.length > 0 && branches.every((branch) => requires(schemas, branch, property, within))
  })
}

/** Whether a schema accepts only objects, or restricts no types. */
function isObjectSchema(schemas: Schemas, schema: Schema, seen: Seen): boolean {
  if (!isObject(schema) || seen.has(schema)) return true
  const type = own(schema, 'type')
  if (type !== undefined) return type === 'object' || (isArray(type) && type.every((one) => one === 'object'))
  seen.add(schema)
  const parts = compositions.flatMap((keyword) => schemaList(schema, keyword))
  return [...targetOf(schemas, schema), ...parts].every((part) => isObjectSchema(schemas, part, seen))
}

function targetOf(schemas: Schemas, schema: JsonObject): Schema[] {
  const name = referenceOf(schema)
  const target = name === undefined ? undefined : schemas.get(name)
  return target === undefined ? [] : [target]
}

function isNull(schema: Schema): boolean {
  return isObject(schema) && own(schema, 'type') === 'null'
}

function isScalar(value: Json): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}
