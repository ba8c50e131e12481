import type { Json, JsonObject } from '../../../document/document.js'
import { isArray, isObject, own } from '../../../document/json.js'
import { parsePointer } from '../../../document/pointer.js'
import type { Model } from '../../../model/model.js'
import { fingerprint } from '../../../schema/canonical.js'
import { isSchema, referenceOf, type Schema } from '../../../schema/schema.js'
import { asObject } from '../../change/side.js'

/** A schema of one version, and the keywords to replace with those of the other version. */
export interface Undoing {
  /** JSON pointer of the schema in its document. */
  readonly pointer: string
  readonly schema: Json
  readonly other: Json
  readonly keywords: readonly string[]
}

/** The result of undoing a change: the operation's schema, and the changed component, if any. */
export interface Undone {
  readonly schema: Schema
  readonly component?: { readonly name: string; readonly schema: Schema }
}

/**
 * Undoes one change in the schema of an operation's params or result. Undefined if the keywords do not differ, or if
 * the model has no unique copy of the changed schema.
 */
export function undone({ schemas }: Model, whole: Schema, undoing: Undoing): Undone | undefined {
  const { pointer, schema } = undoing
  const differs = undoing.keywords.some((key) => !isOne(schema, undoing.other, key))
  if (!differs || !isObject(schema)) return undefined
  const [first, second, name = '', ...way] = parsePointer(pointer) ?? []
  const component = first === 'components' && second === 'schemas' ? schemas.get(name) : undefined
  // Params contain the fields of a body directly.
  if (component !== undefined && refersTo(schemas, whole, name)) {
    const found = at(component, way, undoing)
    return isSchema(found) ? { schema: whole, component: { name, schema: found } } : undefined
  }
  const text = fingerprint(schema)
  const meant = parsePointer(pointer) ?? []
  const places = [...waysTo(whole, (part) => fingerprint(part) === text)]
  const best = Math.max(...places.map((place) => sharedEnd(place, meant)))
  const [only, ...others] = places.filter((place) => sharedEnd(place, meant) === best)
  const found = only !== undefined && others.length === 0 ? at(whole, only, undoing) : undefined
  return isSchema(found) ? { schema: found } : undefined
}

/** How many segments at the ends of two paths are the same. */
function sharedEnd(one: readonly string[], other: readonly string[]): number {
  let count = 0
  while (count < one.length && one.at(-1 - count) === other.at(-1 - count)) count += 1
  return count
}

function refersTo(schemas: Model['schemas'], whole: Schema, name: string): boolean {
  const waiting: Json[] = [whole]
  const seen = new Set<Json>()
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if (typeof part !== 'object' || part === null || seen.has(part)) continue
    seen.add(part)
    const reference = isObject(part) ? referenceOf(part) : undefined
    if (reference === name) return true
    if (reference !== undefined) waiting.push(schemas.get(reference) ?? true)
    waiting.push(...Object.values(part))
  }
  return false
}

/** Undoes the change in the schema at the end of a path. */
function at(from: Json, way: readonly string[], undoing: Undoing): Json | undefined {
  const [key, ...rest] = way
  if (key === undefined) return without(from, undoing)
  const part = isArray(from) ? from[Number(key)] : own(asObject(from), key)
  const found = part === undefined ? undefined : at(part, rest, undoing)
  if (found === undefined) return undefined
  return isArray(from) ? from.with(Number(key), found) : { ...asObject(from), [key]: found }
}

function without(from: Json, { schema, other, keywords }: Undoing): JsonObject | undefined {
  if (!isObject(from) || !keywords.every((key) => isOne(from, schema, key))) return undefined
  const kept = Object.entries(from).filter(([key]) => !keywords.includes(key))
  const taken = Object.entries(asObject(other)).filter(([key]) => keywords.includes(key))
  return Object.fromEntries([...kept, ...taken])
}

function isOne(one: Json, other: Json, key: string): boolean {
  const [a, b] = [own(asObject(one), key), own(asObject(other), key)]
  return a === undefined || b === undefined ? a === b : fingerprint(a) === fingerprint(b)
}

function* waysTo(from: Json, isMeant: (part: JsonObject) => boolean): Iterable<string[]> {
  if (isObject(from) && isMeant(from)) yield []
  const members = isArray(from) ? [...from.entries()] : Object.entries(asObject(from))
  for (const [key, part] of members)
    if (typeof part === 'object' && part !== null)
      for (const way of waysTo(part, isMeant)) yield [String(key), ...way]
}
