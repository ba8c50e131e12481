import { compareText, objectOf } from '../../document/cursor.js'
import type { JsonObject } from '../../document/document.js'
import { isArray, isObject, own } from '../../document/json.js'
import { choices, compositions, inPlaceKeywords, otherMembers } from '../../document/vocabulary.js'
import { patternMatches } from '../../patterns/pattern-match.js'
import { fingerprint } from '../../schema/canonical.js'
import { leavesFirst } from '../../schema/graphs.js'
import { isReadOnly } from '../../schema/read-only.js'
import {
  isAnnotation,
  mapSubschemas,
  referenceOf,
  requiredOf,
  resolve,
  type Schema,
  schemaList,
  schemaMap,
} from '../../schema/schema.js'
import { writtenProperties } from '../../schema/written-properties.js'

/** The parts of an object body's schema, so that other params can join its fields. */
export interface BodyObject {
  readonly properties: ReadonlyMap<string, Schema>
  /** Their names, in the order of the document. */
  readonly written: readonly string[]
  readonly required: ReadonlySet<string>
  /** The schema of other members: `false` if they are forbidden, undefined if any are allowed. */
  readonly additional: Schema | undefined
  /** `unevaluatedProperties` of the whole body, if it refuses some members. */
  readonly unevaluated: Schema | undefined
  readonly patterns: ReadonlyMap<string, Schema>
  /** The rest of the schema: compositions, conditions, counts. Each applies to the body as a whole. */
  readonly constraints: readonly JsonObject[]
}

/** Splits a body's schema into parts. Undefined if the schema accepts anything but objects. */
export function bodyObject(schemas: ReadonlyMap<string, Schema>, schema: Schema): BodyObject | undefined {
  const known = new Map<Schema, boolean>()
  const partsOf = (part: Schema): Schema[] => {
    const target = resolve(schemas, part)
    if (target !== part) return [target]
    return isObject(part) ? compositions.flatMap((keyword) => schemaList(part, keyword)) : []
  }
  const order = leavesFirst(schema, partsOf, () => false)
  if (!order.map((part) => isObjectSchema(schemas, part, known)).at(-1)) return undefined
  const parts = partsOfAll(schemas, schema)
  const properties = new Map<string, Schema>()
  const patterns = new Map<string, Schema>()
  const required = new Set<string>()
  const closed: { readonly names: ReadonlySet<string>; readonly patterns: readonly string[] }[] = []
  const additional: Schema[] = []
  const outermost = parts.find((part) => !isBareReference(part))
  const unevaluated = closing(outermost ?? {}, 'unevaluatedProperties')
  for (const part of parts) {
    for (const [name, property] of writtenProperties(part))
      properties.set(name, joined(properties.get(name), property))
    for (const [name, value] of schemaMap(part, 'patternProperties'))
      patterns.set(name, joined(patterns.get(name), value))
    for (const name of requiredOf(part)) required.add(name)
    const rest = own(part, 'additionalProperties')
    if (rest === false) {
      closed.push({
        names: new Set(schemaMap(part, 'properties').map(([name]) => name)),
        patterns: schemaMap(part, 'patternProperties').map(([pattern]) => pattern),
      })
      // A part that takes any member evaluates it.
    } else if (isObject(rest) || (rest === true && unevaluated !== undefined)) additional.push(rest)
  }
  for (const name of properties.keys()) {
    const allowed = closed.every(
      (part) => part.names.has(name) || part.patterns.some((p) => patternMatches(p, name)),
    )
    if (!allowed) properties.delete(name)
  }
  return {
    properties: new Map([...properties].sort(([a], [b]) => compareText(a, b))),
    written: [...properties.keys()],
    required,
    additional: closed.length > 0 ? false : additional.reduce<Schema | undefined>(joined, undefined),
    unevaluated,
    patterns,
    constraints: parts
      .map((part) => constraintOf(part, part === outermost))
      .filter((part) => Object.keys(part).length > 0),
  }
}

/**
 * Changes a body's schema so that it also accepts the names of other params, which become its siblings.
 *
 * @param names the names of the other params
 * @param constantCount how many of them every valid call has; undefined if calls differ
 * @returns undefined if the schema limits the number of members, and calls differ
 */
export function widened(
  schemas: ReadonlyMap<string, Schema>,
  schema: Schema,
  names: readonly string[],
  constantCount: number | undefined,
  seen: ReadonlySet<string> = new Set(),
): Schema | undefined {
  if (!isObject(schema) || names.length === 0) return schema
  const name = referenceOf(schema)
  const target = name === undefined || seen.has(name) ? undefined : schemas.get(name)
  if (name !== undefined && target !== undefined) {
    const wider = widened(schemas, target, names, constantCount, new Set([...seen, name]))
    if (wider === undefined) return undefined
    const { $ref: _, ...siblings } = schema
    if (wider === target) return schema
    const rest = widened(schemas, siblings, names, constantCount, seen)
    if (rest === undefined) return undefined
    const bare = isObject(rest) && Object.keys(rest).every(isAnnotation)
    return bare ? wider : { allOf: [wider, rest] }
  }
  return widenedHere(schemas, schema, names, constantCount, seen)
}

/** Keywords that {@link bodyObject} merges into the params. */
const merged = new Set([
  '$ref',
  'additionalProperties',
  'allOf',
  'patternProperties',
  'properties',
  'required',
  'type',
])

/**
 * The keywords of a part that are not merged. An inner part with `unevaluatedProperties` keeps all of them: it depends
 * on them.
 */
