import { isObject } from '../document/json.js'
import { fingerprint } from './canonical.js'
import { requiredOf, resolve, type Schema, schemaList, schemaMap } from './schema.js'

/** What a schema says of one member of an object. */
export interface ObjectMember {
  readonly schema: Schema
  readonly required: boolean
}

/**
 * The members that an object may have by a schema: its own, those of its parts, and those of its branches. One that only
 * some branches have is not required; one that branches describe in several ways may be any of them.
 */
export function membersOf(
  schemas: ReadonlyMap<string, Schema>,
  schema: Schema,
): ReadonlyMap<string, ObjectMember> {
  return collect(schemas, schema, new Map(), 0)
}

type Members = ReadonlyMap<string, ObjectMember>

const none: Members = new Map()

/** Nobody nests alternatives so deep, and the stack has an end. */
const deepest = 50

/** @param known what has been collected; a schema that leads to itself adds nothing */
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
  const choices = ['oneOf', 'anyOf'].map((keyword) => anyOf(schemaList(whole, keyword).map(inner)))
  const members = allOf([own, ...parts, ...choices], required)
  known.set(whole, members)
  return members
}

/** The first that says something of a member describes it. */
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
