import { binarySchema } from '../../model/content/binary.js'
import type { Change } from '../change/change.js'
import { among, whereTexts } from '../change/protocol.js'
import { causedAt } from './calls/causes.js'
import type { Pair } from './calls/pair.js'
import type { Showing } from './calls/shown-by.js'

/**
 * Shows a JSON-RPC result that is not base64, where the old version sends all results as base64: its bytes, and texts
 * next to them. Undefined if the new version may send bytes, too.
 */
export function textForBytes({ protocols }: Change, pair: Pair): Showing | undefined {
  const { before, after } = pair
  const [files = [], others = []] = [before, after].map(({ rest: { answers } }) =>
    answers?.filter(({ kind }) => kind === 'binary'),
  )
  if (among(protocols, whereTexts) || files.length === 0 || others.length > 0) return undefined
  const named = { name: `${before.name}${asBytes}`, member: `${before.member}${asBytes}` }
  const read = { ...before, ...named, result: binarySchema, rest: { ...before.rest, answers: files } }
  return { pair: { ...pair, before: read }, way: [], conditions: [noBase64, true], cause: causedAt([]) }
}

/** Texts that are not base64. */
export const noBase64 = { type: 'string', pattern: '[^A-Za-z0-9+/=_\\s-]' }

/** A name that no document has. */
const asBytes = ' as bytes'
