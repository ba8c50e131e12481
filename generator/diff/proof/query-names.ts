import type { Json } from '../../document/document.js'
import type { Operation } from '../../model/model.js'
import { entryOf, hasTrait } from '../change/catalogue.js'
import type { Change } from '../change/change.js'
import { holding, type Met, type Way, wayOf } from '../change/place.js'
import { asObject } from '../change/side.js'
import { takesUnnamed } from '../facts/request/params.js'
import { hasNamedMembers, isExploded } from '../facts/request/query-names.js'
import type { Cause } from './calls/causes.js'
import type { Pair } from './calls/pair.js'
import { said } from './calls/refusal.js'

/**
 * The path at which a property with a query name is read after the object no longer accepts it. Undefined for other
 * properties.
 */
export function asQueryName({ rest }: Operation, [param, ...others]: Way): Way | undefined {
  const binding = rest.parameters.find((one) => one.param === param)
  if (binding?.style === 'deepObject') return [`${binding.name}[${others.join('][')}]`]
  return binding !== undefined && others.length === 1 && isExploded(binding) ? others : undefined
}

/**
 * Calls with as many fields of the body as possible, and a query parameter that the new version takes for another
 * field: the constraints of the body then count it. None for any other change, and none if rivals may cause a refusal.
 */
export function withFullBody(
  { id }: Pick<Change, 'id'>,
  { before, after }: Pair,
  way: Way,
  rivals: readonly Met[],
): readonly Json[] {
  const { body, parameters } = before.rest
  const isQuery = parameters.some(({ in: place, param }) => place === 'query' && param === way[0])
  const isAlone = rivals.every((rival) => rival.id === 'rpc-body-taken-apart')
  if (!hasTrait(id, 'loss') || !isQuery || !isAlone || !takesUnnamed(after.params, way[0] ?? '')) return []
  const { properties, maxProperties } = asObject(after.params)
  const others = new Set(after.rest.parameters.map(({ param }) => param))
  const fields = Object.keys(asObject(properties)).filter((name) => !others.has(name))
  const place = body?.kind === 'param' ? [body.param ?? 'body'] : []
  const most =
    typeof maxProperties === 'number' && maxProperties <= 20 ? [{ minProperties: maxProperties }] : []
  return [{ required: fields }, ...most].map((full) => ({
    allOf: [holding(way, true), holding(place, full)],
  }))
}

/**
 * Calls in which an object of the query has a member that is no query name of the new version. None if the old version
 * reads the object otherwise.
 */
export function withOtherName(
  { id }: Pick<Change, 'id'>,
  { before, after }: Pair,
  way: Way,
): readonly Json[] {
  const binding = before.rest.parameters.find((one) => one.param === way[0])
  if (!hasTrait(id, 'loss') || binding === undefined || way.length !== 1 || !hasNamedMembers(binding))
    return []
  const all = [before, after].flatMap(({ rest }) => rest.parameters.filter((one) => one.in === 'query'))
  const others = all.filter((one) => one !== binding)
  const taken = others.flatMap((one) => [
    one.name,
    ...(isExploded(one) ? Object.keys(one.coerce.properties ?? {}) : []),
  ])
  const start = binding.style === 'deepObject' ? `${binding.name}[` : ''
  const names = taken
    .filter((name) => name.startsWith(start))
    .map((name) => (start === '' ? name : name.slice(start.length, -1)))
  return [
    holding(way, {
      type: 'object',
      minProperties: 1,
      propertyNames: { minLength: 1, ...(names.length > 0 && { not: { enum: names } }) },
    }),
  ]
}

/** A refusal of the query names that an object was written with, if they are no longer its members. */
export function unreadNames({ id }: Change, { before: { rest }, after }: Pair, way: Way): Cause | undefined {
  const binding = rest.parameters.find((one) => one.param === way[0])
  const isRewritten = hasTrait(id, 'other names') && entryOf(id).holder === 'parameter'
  if (binding === undefined || way.length !== 1) return undefined
  const isRead = after.rest.parameters.some((one) => one.name === binding.name && hasNamedMembers(one))
  if (!isRewritten && isRead) return undefined
  const { name, style } = binding
  const others = rest.parameters.filter((one) => one !== binding && one.in === 'query')
  const isOwn = isExploded(binding) && !others.some(isExploded)
  const isName = (token: string): boolean =>
    style === 'deepObject' ? token.startsWith(`${name}[`) : isOwn && !others.some((one) => one.name === token)
  return ({ violations, taker }) => {
    const found = violations.find(({ path, keyword }) => {
      const [token = '', ...more] = wayOf(path)
      return keyword === 'additionalProperties' && more.length === 0 && isName(token)
    })
    return taker === undefined && found !== undefined ? said(found) : undefined
  }
}
