import type { ParameterBinding } from 'duet-runtime'
import { childPointer, objectOf } from '../../../document/cursor.js'
import type { Json } from '../../../document/document.js'
import { own } from '../../../document/json.js'
import { asObject, type Endpoint, type Side } from '../../change/side.js'
import { harmless, isBad, type Judged, type Judgement, judge, worse } from '../../decide/judgement.js'
import { typesOfText } from '../../texts/coerced.js'
import { judgeTexts } from '../../texts/texts.js'
import type { OperationPair } from '../parts/pair.js'
import { ExplodedObject } from './exploded.js'
import { listStyleOf, type Parameter, parametersOf, schemaOf } from './parameter.js'

/** What REST callers notice if a query name now belongs to another param. */
export interface Taken {
  readonly judged: Judged
  /** The object parameter that has the name as a member in one version. */
  readonly holder: Parameter
  /** The member of the other parameter that has the name, if that is an object too. */
  readonly member?: string
  /** The value's path in the params of each version. */
  readonly old: string
  readonly new: string
}

/**
 * What REST callers notice if the name of a new parameter, or of one of its members, was a member of an exploded object
 * before. Undefined if no object had the name, or if by convention callers did not send it.
 */
export function takenBefore(pair: OperationPair, fresh: Parameter): Taken | undefined {
  const all = hasOwnName(pair.after, fresh)
    ? [takenName(pair, fresh.name, fresh, whole(pair.new, fresh))]
    : membersOf(pair, fresh).map(([name, value]) => {
        const taken = takenName(pair, name, fresh, value)
        return taken && { ...taken, member: name }
      })
  const found = all.filter((taken) => taken !== undefined)
  return found.find(({ judged }) => judged.level === 'breaking') ?? found.find(isBadly) ?? found[0]
}

/**
 * The same for a field of a GET's body, which callers may send in the query. Undefined if the old version read the name
 * outside of the object.
 */
export function takenByField(
  pair: OperationPair,
  binding: ParameterBinding,
  schema: Json,
): Taken | undefined {
  const { name, param, json } = binding
  const isOwn = (one: ParameterBinding): boolean =>
    one.in === 'query' && one.name === name && !hasNamedMembers(one)
  if (pair.before.modelled?.rest.parameters.some(isOwn) === true) return undefined
  const { pointer } = pair.after.operation
  const cursor = { value: objectOf([['schema', schema]]), pointer }
  const field = { name, param, in: 'query', required: false, shared: false, cursor }
  const taken = takenName(pair, name, field, { schema, path: [param] })
  // Few texts are JSON.
  const isText = json !== true || taken === undefined || isBadly(taken)
  return isText ? taken : { ...taken, judged: { level: 'dangerous', evidence: {} } }
}

/** Whether every call over REST has the name of a new parameter: a required object requires the member with that name. */
export function isAlwaysMember(pair: OperationPair, fresh: Parameter): boolean {
  const held = hasOwnName(pair.after, fresh) ? holderOf(pair.old, pair.before, fresh.name) : undefined
  return held?.holder.required === true && explodedOf(pair.old, held.holder).required.has(held.key)
}

function takenName(pair: OperationPair, name: string, fresh: Parameter, value: Value): Taken | undefined {
  const held = holderOf(pair.old, pair.before, name)
  if (held === undefined) return undefined
  const { holder, key } = held
  const sent = {
    schema: explodedOf(pair.old, holder).member(judgementOf(pair), key),
    path: [holder.param, key],
  }
  const taken = passed(pair, [holder, sent], [fresh, value], holder)
  return taken?.judged.level === 'breaking' ? taken : (starved(pair, holder, key) ?? taken)
}

function isBadly({ judged }: Taken): boolean {
  return isBad(judged)
}

/** The members of an object that came which are query names of their own, and no parameter's name in either version. */
function membersOf(pair: OperationPair, fresh: Parameter): [name: string, value: Value][] {
  const binding = bindingOf(pair.after, fresh)
  if (binding === undefined || !isExploded(binding)) return []
  const object = explodedOf(pair.new, fresh)
  const [olds, news] = [parametersOf(pair.old, pair.before), parametersOf(pair.new, pair.after)]
  return Object.keys(binding.coerce.properties ?? {})
    .filter((name) => ![olds, news].some((all) => all.has(`query ${name}`)))
    .filter((name) => holderOf(pair.new, pair.after, name)?.holder.name === fresh.name)
    .map((name) => [name, { schema: object.taken(judgementOf(pair), name), path: [fresh.param, name] }])
}

