import type { Operation } from '../../model/model.js'
import type { Change } from '../change/change.js'
import { wayOf } from '../change/place.js'
import { essence, takes } from '../facts/parts/media.js'
import type { Pair } from './calls/pair.js'

/** The operation for a caller that writes bodies in the media type that a change is about. */
export function ofMedia({ before, after }: Pair, { old }: Pick<Change, 'old'>): Operation {
  const { body } = before.rest
  const type = essence(wayOf(old?.pointer ?? '').at(-1) ?? '')
  const media = body?.media?.filter((one) => one.type === type) ?? []
  if (body === undefined || media.length === 0) return before
  const known = after.rest.body?.media ?? []
  const isLost = (one: string): boolean => takes(type, one) && !known.some((range) => takes(range.type, one))
  const sent = type.includes('*') ? (samples.find(isLost) ?? type) : type
  const written = media.map((one) => ({ ...one, type: sent }))
  return { ...before, rest: { ...before.rest, body: { ...body, media: written } } }
}

/** Callers send no range. */
const samples = [
  'application/octet-stream',
  'application/pdf',
  'image/jpeg',
  'image/png',
  'audio/mpeg',
  'audio/ogg',
  'video/mp4',
  'video/webm',
  'text/plain',
  'text/csv',
]
