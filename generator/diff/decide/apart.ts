import type { Json, JsonObject } from '../../document/document.js'
import { isArray, isObject, jsonType, own } from '../../document/json.js'
import { choices, strictestFirst } from '../../document/vocabulary.js'
import { fingerprint } from '../../schema/canonical.js'
import { isAnnotation } from '../../schema/schema.js'
import { asObject, referenced, type Side } from '../change/side.js'

/** What all values of a schema have in common, as far as its plain keywords show. */
interface Facets {
  /** Undefined if the schema does not say. */
  readonly types: ReadonlySet<string> | undefined
  readonly required: ReadonlySet<string>
  /** The only values that properties can have, in canonical form. */
  readonly values: ReadonlyMap<string, ReadonlySet<string>>
}

/**
 * A branch that changed: the sender's counterpart, and whether a schema of the sender and one of the receiver mean the
 * same.
 */
export interface Differing {
  readonly sent: Json | undefined
  readonly isSame: (sent: Json, taken: Json) => boolean
}

/**
 * Whether plain keywords show that no value of a changed branch (`from`) also matches another branch: their types
 * differ, or a property that one of them requires has no value in common.
 */
export function arePlainlyApart(
  [sender, receiver]: readonly [Side, Side],
  schemas: readonly Json[],
  from: ReadonlyMap<number, Differing>,
): boolean {
  const all = schemas.map((schema) => alternatives(receiver, schema, 4))
  return [...from].every(([index, differing]) => {
    const found = differences([sender, receiver], differing, schemas[index] ?? true, 4)
    return all.every((others, at) => at === index || found.every((a) => others.every((b) => areApart(a, b))))
  })
}

/**
 * The facets of all values that a branch accepts differently than the sender's. If both are branches with the same
 * siblings, only the branches that differ count. A branch that only the sender has counts too, because `oneOf` may
 * depend on it.
 */
function differences(
  [from, to]: readonly [Side, Side],
  { sent, isSame }: Differing,
  taken: Json,
  depth: number,
): Facets[] {
  const [old, fresh] = [branchesOf(from, sent ?? true), branchesOf(to, taken)]
  if (depth === 0 || old === undefined || fresh === undefined || old.beside !== fresh.beside)
    return alternatives(to, taken, depth)
  const added = [...fresh.branches]
  // One by one: a value that matched two equal branches matches one of them if the other is removed.
  const removed = old.branches.filter((one) => {
    const at = added.findIndex((other) => isSame(one, other))
    if (at !== -1) added.splice(at, 1)
    return at === -1
  })
  const [one, other] = [removed[0], added[0]]
  if (one !== undefined && other !== undefined && removed.length === 1 && added.length === 1)
    return [
      ...differences([from, to], { sent: one, isSame }, other, depth - 1),
      ...differences([to, from], { sent: other, isSame: (a, b) => isSame(b, a) }, one, depth - 1),
    ]
  return [
    ...removed.flatMap((branch) => alternatives(from, branch, depth - 1)),
    ...added.flatMap((branch) => alternatives(to, branch, depth - 1)),
  ]
}

/** The branches of a schema, and everything else that it says about values. */
function branchesOf(
  side: Side,
  schema: Json,
): { readonly branches: readonly Json[]; readonly beside: string } | undefined {
  const target = asObject(behind(side, schema))
  const keyword = strictestFirst.find((key) => isArray(own(target, key)))
  const branches = keyword === undefined ? undefined : own(target, keyword)
  if (!isArray(branches)) return undefined
  const rest = (from: JsonObject): [string, Json][] =>
    Object.entries(from).filter(([key]) => key !== keyword && !isAnnotation(key))
  const outside = rest(asObject(schema)).filter(([key]) => key !== '$ref')
  return { branches, beside: fingerprint([keyword ?? '', rest(target), target === schema ? [] : outside]) }
}

function areApart(a: Facets, b: Facets): boolean {
  const { types } = b
  if (a.types !== undefined && types !== undefined && ![...a.types].some((type) => types.has(type)))
    return true
  // Only objects have properties.
  if (![a, b].some((one) => one.types?.size === 1 && one.types.has('object'))) return false
  return [...a.values].some(([name, ours]) => {
    const theirs = b.values.get(name)
    const isThere = a.required.has(name) || b.required.has(name)
    return isThere && theirs !== undefined && ![...ours].some((value) => theirs.has(value))
  })
}

/** The facets of each branch, if a schema has branches. */
function alternatives(side: Side, schema: Json, depth: number): Facets[] {
  const target = asObject(behind(side, schema))
  for (const keyword of strictestFirst) {
    const branches = own(target, keyword)
    if (isArray(branches) && depth > 0) return branches.flatMap((one) => alternatives(side, one, depth - 1))
  }
  return [facets(side, target, depth)]
}

function facets(side: Side, schema: JsonObject, depth: number): Facets {
  const list = (key: string): readonly Json[] => {
    const value = own(schema, key)
    return isArray(value) ? value : []
  }
  const properties = Object.entries(asObject(own(schema, 'properties')))
  const own_: Facets = {
    types: typesOf(side, schema),
    required: new Set(list('required').filter((name) => typeof name === 'string')),
    values: new Map(
      properties.flatMap(([name, property]) => {
        const values = valuesOf(side, asObject(behind(side, property)))
        return values === undefined ? [] : [[name, values] as const]
      }),
    ),
  }
  if (depth === 0) return own_
  const parts = list('allOf').map((part) => facets(side, asObject(behind(side, part)), depth - 1))
  return parts.reduce(
    (one, other) => ({
      types: one.types ?? other.types,
      required: new Set([...one.required, ...other.required]),
      values: new Map([...other.values, ...one.values]),
    }),
    own_,
  )
}

/** Counts integers as numbers. */
function typesOf(side: Side, schema: JsonObject): ReadonlySet<string> | undefined {
  const type = own(schema, 'type')
  if (type === undefined) {
    const values = valuesOf(side, schema)
    return values && new Set([...values].map((value) => jsonType(JSON.parse(value))))
  }
  const names = (isArray(type) ? type : [type]).filter((name) => typeof name === 'string')
  return new Set(names.map((name) => (name === 'integer' ? 'number' : name)))
}

function valuesOf(side: Side, schema: JsonObject, depth = 3): ReadonlySet<string> | undefined {
  const [constant, listed] = [own(schema, 'const'), own(schema, 'enum')]
  if (constant !== undefined) return new Set([fingerprint(constant)])
  if (isArray(listed)) return new Set(listed.map(fingerprint))
  if (own(schema, 'type') === 'null') return new Set(['null'])
  const [branches] = choices.flatMap((keyword) => own(schema, keyword) ?? [])
  if (!isArray(branches) || depth === 0) return undefined
  const all = new Set<string>()
  for (const branch of branches) {
    const values = valuesOf(side, asObject(behind(side, branch)), depth - 1)
    if (values === undefined) return undefined
    for (const value of values) all.add(value)
  }
  return all
}

/** Siblings of a reference only exclude values. */
function behind(side: Side, schema: Json): Json {
  if (!isObject(schema)) return schema
  const target = referenced(side, own(schema, '$ref'))
  return target === undefined ? schema : target.value
}
