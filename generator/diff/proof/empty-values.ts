import type { Coercion } from 'duet-runtime'
import { isArray } from '../../document/json.js'
import type { Operation } from '../../model/model.js'
import type { Change } from '../change/change.js'
import { placeAmong, type Way } from '../change/place.js'
import { asObject } from '../change/side.js'
import { causedAt } from './calls/causes.js'
import type { Pair } from './calls/pair.js'
import type { Showing } from './calls/shown-by.js'

/**
 * Sends an empty text of a query parameter, which the old version counts as left out: alone, or in the list that the new
 * version reads and refuses.
 */
export function withEmptyValue(change: Change, pair: Pair): Showing {
  const way = placeAmong(change, pair.before)
  const { witness } = change.evidence ?? {}
  const before = writing(pair.before, way, isArray(witness) ? witness.map(String) : '')
  return { pair: { ...pair, before }, way, conditions: [true], cause: causedAt(way) }
}

/** The operation for a caller that writes this text, or these items, for a parameter. */
function writing(operation: Operation, [name = '']: Way, value: string | readonly string[]): Operation {
  const { params, rest } = operation
  const { properties, required } = asObject(params)
  const names = isArray(required) ? required : []
  const text: Coercion = { types: ['string'] }
  const coerce: Coercion = isArray(value) ? { types: ['array'], items: text } : text
  const parameters = rest.parameters.map((one): typeof one => {
    const { emptyIsAbsent: _, ...binding } = one
    return one.param === name ? { ...binding, coerce } : one
  })
  const sent = {
    properties: { ...asObject(properties), [name]: { const: value } },
    required: [...names, name],
  }
  return { ...operation, params: { ...asObject(params), ...sent }, rest: { ...rest, parameters } }
}
