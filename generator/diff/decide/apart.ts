import { canonical } from '../../contains/value.js'
import type { Json, JsonObject } from '../../load/document.js'
import { isArray, isObject, own } from '../../load/json.js'
import { asObject, referenced, type Side } from '../side.js'

/** What every value of a schema has in common, as far as it is plain to see. */
interface Facets {
  /** None where the schema does not say. */
  readonly types: ReadonlySet<string> | undefined
  readonly required: ReadonlySet<string>
  /** The only values that properties have, in canonical form. */
  readonly values: ReadonlyMap<string, ReadonlySet<string>>
}

/**
 * Whether it is plain to see that no value is taken by one of some schemas, `from`, and another: their types differ, or a
 * property that one of them requires has no value in common.
 */
export function arePlainlyApart(side: Side, schemas: readonly Json[], from: ReadonlySet<number>): boolean {
  const all = schemas.map((schema) => alternatives(side, schema, 4))
  return [...from].every((index) =>
    all.every((others, at) => {
      if (at === index) return true
      return (all[index] ?? []).every((a) => others.every((b) => areApart(a, b)))
    }),
  )
}

function areApart(a: Facets, b: Facets): boolean {
  const { types } = b
  if (a.types !== undefined && types !== undefined && ![...a.types].some((type) => types.has(type)))
    return true
  // A value of another type than object has no properties.
  if (![a, b].some((one) => one.types?.size === 1 && one.types.has('object'))) return false
  return [...a.values].some(([name, ours]) => {
    const theirs = b.values.get(name)
    const isThere = a.required.has(name) || b.required.has(name)
    return isThere && theirs !== undefined && ![...ours].some((value) => theirs.has(value))
  })
}

/** The facets of each branch where a schema is nothing but branches. */
function alternatives(side: Side, schema: Json, depth: number): Facets[] {
  const target = asObject(behind(side, schema))
  for (const keyword of ['oneOf', 'anyOf']) {
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

/** An integer is a number. */
function typesOf(side: Side, schema: JsonObject): ReadonlySet<string> | undefined {
  const type = own(schema, 'type')
  if (type === undefined) {
    const values = valuesOf(side, schema)
    return values && new Set([...values].map((value) => typeOf(JSON.parse(value))))
  }
  const names = (isArray(type) ? type : [type]).filter((name) => typeof name === 'string')
  return new Set(names.map((name) => (name === 'integer' ? 'number' : name)))
}

function typeOf(value: Json): string {
  if (value === null) return 'null'
  return isArray(value) ? 'array' : typeof value
}

function valuesOf(side: Side, schema: JsonObject, depth = 3): ReadonlySet<string> | undefined {
  const [constant, listed] = [own(schema, 'const'), own(schema, 'enum')]
  if (constant !== undefined) return new Set([canonical(constant)])
  if (isArray(listed)) return new Set(listed.map(canonical))
  if (own(schema, 'type') === 'null') return new Set(['null'])
  const branches = own(schema, 'anyOf') ?? own(schema, 'oneOf')
  if (!isArray(branches) || depth === 0) return undefined
  const all = new Set<string>()
  for (const branch of branches) {
    const values = valuesOf(side, asObject(behind(side, branch)), depth - 1)
    if (values === undefined) return undefined
    for (const value of values) all.add(value)
  }
  return all
}

/** What stands beside a reference only takes values away. */
function behind(side: Side, schema: Json): Json {
  if (!isObject(schema)) return schema
  const target = referenced(side, own(schema, '$ref'))
  return target === undefined ? schema : target.value
}
