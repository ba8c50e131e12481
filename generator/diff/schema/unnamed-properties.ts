import { objectOf } from '../../document/cursor.js'
import type { Json, JsonObject } from '../../document/document.js'
import { isArray, isObject, own } from '../../document/json.js'
import { asObject } from '../change/side.js'
import { harmless, type Judged, worse } from '../decide/judgement.js'
import { pick, within } from '../same/within.js'
import type { SchemaPair, SchemaWalk } from './schema-walk.js'

/**
 * A property counts as kept if another part of the new schema describes it, and if the receiver's whole schema accepts
 * everything that is sent. So does a property that no request, or no new response, can have.
 */
export function judgeKept(walk: SchemaWalk, name: string): Judged | undefined {
  const { isRequest, sender, receiver, graph, traits } = walk
  const described = graph.described.new
  const schema = isRequest ? receiver : sender
  if (described.of(schema).has(name) || described.describesUnnamed(schema))
    return walk.judgeWhole().level === 'compatible' ? harmless : { level: 'dangerous', evidence: {} }
  const without = { properties: objectOf([[name, false] as const]) }
  return graph.judgement.isContained(traits.direction, sender, without) ? harmless : undefined
}

/**
 * Judges what the sender may send under a name that only the receiver describes. Undefined if the sender allows any
 * name: by convention callers did not send this one.
 */
export function judgeNarrowed(walk: SchemaWalk, name: string): Judged | undefined {
  const [sender, receiver] = [asObject(walk.sender), asObject(walk.receiver)]
  const schema = own(asObject(own(receiver, 'properties')), name) ?? true
  const constraint = { properties: objectOf([[name, schema]]) }
  if (walk.describes(name)) return walk.passes(walk.sender, constraint)
  if (isOpen(own(sender, 'additionalProperties')) && !Object.hasOwn(sender, 'patternProperties'))
    return judgeNarrowedBy(walk, name, constraint)
  const others = pick(sender, ['patternProperties', 'additionalProperties'])
  return walk.passes({ type: 'object', ...others }, constraint)
}

/**
 * Judges a new property of values that were any: callers may have sent it. Undefined if they were not, or if a new type
 * says more.
 */
export function judgeOfAny(walk: SchemaWalk, name: string): Judged | undefined {
  const [sender, receiver] = [asObject(walk.sender), asObject(walk.receiver)]
  const isAny = walk.graph.described.old.areAnyAt(sender, [])
  if (!isAny || walk.traits.isLoose === true || Object.hasOwn(receiver, 'type')) return undefined
  const schema = own(asObject(own(receiver, 'properties')), name) ?? true
  return walk.passes(sender, { properties: objectOf([[name, schema]]) })
}

/**
 * Judges a new property by the branches of the sender's schema that constrain all unnamed properties. Undefined if
 * there is no such branch.
 */
function judgeNarrowedBy(walk: SchemaWalk, name: string, constraint: JsonObject): Judged | undefined {
  const { graph, isRequest, sender } = walk
  const { old, new: fresh } = graph.described
  const branches = [...(isRequest ? old : fresh).constrainingUnnamed(sender)].filter((branch) => {
    const patterns = Object.keys(asObject(own(branch, 'patternProperties')))
    return (
      isObject(own(branch, 'additionalProperties')) ||
      isObject(own(branch, 'unevaluatedProperties')) ||
      patterns.some((pattern) => walk.passes({ const: name }, { pattern }).level === 'compatible')
    )
  })
  if (branches.length === 0) return undefined
  return branches.map((branch) => walk.passes({ allOf: [sender, branch] }, constraint)).reduce(worse)
}

/**
 * Judges a property that only the sender describes by the receiver's rules for unnamed properties. Undefined if the
 * receiver accepts any.
 */
export function judgeUnnamed(walk: SchemaWalk, name: string): Judged | undefined {
  const [sender, receiver] = [asObject(walk.sender), asObject(walk.receiver)]
  if (isOpen(own(receiver, 'additionalProperties')) && !Object.hasOwn(receiver, 'patternProperties'))
    return undefined
  const schema = own(asObject(own(sender, 'properties')), name) ?? true
  const properties = objectOf([[name, schema]])
  const known = Object.keys(asObject(own(receiver, 'properties'))).map((key) => [key, true] as const)
  return walk.passes(
    { type: 'object', properties, required: [name], additionalProperties: false },
    { ...pick(receiver, ['patternProperties', 'additionalProperties']), properties: objectOf(known) },
  )
}

/**
 * The sender's schema of a property of a body that it requires and does not declare, if the receiver does both.
 * Undefined if another part of the sender's schema describes the property.
 */
export function stillRequired(
  { traits, graph, isRequest }: SchemaWalk,
  { a, b }: SchemaPair,
  name: string,
): Partial<Pick<SchemaPair, 'a' | 'b'>> | undefined {
  const [sender, receiver] = isRequest ? [a, b] : [b, a]
  const [{ required, ...others }, accepted] = [asObject(sender.value), asObject(receiver.value)]
  const index = isArray(required) ? required.indexOf(name) : -1
  const isDeclared = Object.hasOwn(asObject(accepted.properties), name)
  const isRequired = isArray(accepted.required) && accepted.required.includes(name)
  if (traits.holder !== 'body' || index < 0 || !isDeclared || !isRequired) return undefined
  const described = isRequest ? graph.described.old : graph.described.new
  if (described.of(others).has(name) || Object.hasOwn(others, 'patternProperties')) return undefined
  const additional = own(others, 'additionalProperties')
  if (!isOpen(additional) && !isObject(additional)) return undefined
  const sent = isObject(additional)
    ? within(sender, additional, 'additionalProperties')
    : within(sender, true, 'required', index)
  return isRequest ? { a: sent } : { b: sent }
}

function isOpen(additional: Json | undefined): boolean {
  return additional === undefined || additional === true
}
