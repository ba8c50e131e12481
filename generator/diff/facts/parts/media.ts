import type { Cursor } from '../../../document/cursor.js'
import { essenceOf } from '../../../document/media-type.js'

export interface MediaPair {
  readonly was: string
  readonly type: string
  readonly a: Cursor
  readonly b: Cursor
}

export interface MediaPairs {
  readonly pairs: readonly MediaPair[]
  readonly removed: ReadonlyMap<string, Cursor>
  readonly added: ReadonlyMap<string, Cursor>
}

/**
 * Pairs the media types of two versions: first those with the same name, ignoring case, spaces and the order of
 * parameters (RFC 9110 section 8.3.1), then those where one is a kind of the other.
 */
export function mediaPairs(olds: ReadonlyMap<string, Cursor>, news: ReadonlyMap<string, Cursor>): MediaPairs {
  const pairs: MediaPair[] = []
  const [removed, added] = [new Map(olds), new Map(news)]
  const match = (isOne: (was: string, type: string) => boolean): void => {
    for (const [was, a] of removed)
      for (const [type, b] of added) {
        if (!removed.has(was) || !isOne(was, type)) continue
        removed.delete(was)
        added.delete(type)
        pairs.push({ was, type, a, b })
      }
  }
  match((was, type) => normal(was) === normal(type))
  match((was, type) => isKindOf(was, type) || isKindOf(type, was))
  return { pairs, removed, added }
}

/** How a media type's name changed: only its parameters did, or one is a kind of the other. */
export function nameChange(was: string, type: string): 'changed' | 'specialized' | 'generalized' | undefined {
  if (normal(was) === normal(type)) return undefined
  if (essenceOf(was) === essenceOf(type)) return 'changed'
  return isKindOf(type, was) ? 'specialized' : 'generalized'
}

/** Whether a media type is a range (RFC 9110 section 12.5.1), which names no type that callers can count on. */
export function isRange(type: string): boolean {
  return essenceOf(type).endsWith('/*')
}

/** Whether a declared media type covers what is sent: it is the same, or a range that includes it. */
export function takes(declared: string, sent: string): boolean {
  const [range, type] = [essenceOf(declared), essenceOf(sent)]
  return range === type || range === '*/*' || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)))
}

/**
 * Whether one media type is a kind of another: `application/problem+json` of `application/json` (RFC 6839), `image/png`
 * of `image/*`. Parameters are ignored.
 */
function isKindOf(special: string, general: string): boolean {
  const [one, other] = [essenceOf(special), essenceOf(general)]
  const [type, subtype = ''] = one.split('/')
  const [ofType, ofSubtype = ''] = other.split('/')
  if (one === other || ofType === '*') return true
  if (type !== ofType) return false
  return ofSubtype === '*' || (!ofSubtype.includes('+') && subtype.endsWith(`+${ofSubtype}`))
}

function normal(type: string): string {
  const [name = '', ...parameters] = type.split(';').map((part) => part.trim().toLowerCase())
  return [name, ...parameters.sort()].join(';')
}

/** Whether bodies of a media type are JSON (RFC 6839 section 3.1, RFC 8259 section 11). Bodies of a range may be. */
export function isJson(type: string): boolean {
  return /^[^;]*([/+]json|\*)\s*(;|$)/i.test(type)
}
