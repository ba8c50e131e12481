import type { Cursor } from '../../../document/cursor.js'
import { type MediaType, mediaTypesOf } from '../../../model/content/content.js'
import { whereResults } from '../../change/protocol.js'
import type { Side } from '../../change/side.js'
import { isBad, judge } from '../../decide/judgement.js'
import { takes } from '../parts/media.js'
import { type OperationPair, report } from '../parts/pair.js'

// What callers notice of the media types of a response, besides their schemas.

/** The media type that texts have now, if only JSON carried them in the old version. */
export function textsOf(pair: OperationPair, old: Cursor, fresh: Cursor): MediaType | undefined {
  const after = mediaTypesOf(pair.new.document, fresh).find(({ kind }) => kind === 'text')
  if (after === undefined) return undefined
  const before = mediaTypesOf(pair.old.document, old)
  const json = before.find(({ kind }) => kind === 'json')
  if (json === undefined || before.some(({ kind }) => kind === 'text')) return undefined
  const texts = { allOf: [json.schema?.value ?? true, { type: 'string' }] }
  const { judgement } = pair.tools.reach.graph
  return isBad(judge(judgement.passes('response', texts, { not: {} }))) ? after : undefined
}

/**
 * What callers notice of another JSON media type. A service writes one of them: either all JSON has the new type, or
 * responses with the new type have the known one. Undefined if nothing changes.
 */
export function otherJson(
  pair: OperationPair,
  status: string,
  type: string,
  old: Cursor,
  fresh: Cursor,
): string | undefined {
  const jsonOf = ({ document }: Side, answer: Cursor): MediaType[] =>
    mediaTypesOf(document, answer).filter(({ kind }) => kind === 'json')
  const [olds, news] = [jsonOf(pair.old, old), jsonOf(pair.new, fresh)]
  const [was, is] = [olds, news].map(
    (all) => (all.find(({ type }) => type === 'application/json') ?? all[0])?.name,
  )
  const added = news.find(({ name }) => name === type)
  if (was === undefined || is === undefined || added === undefined) return undefined
  if (is === type) return `JSON of the response ${status} is written as ${type} now instead of ${was}`
  const known = { anyOf: olds.map(({ schema }) => schema?.value ?? true) }
  const { judgement } = pair.tools.reach.graph
  if (!isBad(judge(judgement.passes('response', added.schema?.value ?? true, known)))) return undefined
  return `callers know no value of the response ${status} as ${is}, which replaces ${type}`
}

/** What callers notice of a file under a media range that had JSON or text until now, or the reverse. */
export function otherOfRange(
  pair: OperationPair,
  status: string,
  type: string,
  old: Cursor,
  fresh: Cursor,
): string | undefined {
  const range = mediaTypesOf(pair.old.document, old).find(({ name }) => takes(name, type))?.name
  if (range === undefined || !isOtherKind(pair, [old, range], [fresh, type])) return undefined
  return `${type} of the response ${status} is no longer what ${range} has`
}

export function isOtherKind(pair: OperationPair, [old, was]: Named, [fresh, type]: Named): boolean {
  return kindOf(pair.old, old, was) !== kindOf(pair.new, fresh, type)
}

/**
 * Reports another media type for a text or a file. JSON-RPC carries both as strings, so its callers get the new format
 * as well.
 */
export function formats(
  pair: OperationPair,
  status: string,
  [old, removed]: Media,
  [fresh, added]: Media,
): void {
  const olds = mediaTypesOf(pair.old.document, old).filter(({ kind }) => kind !== 'json')
  const news = mediaTypesOf(pair.new.document, fresh).filter(({ kind }) => kind !== 'json')
  for (const was of olds) {
    const others = news.filter(({ kind }) => (kind === 'binary') === (was.kind === 'binary'))
    const is = others.find(({ name }) => added.has(name))
    if (!removed.has(was.name) || is === undefined || others.some(({ name }) => !added.has(name))) continue
    if (areSameLines(was, is)) continue
    const isStream = [was, is].some(({ kind }) => kind === 'lines' || kind === 'events')
    report(pair, {
      id: 'response-media-type-removed',
      level: isStream ? 'breaking' : 'dangerous',
      message: `over JSON-RPC the result of the response ${status} is written as ${is.name} instead of ${was.name}`,
      ...{ old: was.cursor, new: is.cursor, values: [status, was.name], protocols: whereResults },
    })
  }
}

/** Whether both are lines of JSON. Only those of a JSON text sequence (RFC 7464) begin with a record separator. */
function areSameLines(was: MediaType, is: MediaType): boolean {
  const [separated, isSeparated] = [was, is].map(({ type }) => type === 'application/json-seq')
  return was.kind === 'lines' && is.kind === 'lines' && separated === isSeparated
}

type Media = readonly [answer: Cursor, changed: ReadonlyMap<string, Cursor>]

type Named = readonly [answer: Cursor, name: string]

function kindOf({ document }: Side, answer: Cursor, name: string): string | undefined {
  return mediaTypesOf(document, answer).find((media) => media.name === name)?.kind
}
