import type { ParameterBinding } from 'duet-runtime'
import type { Json } from '../../document/document.js'
import type { Operation } from '../../model/model.js'
import type { Change } from '../change/change.js'
import { additional, holding, wayOf } from '../change/place.js'
import { causedAt } from './calls/causes.js'
import type { Pair } from './calls/pair.js'
import type { Showing } from './calls/shown-by.js'

/**
 * Shows a call whose body has a member that becomes the same param as a parameter, and a call that sends both. If the
 * body has fields, the call sends the member there only.
 */
export function clashing({ path }: Change, pair: Pair): Showing {
  const { before, after } = pair
  const [param = ''] = wayOf(path)
  if (before.rest.body?.kind === 'fields') {
    const { rest } = before
    const parameters = rest.parameters.filter((one) => one.param !== param)
    const inBody = { ...pair, before: { ...before, rest: { ...rest, parameters } } }
    return {
      pair: inBody,
      way: [param],
      conditions: [holding([param], true)],
      cause: causedAt([param], false),
    }
  }
  const way = [before.rest.body?.param ?? 'body', param]
  const clash = after.rest.parameters.find((one) => one.param === param)
  const others = before.rest.parameters.filter((one) => one.in === clash?.in && one.name === clash?.name)
  const both = others.map(({ param: other }) => ({
    allOf: [holding([other], some), holding(way, { not: some })],
  }))
  return { pair, way, conditions: [holding(way, true), ...both], cause: causedAt([param], false) }
}

/** Shows a call with two values of parameters that become one param. Undefined for other clashes. */
export function merging({ path }: Change, pair: Pair): Showing | undefined {
  const [param = ''] = wayOf(path)
  const clashing = pair.after.rest.parameters.filter((one) => one.param === param)
  const [one, other] = pair.before.rest.parameters.filter((old) =>
    clashing.some((fresh) => fresh.in === old.in && fresh.name === old.name),
  )
  if (one === undefined || other === undefined) return undefined
  const differing = [
    [some, { not: some }],
    [
      { maxLength: 1, maxItems: 1, maxProperties: 1 },
      { minLength: 2, minItems: 2, minProperties: 2 },
    ],
  ] as const
  const conditions = differing.map(([first, second]) => ({
    allOf: [holding([one.param], first), holding([other.param], second)],
  }))
  return { pair, way: [param], conditions, cause: causedAt([param], false) }
}

/** A few values, so that another one can differ from them. */
const some = { enum: [1, 'b', true] }

/** Shows a call with a query name that no parameter declares. */
export function withUndeclared(pair: Pair): Showing {
  const way = [additional]
  const before = withQueryName(pair.before, additional)
  const conditions = [holding(way, { type: 'string' }), holding(way, { type: 'number' })]
  return { pair: { ...pair, before }, way, conditions, cause: causedAt(way, false) }
}

/** The operation for a caller that sends a field of the body in the query. */
function withQueryName(operation: Operation, name: string): Operation {
  const binding: ParameterBinding = {
    ...{ name, param: name, in: 'query', required: false, style: 'form', explode: true },
    coerce: { types: ['string', 'number'] },
  }
  const { rest } = operation
  return { ...operation, rest: { ...rest, parameters: [...rest.parameters, binding] } }
}

/** Shows a call that sends an empty object as its body. A body that callers may omit is otherwise omitted. */
export function withEmptyBody(pair: Pair): Showing {
  const { before, after } = pair
  const { rest } = before
  const written = {
    ...before,
    rest: { ...rest, ...(rest.body && { body: { ...rest.body, required: true } }) },
  }
  const cause = causedAt([after.rest.body?.param ?? 'body'])
  return { pair: { ...pair, before: written }, way: [], conditions: [withoutBody(before)], cause }
}

export function withoutBody({ rest }: Operation): Json {
  return { propertyNames: { enum: rest.parameters.map(({ param }) => param) } }
}
