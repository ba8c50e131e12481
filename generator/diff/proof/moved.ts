import type { Operation } from '../../model/model.js'
import type { Met, Way } from '../change/place.js'
import { placeAmong } from '../change/place.js'
import { claimOf } from './calls/attribution.js'
import { type Cause, causedAt, causedByLoss } from './calls/causes.js'
import type { Pair } from './calls/pair.js'
import type { Showing } from './calls/shown-by.js'

/** How a call shows that its path moved: it gets lost, or the new template reads another value from it. */
export function moved(pair: Pair, lost: readonly number[], rivals: readonly Met[]): Showing {
  const { before, after } = pair
  const claims = rivals.flatMap((rival) => claimOf(rival, placeAmong(rival, before)) ?? [])
  const ways = otherSegments(before, after)
  const causes: readonly Cause[] = [
    causedByLoss(lost),
    ...ways.map((way) => causedAt(way, false, undefined, claims)),
  ]
  const cause: Cause = (refusal) => {
    for (const one of causes) {
      const found = one(refusal)
      if (found !== undefined) return found
    }
    return undefined
  }
  const [way] = ways
  return {
    ...{ pair, way: [], conditions: [true], isAnyCall: true, cause },
    ...(way !== undefined && { arrival: { before: way, after: way } }),
  }
}

/** The params of both paths that another segment, or another part of it, contains now. */
function otherSegments(before: Operation, after: Operation): readonly Way[] {
  const segments = ({ rest: { path } }: Operation): readonly string[] => path.split('/')
  const fresh = segments(after)
  const kept = segments(before).filter((segment, index) => segment === fresh[index])
  const params = ({ rest: { parameters } }: Operation): readonly string[] =>
    parameters.flatMap(({ in: place, name, param }) =>
      place !== 'path' || kept.some((segment) => segment.includes(`{${name}}`)) ? [] : [param],
    )
  const known = new Set(params(after))
  return params(before).flatMap((param) => (known.has(param) ? [[param]] : []))
}