function constraintOf(part: JsonObject, isOutermost: boolean): JsonObject {
  const isClosed = closing(part, 'unevaluatedProperties') !== undefined
  const isMerged = (keyword: string): boolean => {
    if (isOutermost && isClosed && keyword === 'unevaluatedProperties') return true
    return merged.has(keyword) && (isOutermost || !isClosed)
  }
  return objectOf(Object.entries(part).filter(([keyword]) => !isMerged(keyword) && !isSaid(keyword)))
}

/** The value of a keyword that refuses some members. Undefined if it refuses none. */
function closing(part: JsonObject, keyword: string): Schema | undefined {
  const value = own(part, keyword)
  return value === false || isObject(value) ? value : undefined
}

function isBareReference(part: JsonObject): boolean {
  return (
    referenceOf(part) !== undefined &&
    Object.keys(part).every((keyword) => keyword === '$ref' || isSaid(keyword))
  )
}

/** Whether a keyword says nothing of which bodies are valid. */
const isSaid = (keyword: string): boolean => keyword === 'default' || isAnnotation(keyword)

function isObjectSchema(
  schemas: ReadonlyMap<string, Schema>,
  schema: Schema,
  known: Map<Schema, boolean>,
): boolean {
  const target = resolve(schemas, schema)
  if (!isObject(target)) return false
  const found = known.get(target)
  if (found !== undefined) return found
  known.set(target, false)
  const answer = describesObject(schemas, target, known)
  known.set(target, answer)
  return answer
}

function describesObject(
  schemas: ReadonlyMap<string, Schema>,
  target: JsonObject,
  known: Map<Schema, boolean>,
): boolean {
  const type = own(target, 'type')
  if (type !== undefined)
    return type === 'object' || (isArray(type) && type.length === 1 && type[0] === 'object')
  if (Object.hasOwn(target, 'enum') || Object.hasOwn(target, 'const')) return false
  if (schemaMap(target, 'properties').length > 0) return true
  if (schemaList(target, 'allOf').some((part) => isObjectSchema(schemas, part, known))) return true
  return choices.some((keyword) => {
    const branches = schemaList(target, keyword)
    return branches.length > 0 && branches.every((branch) => isObjectSchema(schemas, branch, known))
  })
}

/** A schema and all parts that it includes by references and allOf, each component once. */
function partsOfAll(schemas: ReadonlyMap<string, Schema>, schema: Schema): JsonObject[] {
  const parts: JsonObject[] = []
  const seen = new Set<string>()
  const waiting = [schema]
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if (part === false) parts.push({ not: {} })
    if (!isObject(part)) continue
    parts.push(part)
    waiting.push(...schemaList(part, 'allOf').reverse())
    const name = referenceOf(part)
    const target = name === undefined || seen.has(name) ? undefined : schemas.get(name)
    if (name === undefined || target === undefined) continue
    seen.add(name)
    waiting.push(target)
  }
  return parts
}

function joined(a: Schema | undefined, b: Schema): Schema {
  if (a === undefined || a === true || fingerprint(a) === fingerprint(b)) return b
  if (b === true) return a
  // One part is enough to exclude a property from requests (JSON Schema Validation 2020-12, section 9.4).
  const isMarked = [a, b].some((part) => isObject(part) && own(part, 'readOnly') === true)
  return { allOf: [a, b], ...(isMarked && { readOnly: true }) }
}

function widenedHere(
  schemas: ReadonlyMap<string, Schema>,
  schema: JsonObject,
  names: readonly string[],
  constantCount: number | undefined,
  seen: ReadonlySet<string>,
): Schema | undefined {
  let possible = true
  let changed = false
  const inner = mapSubschemas(schema, (subschema, keyword) => {
    const part = typeof subschema === 'boolean' || isObject(subschema) ? subschema : true
    if (!inPlaceKeywords.has(keyword)) return part
    const wider = widened(schemas, part, names, constantCount, seen)
    if (wider === undefined) possible = false
    if (wider !== part) changed = true
    return wider ?? true
  })
  const here = new Map(Object.entries(inner))
  const known = new Map(schemaMap(schema, 'properties'))
  const left = names.filter((name) => isReadOnly(schemas, known.get(name) ?? true))
  if (left.length > 0) {
    // The name belongs to a param, which is sent. The field is not (OpenAPI 3.0, Schema Object, readOnly).
    for (const name of left) known.set(name, true)
    const required = requiredOf(schema).filter((name) => !left.includes(name))
    here.set('properties', objectOf(known))
    if (Object.hasOwn(schema, 'required')) here.set('required', required)
    changed = true
  }
  if (otherMembers.some((keyword) => closing(schema, keyword) !== undefined)) {
    const letIn = names.filter((name) => !known.has(name)).map((name): [string, Schema] => [name, true])
    here.set('properties', objectOf([...known, ...letIn].sort(([a], [b]) => compareText(a, b))))
    changed = true
  }
  const propertyNames = own(schema, 'propertyNames')
  if (typeof propertyNames === 'boolean' || isObject(propertyNames)) {
    here.set('propertyNames', { anyOf: [propertyNames, { enum: names }] })
    changed = true
  }
  for (const keyword of ['minProperties', 'maxProperties']) {
    const limit = own(schema, keyword)
    if (typeof limit !== 'number') continue
    if (constantCount === undefined) possible = false
    else here.set(keyword, limit + constantCount)
    changed = true
  }
  if (!possible) return undefined
  return changed ? objectOf(here) : schema
}
