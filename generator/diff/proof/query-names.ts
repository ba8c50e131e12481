import type { Operation } from '../../model/model.js'
import type { ChangeId } from '../change/catalogue.js'
import type { Change } from '../change/change.js'
import { type Way, wayOf } from '../change/place.js'
import { isExploded } from '../facts/request/query-names.js'
import type { Cause } from './calls/calls.js'
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

/** A refusal of the query names that an object was written with, if they are no longer its members. */
export function unreadNames({ id }: Change, { before: { rest } }: Pair, way: Way): Cause | undefined {
  const binding = rest.parameters.find((one) => one.param === way[0])
  if (!rewritten.has(id) || binding === undefined || way.length !== 1) return undefined
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

const rewritten: ReadonlySet<ChangeId> = new Set([
  'request-parameter-renamed',
  'request-parameter-location-changed',
  'request-parameter-style-changed',
  'request-parameter-type-changed',
  'request-parameter-additional-properties-removed',
])