/** The reverse: the name of a removed parameter is that of an object's member in the new version. */
export function takenAfter(pair: OperationPair, old: Parameter): Taken | undefined {
  if (!hasOwnName(pair.before, old)) return undefined
  const held = holderOf(pair.new, pair.after, old.name)
  if (held === undefined) return undefined
  const { holder, key } = held
  const member = {
    schema: explodedOf(pair.new, holder).taken(judgementOf(pair), key),
    path: [holder.param, key],
  }
  const taken = passed(pair, [old, whole(pair.old, old)], [holder, member], holder)
  if (taken?.judged.level === 'breaking') return taken
  const lacking = incomplete(pair, holder, old, key)
  return [lacking, taken].find((one) => one !== undefined && isBadly(one)) ?? lacking ?? taken
}

/**
 * Judges old calls whose object loses a property to the new parameter, if the new version still requires that property
 * in the object. Undefined if no call breaks.
 */
function starved(pair: OperationPair, old: Parameter, name: string): Taken | undefined {
  const fresh = parametersOf(pair.new, pair.after).get(`query ${old.name}`)
  const binding = fresh && bindingOf(pair.after, fresh)
  if (fresh === undefined || binding === undefined || !hasNamedMembers(binding)) return undefined
  const object = explodedOf(pair.new, fresh)
  const isRequired = object.required.has(name)
  if (!isRequired && !object.mayRequire(name)) return undefined
  // Without another property, no object arrives.
  const others = fresh.required ? {} : { minProperties: 2 }
  const sent = { allOf: [explodedOf(pair.old, old).schema, { type: 'object', required: [name], ...others }] }
  const judged = missing(pair, sent, !isRequired || object.hasDefault(name))
  const path = childPointer('', old.param)
  return isBad(judged) ? { judged, holder: fresh, old: path, new: path } : undefined
}

/** Judges old calls whose parameter now becomes the only property of an object that requires others. */
function incomplete(pair: OperationPair, holder: Parameter, old: Parameter, key: string): Taken | undefined {
  if (parametersOf(pair.old, pair.before).get(`query ${holder.name}`)?.required === true) return undefined
  const object = explodedOf(pair.new, holder)
  const lacking = [...object.required].filter((name) => name !== key)
  const sent = schemaOf(pair.old, old)?.value
  if (sent === undefined || (lacking.length === 0 && !object.hasBranches)) return undefined
  const judged =
    lacking.length === 0
      ? alone(pair, key, sent, object)
      : missing(
          pair,
          sent,
          lacking.every((name) => object.hasDefault(name)),
        )
  return { judged, holder, old: childPointer('', old.param), new: childPointer('', holder.param) }
}

/** Judges an object with one property by the branches of its schema. */
function alone(pair: OperationPair, name: string, sent: Json, object: ExplodedObject): Judged {
  const lonely = { type: 'object', properties: objectOf([[name, sent]]), required: [name] }
  const verdict = judgementOf(pair).passes(
    'request',
    { ...lonely, additionalProperties: false },
    object.schema,
  )
  if (verdict.verdict !== 'not-contained') return judge(verdict)
  const member = object.taken(judgementOf(pair), name) ?? true
  // The text becomes a value of another type, which the branches do not check.
  if (!judgementOf(pair).isContained('request', sent, member)) return { level: 'dangerous', evidence: {} }
  return judge({ ...verdict, witness: own(asObject(verdict.witness), name) ?? null })
}

/** Breaking if the schema has any value. Dangerous if validators may fill in a default. */
function missing({ tools }: OperationPair, sent: Json, isFilled: boolean): Judged {
  const judged = judge(tools.reach.graph.judgement.passes('request', sent, { not: {} }))
  return judged.level === 'breaking' && isFilled ? { level: 'dangerous', evidence: {} } : judged
}

