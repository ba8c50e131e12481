import { isObject } from '../document/json.js'
import { strictestFirst } from '../document/vocabulary.js'
import { fingerprint } from './canonical.js'
import { requiredOf, resolve, type Schema, schemaList, schemaMap } from './schema.js'

/** A member of an object, as a schema describes it. */
export interface ObjectMember {
  readonly schema: Schema
  readonly required: boolean
}

/**
 * The members that a schema allows in an object: its own, those of its parts, and those of its branches. A
 * member of only some branches is not required. If branches describe it differently, any of their schemas may
 * apply.
 */
export function membersOf(
  schemas: ReadonlyMap<string, Schema>,
  schema: Schema,
): ReadonlyMap<string, ObjectMember> {
  return collect(schemas, schema, new Map(), 0)
}

type Members = ReadonlyMap<string, ObjectMember>

const none: Members = new Map()

/** The stack is finite, and no real document nests alternatives so deeply. */
const deepest = 50

/** @param known the members found so far; a schema that leads to itself adds none */
function collect(
  schemas: ReadonlyMap<string, Schema>,
  schema: Schema,
  known: Map<object, Members>,
  depth: number,
): Members {
  const whole = resolve(schemas, schema)
  if (!isObject(whole) || depth > deepest) return none
  const earlier = known.get(whole)
  if (earlier !== undefined) return earlier
  known.set(whole, none)
  const required = new Set(requiredOf(whole))
  const own = new Map(
    schemaMap(whole, 'properties').map(([name, each]) => [
      name,
      { schema: each, required: required.has(name) },
    ]),
  )
  const inner = (part: Schema): Members => collect(schemas, part, known, depth + 1)
  const parts = schemaList(whole, 'allOf').map(inner)
  const chosen = strictestFirst.map((keyword) => anyOf(schemaList(whole, keyword).map(inner)))
  const members = allOf([own, ...parts, ...chosen], required)
  known.set(whole, members)
  return members
}

/** The first part that describes a member wins. */
function allOf(parts: readonly Members[], required: ReadonlySet<string>): Members {
  const members = new Map<string, ObjectMember>()
  for (const [name, { schema, required: isAsked }] of parts.flatMap((part) => [...part])) {
    const known = members.get(name)
    const described = known === undefined || known.schema === true ? schema : known.schema
    const isRequired = isAsked || required.has(name) || known?.required === true
    members.set(name, { schema: described, required: isRequired })
  }
  return members
}

function anyOf(branches: readonly Members[]): Members {
  const names = new Set(branches.flatMap((branch) => [...branch.keys()]))
  return new Map(
    [...names].map((name) => {
      const found = branches.flatMap((branch) => branch.get(name) ?? [])
      const different = new Map(found.map(({ schema }) => [fingerprint(schema), schema]))
      const [only = true, ...others] = different.values()
      const required = found.length === branches.length && found.every((member) => member.required)
      return [name, { schema: others.length === 0 ? only : { anyOf: [only, ...others] }, required }]
    }),
  )
}
