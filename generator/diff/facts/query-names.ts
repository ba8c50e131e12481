import type { ParameterBinding } from 'duet-runtime'
import type { Json } from '../../load/document.js'
import { isObject, own } from '../../load/json.js'
import { childPointer } from '../../model/cursor.js'
import { type Judged, type Judgement, judge } from '../decide/judgement.js'
import { resolve } from '../schema/same.js'
import { judgeTexts } from '../schema/texts.js'
import { pick } from '../schema/within.js'
import { asObject, type Endpoint, type Side } from '../side.js'
import type { OperationPair } from './pair.js'
import { listStyleOf, type Parameter, parametersOf, schemaOf } from './parameter.js'

/** A query name that is another param's now: what callers over REST notice of it. */
export interface Taken {
  readonly judged: Judged
  /** The object parameter of which the name is a member in one version. */
  readonly holder: Parameter
  /** Where the value stands among the params of each version. */
  readonly old: string
  readonly new: string
}

/**
 * What callers over REST notice where an object whose members are query names of their own took the name of a parameter that
 * came. Undefined where nothing took it, or where by convention nobody has sent it.
 */
export function takenBefore(pair: OperationPair, fresh: Parameter): Taken | undefined {
  if (!hasOwnName(pair.after, fresh)) return undefined
  const { judgement } = pair.tools.reach.graph
  const old = holderOf(pair.old, pair.before, fresh.name)
  return (
    old &&
    passed(pair, [old, memberOf(judgement, pair.old, old, fresh.name)], [fresh, whole(pair.new, fresh)], old)
  )
}

/** The same of a parameter that went, and of an object that takes its name in the new version. */
export function takenAfter(pair: OperationPair, old: Parameter): Taken | undefined {
  if (!hasOwnName(pair.before, old)) return undefined
  const { judgement } = pair.tools.reach.graph
  const fresh = holderOf(pair.new, pair.after, old.name)
  return (
    fresh &&
    passed(pair, [old, whole(pair.old, old)], [fresh, memberOf(judgement, pair.new, fresh, old.name)], fresh)
  )
}

/** Whether each member of an object that went is a parameter that takes all that the member took. */
export function isTakenApart(pair: OperationPair, old: Parameter): boolean {
  const binding = bindingOf(pair.before, old)
  if (binding === undefined || !isExploded(binding) || binding.open === true) return false
  const others = parametersOf(pair.new, pair.after)
  return Object.keys(binding.coerce.properties ?? {}).every((name) => {
    const fresh = others.get(`query ${name}`)
    return fresh !== undefined && takenBefore(pair, fresh)?.judged.level === 'compatible'
  })
}

/** A place among the params, and its schema; undefined where a schema says nothing of it. */
interface Value {
  readonly schema: Json | undefined
  readonly path: readonly string[]
}

function passed(
  { old, new: fresh, tools }: OperationPair,
  [was, sent]: readonly [Parameter, Value],
  [is, taken]: readonly [Parameter, Value],
  holder: Parameter,
): Taken | undefined {
  if (sent.schema === undefined || taken.schema === undefined) return undefined
  const { judgement } = tools.reach.graph
  const lists = `${listStyleOf(was)} ${listStyleOf(is)}` as const
  const traits = { direction: 'request', holder: 'parameter', isLoose: true, lists } as const
  const judged =
    judgeTexts(judgement, traits, true, [old, sent.schema], [fresh, taken.schema]) ??
    judge(judgement.passes('request', sent.schema, taken.schema))
  return { judged, holder, old: childPointer('', ...sent.path), new: childPointer('', ...taken.path) }
}

function whole(side: Side, parameter: Parameter): Value {
  return { schema: schemaOf(side, parameter)?.value, path: [parameter.param] }
}

/** What an object says of a member. By convention nobody sends what an open object says nothing of. */
function memberOf(judgement: Judgement, side: Side, holder: Parameter, name: string): Value {
  const path = [holder.param, name]
  const schema = resolve(side, schemaOf(side, holder)?.value ?? true)
  const object = asObject(schema)
  const property = own(asObject(own(object, 'properties')), name)
  if (property !== undefined) return { schema: property, path }
  const others = pick(object, ['patternProperties', 'additionalProperties'])
  const patterns = Object.entries(asObject(own(others, 'patternProperties')))
  const matching = patterns.flatMap(([pattern, part]) =>
    judgement.isContained('request', { const: name }, { pattern }) ? [part] : [],
  )
  if (matching.length > 0) return { schema: matching.length === 1 ? matching[0] : { allOf: matching }, path }
  const additional = own(others, 'additionalProperties')
  return { schema: isObject(additional) ? additional : undefined, path }
}

/** The object parameter that takes a query name which no parameter has as its own. */
function holderOf(side: Side, endpoint: Endpoint, name: string): Parameter | undefined {
  const bindings = endpoint.modelled?.rest.parameters ?? []
  const found =
    bindings.find((one) => isExploded(one) && Object.hasOwn(one.coerce.properties ?? {}, name)) ??
    bindings.find((one) => one.open === true)
  return found && parametersOf(side, endpoint).get(`query ${found.name}`)
}

function hasOwnName(endpoint: Endpoint, parameter: Parameter): boolean {
  const binding = bindingOf(endpoint, parameter)
  return binding?.in === 'query' && binding.style !== 'deepObject' && !isExploded(binding)
}

function bindingOf({ modelled }: Endpoint, parameter: Parameter): ParameterBinding | undefined {
  return modelled?.rest.parameters.find((one) => one.in === parameter.in && one.name === parameter.name)
}

/** Whether the members of an object are query names of their own. */
function isExploded({ in: place, style, explode, coerce, json }: ParameterBinding): boolean {
  const isObjectAlone = coerce.types.includes('object') && !coerce.types.includes('array')
  return place === 'query' && style === 'form' && explode && json !== true && isObjectAlone
}