/**
 * Whether each member of a removed object is now a parameter that accepts everything the member did. An object without
 * members never arrived.
 */
export function isTakenApart(pair: OperationPair, old: Parameter): boolean {
  const binding = bindingOf(pair.before, old)
  if (binding === undefined || !arrivesByNames(binding)) return false
  const names = Object.keys(binding.coerce.properties ?? {})
  const isAnyName = isDeep(binding) && !hasOnly(pair, schemaOf(pair.old, old)?.value ?? true, names)
  if (isAnyName) return false
  const others = parametersOf(pair.new, pair.after)
  return names.every((name) => {
    const fresh = others.get(`query ${isDeep(binding) ? `${old.name}[${name}]` : name}`)
    return fresh !== undefined && takenBefore(pair, fresh)?.judged.level === 'compatible'
  })
}

/** Whether an object has no members but those of some names. */
function hasOnly(pair: OperationPair, schema: Json, names: readonly string[]): boolean {
  const properties = objectOf(names.map((name) => [name, true] as const))
  return judgementOf(pair).isContained('request', schema, { properties, additionalProperties: false })
}

/**
 * The properties of an exploded object whose query names belong to no param of the new version, which refuses them. An
 * object that accepted any name is represented by one.
 */
export function lostMembers(pair: OperationPair, old: Parameter, fresh: Parameter): string[] {
  const [was, is] = [bindingOf(pair.before, old), bindingOf(pair.after, fresh)]
  if (was === undefined || is === undefined || !isExploded(was) || !isExploded(is) || is.open === true)
    return []
  const names = Object.keys(was.coerce.properties ?? {})
  const other =
    was.open === true ? otherName(pair, old, [...names, ...Object.keys(is.coerce.properties ?? {})]) : []
  return [...names, ...other].filter(
    (name) =>
      !isOwnName(pair.before, name) &&
      !isOwnName(pair.after, name) &&
      holderOf(pair.old, pair.before, name)?.holder.name === old.name &&
      holderOf(pair.new, pair.after, name) === undefined,
  )
}

/** The properties of an exploded object whose query names are parameters of their own now, which report what REST callers notice. */
export function takenMembers(pair: OperationPair, old: Parameter): ReadonlySet<string> {
  const was = bindingOf(pair.before, old)
  if (was === undefined || !isExploded(was)) return new Set()
  const names = Object.keys(was.coerce.properties ?? {})
  return new Set(names.filter((name) => !isOwnName(pair.before, name) && isOwnName(pair.after, name)))
}

function isOwnName({ modelled }: Endpoint, name: string): boolean {
  const all = modelled?.rest.parameters ?? []
  return all.some((one) => one.in === 'query' && one.name === name && !hasNamedMembers(one))
}

/** A name besides the known ones that an object describes. */
function otherName(pair: OperationPair, parameter: Parameter, known: readonly string[]): string[] {
  const schema = schemaOf(pair.old, parameter)?.value ?? true
  if (!pair.tools.reach.graph.described.old.describesUnnamed(schema)) return []
  const others = { type: 'object', minProperties: 1, propertyNames: { minLength: 1, not: { enum: known } } }
  const found = judgementOf(pair).passes('request', { allOf: [schema, others] }, false)
  return found.verdict === 'not-contained' ? Object.keys(asObject(found.witness)).slice(0, 1) : []
}

/** A path among the params, and its schema. Undefined if no schema describes it. */
interface Value {
  readonly schema: Json | undefined
  readonly path: readonly string[]
}

function judgementOf({ tools }: OperationPair): Judgement {
  return tools.reach.graph.judgement
}

function passed(
  pair: OperationPair,
  [was, sent]: readonly [Parameter, Value],
  [is, taken]: readonly [Parameter, Value],
  holder: Parameter,
): Taken | undefined {
  if (sent.schema === undefined || taken.schema === undefined) return undefined
  const { old, new: fresh } = pair
  const judgement = judgementOf(pair)
  const lists = `${listStyleOf(was)} ${listStyleOf(is)}` as const
  const traits = { direction: 'request', holder: 'parameter', isLoose: true, lists } as const
  const judged =
    judgeTexts(judgement, traits, true, [old, sent.schema], [fresh, taken.schema]) ??
    worse(
      judge(judgement.passes('request', sent.schema, taken.schema)),
      asOneItem(judgement, [old, sent.schema], [fresh, taken.schema]),
    )
  const isElsewhere = !isBad(judged) && staysIn(pair, holder)
  return {
    judged: isElsewhere ? missing(pair, sent.schema, true) : judged,
    holder,
    old: childPointer('', ...sent.path),
    new: childPointer('', ...taken.path),
  }
}

