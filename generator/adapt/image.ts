import { objectOf, picked } from '../document/cursor.js'
import type { Json, JsonObject } from '../document/document.js'
import { isObject, own } from '../document/json.js'
import { choices, sizeRanges } from '../document/vocabulary.js'
import { requiredOf, type Schema, schemaList, schemaMap } from '../schema/schema.js'
import { namesOf, type ObjectPlan, type Plan } from './plan/plan.js'
import { testedSchema } from './plan/value-test.js'
import { fixedValues, type Resolve, viewOf } from './view.js'

/**
 * A schema that accepts every value that a plan makes of values of `schema`. It may accept more: keywords that a changed
 * object could break are left out. So a proof about it holds, and a counterexample needs a check.
 *
 * @param schema as validators read it, with references into its document
 */
export function imageOf(plan: Plan, schema: Schema, resolve: Resolve): Schema {
  if (plan.kind === 'keep' || !isObject(schema)) return schema
  const view = viewOf(schema, resolve)
  const types = view?.types
  if (plan.kind === 'wrap' || plan.kind === 'unwrap') {
    if (!plan.nullable || types?.has('null') === false) return imageOfAll(plan, schema, resolve)
    if (types?.size === 1) return schema
  }
  // A plan leaves values of other types as they are.
  else if (types !== undefined && !types.has(plan.kind === 'list' ? 'array' : 'object')) return schema
  const target = resolve(schema)
  const parts: Schema[] = []
  if (target !== undefined) parts.push(imageOf(plan, target, resolve))
  for (const part of schemaList(schema, 'allOf')) parts.push(imageOf(plan, part, resolve))
  for (const keyword of choices) {
    const branches = schemaList(schema, keyword)
    if (branches.length === 0) continue
    parts.push({ anyOf: branches.map((branch) => imageOfBranch(plan, branch, resolve)) })
  }
  const base = imageOfBase(plan, schema, resolve)
  const [only] = parts
  if (parts.length === 1 && only !== undefined && Object.keys(base).length === 0) return only
  return parts.length === 0 ? base : { ...base, allOf: parts }
}

/** What wrapping or unwrapping makes of all values of a schema. */
function imageOfAll({ kind, member }: WrapPlan, schema: Schema, resolve: Resolve): Schema {
  if (kind === 'unwrap') return viewOf(schema, resolve)?.properties.get(member) ?? true
  return {
    type: 'object',
    properties: { [member]: schema },
    required: [member],
    additionalProperties: false,
  }
}

type WrapPlan = Extract<Plan, { kind: 'wrap' | 'unwrap' }>

/** A branch of a tagged union has the plan of its tag. */
function imageOfBranch(plan: Plan, branch: Schema, resolve: Resolve): Schema {
  if (plan.kind !== 'tagged') return imageOf(plan, branch, resolve)
  const values = fixedValues(branch, plan.tag, resolve)
  const own = plan.branches.find((one) => values?.every((value) => one.values.includes(value)) === true)
  return own === undefined ? imageOf(plan, branch, resolve) : imageOf(own.plan, branch, resolve)
}

function imageOfBase(plan: Plan, schema: JsonObject, resolve: Resolve): JsonObject {
  const type = own(schema, 'type')
  const base = type === undefined ? {} : { type }
  switch (plan.kind) {
    case 'keep':
      return schema
    case 'wrap':
    case 'unwrap':
      return {}
    case 'list': {
      const items = own(schema, 'items')
      const sizes = picked(schema, (keyword) => counts.has(keyword))
      if (items === undefined || Object.hasOwn(schema, 'prefixItems')) return { ...base, ...sizes }
      return { ...base, ...sizes, items: imageOf(plan.items, items as Schema, resolve) }
    }
    case 'tagged': {
      if (Object.keys(schema).every((keyword) => unionKeywords.has(keyword))) return base
      // Each branch has its own plan. A value of no branch stays as it is.
      const common = withoutUnion(schema)
      const images = plan.branches.map((branch) => imageOfBase(branch.plan, common, resolve))
      return { ...base, anyOf: [common, ...images] }
    }
    case 'object':
      return { ...base, ...imageOfMembers(plan, schema, resolve) }
  }
}

const unionKeywords: ReadonlySet<string> = new Set(['type', 'oneOf', 'anyOf', 'allOf', '$ref', '$comment'])

function withoutUnion(schema: JsonObject): JsonObject {
  return objectOf(
    Object.entries(schema).filter(([keyword]) => keyword === 'type' || !unionKeywords.has(keyword)),
  )
}

function imageOfMembers(
  { drop, pass, rename, set, members, gather, spread }: ObjectPlan,
  schema: JsonObject,
  resolve: Resolve,
): JsonObject {
  const gathered = [...gather.values()].flatMap(namesOf)
  const dropped = new Set([...drop, ...rename.keys(), ...gathered, ...spread.keys()])
  const given = new Map(schemaMap(schema, 'properties'))
  const properties = new Map<string, Json>()
  const converted = (name: string, part: Schema): Schema => {
    const child = members.get(name)
    return child === undefined ? part : imageOf(child.plan, part, resolve)
  }
  for (const [name, part] of given) properties.set(name, converted(name, part))
  // A member without a schema of its own may be any that the others are.
  const others = own(schema, 'additionalProperties')
  for (const name of members.keys())
    if (!given.has(name)) properties.set(name, isObject(others) ? converted(name, others) : true)
  for (const name of dropped) properties.set(name, false)
  for (const [name, test] of pass) properties.set(name, test !== undefined && testedSchema(test))
  for (const [from, { to }] of rename)
    properties.set(to, converted(from, given.get(from) ?? others !== false))
  for (const [name, value] of set) properties.set(name, { const: value })
  const needed = requiredOf(schema)
  const made: string[] = []
  for (const [name, group] of gather) {
    const names = namesOf(group)
    properties.set(name, {
      type: 'object',
      properties: objectOf(names.map((one) => [one, given.get(one) ?? others ?? true])),
      required: names.filter((one) => needed.includes(one)),
      additionalProperties: false,
    })
    if (group.required) made.push(name)
  }
  for (const [name, group] of spread) {
    const inner = viewOf(given.get(name) ?? true, resolve)
    for (const one of group.members.keys()) {
      properties.set(one, inner?.properties.get(one) ?? true)
      if (needed.includes(name) && inner?.required.has(one)) made.push(one)
    }
  }
  const required = needed.flatMap((name) => {
    const renamed = rename.get(name)?.to
    return renamed !== undefined ? [renamed] : dropped.has(name) ? [] : [name]
  })
  const stated = [...new Set([...required, ...set.keys(), ...made])].filter(
    (name) => properties.get(name) !== false,
  )
  const changed = rename.size + set.size + members.size + gather.size + spread.size
  // A pattern may match a converted member, whose value it does not describe.
  const isNamed = !Object.hasOwn(schema, 'patternProperties') || changed === 0
  return {
    ...(properties.size > 0 && { properties: objectOf(properties) }),
    ...(stated.length > 0 && { required: stated }),
    ...(isNamed && picked(schema, (keyword) => unnamed.has(keyword))),
  }
}

/** Bounds that a list keeps, since converting its items changes none. */
const counts: ReadonlySet<string> = new Set(
  sizeRanges.flatMap(({ least, most, of }) => (of === 'array' ? [least, most] : [])),
)

const unnamed: ReadonlySet<string> = new Set(['additionalProperties', 'patternProperties'])
