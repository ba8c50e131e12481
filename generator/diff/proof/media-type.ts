import { essenceOf } from '../../document/media-type.js'
import type { Operation } from '../../model/model.js'
import { typesWithin } from '../../samples/media-types.js'
import type { Change } from '../change/change.js'
import { wayOf } from '../change/place.js'
import { takes } from '../facts/parts/media.js'
import type { Pair } from './calls/pair.js'

/** The operation for a caller that writes bodies in the media type that a change is about. */
export function ofMedia({ before, after }: Pair, { old }: Pick<Change, 'old'>): Operation {
  const { body } = before.rest
  const type = essenceOf(wayOf(old?.pointer ?? '').at(-1) ?? '')
  const media = body?.media?.filter((one) => one.type === type) ?? []
  if (body === undefined || media.length === 0) return before
  const known = after.rest.body?.media ?? []
  const isLost = (one: string): boolean => takes(type, one) && !known.some((range) => takes(range.type, one))
  // Callers send no range.
  const sent = typesWithin(type).find(isLost) ?? type
  const written = media.map((one) => ({ ...one, type: sent }))
  return { ...before, rest: { ...before.rest, body: { ...body, media: written } } }
}