/** Judges texts that are read as a list of one, though the schema of the list also describes texts. */
function asOneItem(
  judgement: Judgement,
  [old, sent]: readonly [Side, Json],
  [fresh, taken]: readonly [Side, Json],
): Judged {
  const isRead = typesOfText(old, sent).join() === 'string' && typesOfText(fresh, taken).join() === 'array'
  const list = { type: 'array', items: { allOf: [sent, { minLength: 1 }] }, minItems: 1, maxItems: 1 }
  return isRead ? judge(judgement.passes('request', list, taken)) : harmless
}

/**
 * Whether both versions have an object parameter. If one has not, callers send the same name for the same value, and
 * the params only have another structure. Otherwise the object loses or gets a value that is declared elsewhere.
 */
function staysIn(pair: OperationPair, { name }: Parameter): boolean {
  const all = [parametersOf(pair.old, pair.before), parametersOf(pair.new, pair.after)]
  return all.every((one) => one.has(`query ${name}`))
}

function whole(side: Side, parameter: Parameter): Value {
  return { schema: schemaOf(side, parameter)?.value, path: [parameter.param] }
}

function explodedOf(side: Side, parameter: Parameter): ExplodedObject {
  return new ExplodedObject(side, schemaOf(side, parameter)?.value ?? true)
}

/** The member of an object parameter that a query name belongs to. */
interface Held {
  readonly holder: Parameter
  readonly key: string
}

/** The object parameter that receives a query name that no other parameter has. */
function holderOf(side: Side, endpoint: Endpoint, name: string): Held | undefined {
  const bindings = endpoint.modelled?.rest.parameters ?? []
  // OpenAPI defines one level of brackets.
  const [, object, member] = /^([^[]*)\[([^[\]]+)\]$/.exec(name) ?? []
  const exploded = bindings.find((one) => isExploded(one) && Object.hasOwn(one.coerce.properties ?? {}, name))
  const deep = exploded ?? bindings.find((one) => isDeep(one) && one.name === object)
  const found = deep ?? bindings.find((one) => one.open === true)
  const all = found === undefined ? [] : [...parametersOf(side, endpoint).values()]
  const holder = all.find((one) => bindingOf(endpoint, one) === found)
  const key = found !== undefined && isDeep(found) ? member : name
  return holder && key !== undefined ? { holder, key } : undefined
}

function hasOwnName(endpoint: Endpoint, parameter: Parameter): boolean {
  const binding = bindingOf(endpoint, parameter)
  return binding?.in === 'query' && !hasNamedMembers(binding)
}

/** The runtime's binding of a parameter. */
export function bindingOf({ modelled }: Endpoint, parameter: Parameter): ParameterBinding | undefined {
  // The model has the whole query string as an object whose members have names of their own.
  const place = parameter.in === 'querystring' ? 'query' : parameter.in
  return modelled?.rest.parameters.find((one) => one.in === place && one.name === parameter.name)
}

/** Whether an object's members have names in the query: its own, or `name[member]`. */
export function hasNamedMembers(binding: ParameterBinding): boolean {
  return isDeep(binding) || isExploded(binding)
}

/** Whether an object arrives only if a call has one of its named properties. */
export function arrivesByNames(binding: ParameterBinding | undefined): boolean {
  return binding !== undefined && hasNamedMembers(binding) && binding.open !== true
}

function isDeep({ in: place, style }: ParameterBinding): boolean {
  return place === 'query' && style === 'deepObject'
}

/** Whether the members of an object are query names of their own. */
export function isExploded({ in: place, style, explode, coerce, json }: ParameterBinding): boolean {
  const isObjectAlone = coerce.types.includes('object') && !coerce.types.includes('array')
  return place === 'query' && style === 'form' && explode && json !== true && isObjectAlone
}
