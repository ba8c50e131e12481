import type { Protocol } from 'duet-runtime'
import { objectOf } from '../../../document/cursor.js'
import type { Json } from '../../../document/document.js'
import { isArray, isObject, own } from '../../../document/json.js'
import type { Operation } from '../../../model/model.js'
import { fingerprint } from '../../../schema/canonical.js'
import { entryOf } from '../../change/catalogue.js'
import type { Change } from '../../change/change.js'
import { placeAmong, type Way, wayOf } from '../../change/place.js'
import { whereTexts } from '../../change/protocol.js'
import { asTexts } from '../../texts/as-texts.js'
import { shortly } from '../../texts/shortly.js'

/** The path of a changed value in the params that the handlers of each version receive. */
export interface Arrival {
  readonly before: Way
  readonly after: Way
}

/** Undefined if handlers receive no value for a change, or if it is not known to break. */
export function arrivalOf(change: Change, way: Way, after: Operation): Arrival | undefined {
  const { id, level, direction, path } = change
  if (level !== 'breaking' || direction !== 'request' || way.includes('-') || way.includes('*'))
    return undefined
  const isParameter = entryOf(id).holder === 'parameter' || id === 'rpc-param-name-changed'
  return { before: way, after: isParameter ? wayOf(path) : placeAmong(change, after) }
}

/**
 * What the new version's handler receives from a call that both versions accept. Undefined if the old version's handler
 * receives the same. REST carries texts, so over REST a value of another type with the same text is the same.
 */
export function arrivesOtherwise(
  { before, after }: Arrival,
  protocol: Protocol,
  [old, fresh]: readonly [unknown, unknown],
): string | undefined {
  const [was, is] = [at(old, before), at(fresh, after)]
  if (was === undefined) return undefined
  const carried = (value: Json): string => fingerprint(whereTexts.includes(protocol) ? asTexts(value) : value)
  if (is !== undefined && carried(was) === carried(is)) return undefined
  const place = after.length === 0 ? 'it' : `/${after.join('/')}`
  if (is === undefined) return `accepts, but ${place} does not arrive`
  return `accepts, but ${place} arrives as ${shortly(is)}, which was ${shortly(was)}`
}

function at(params: unknown, way: Way): Json | undefined {
  let found: Json | undefined = plain(params)
  for (const name of way) found = isObject(found) ? own(found, name) : undefined
  return found
}

/** A value as JSON, with a description in place of a file. */
function plain(value: unknown): Json {
  if (value instanceof Blob) return `<a file of ${value.size} bytes>`
  if (isArray(value)) return value.map(plain)
  if (isObject(value)) return objectOf(Object.entries(value).map(([name, member]) => [name, plain(member)]))
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}
