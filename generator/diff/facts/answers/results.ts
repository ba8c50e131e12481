import type { Cursor } from '../../../document/cursor.js'
import type { Json } from '../../../document/document.js'
import { own } from '../../../document/json.js'
import { type MediaType, mediaTypesOf } from '../../../model/content/content.js'
import type { ChangeId } from '../../change/catalogue.js'
import type { Finding } from '../../change/collector.js'
import { whereResults, whereStatuses } from '../../change/protocol.js'
import { asObject, entriesOf, type Side } from '../../change/side.js'
import { judge } from '../../decide/judgement.js'
import { resolve } from '../../same/same.js'
import { mediaPairs } from '../parts/media.js'
import { type OperationPair, report } from '../parts/pair.js'
import { coveringOf, isSuccess, type Responses } from './statuses.js'

// JSON-RPC results have neither status nor media type, so the results of all successes are compared together.

export type Results = 'same' | 'known' | undefined

/**
 * Whether all successes together have the same results as before, or only results that callers know. JSON-RPC has no
 * statuses to distinguish them.
 */
export function resultsTogether(pair: OperationPair, olds: Responses, news: Responses): Results {
  const [before, after] = [knownResults(pair.old, olds), knownResults(pair.new, news)]
  if (before.length < 2 || after.length === 0) return undefined
  const { judgement, sameness } = pair.tools.reach.graph
  const [old, fresh] = [oneOfThem(before), oneOfThem(after)]
  if (after.length > 1 && (sameness.of(old, fresh) || judgement.areOne('response', fresh, old))) return 'same'
  return judgement.isContained('response', fresh, old) ? 'known' : undefined
}

/** Reports a response that gains or loses its content: over JSON-RPC its result was null, or becomes null. */
export function emptiness(pair: OperationPair, status: string, old: Cursor, fresh: Cursor): void {
  const isEmpty = (side: Side, cursor: Cursor): boolean => entriesOf(side, cursor, 'content').size === 0
  const [was, is] = [isEmpty(pair.old, old), isEmpty(pair.new, fresh)]
  if (was === is) return
  const [before, after] = [resultSchemas(pair.old, old), resultSchemas(pair.new, fresh)]
  if (before.length === 0 || after.length === 0) return
  const { judgement } = pair.tools.reach.graph
  const [results, known] = [{ anyOf: after }, { anyOf: before }]
  // JSON may be null as well.
  if (judgement.areOne('response', results, known)) return
  const how = was ? 'added' : 'removed'
  report(pair, {
    ...judge(judgement.passes('response', results, known)),
    id: `response-body-media-type-schema-${how}`,
    message: was
      ? `the result of the response ${status} is no longer null`
      : `the result of the response ${status} is null`,
    ...{ old, new: fresh, values: [status], protocols: whereResults },
  })
}

/**
 * The media type in which callers get null now, if they got a status without content before and know no such type of the
 * statuses that stay.
 */
export function typeOfEmpty(
  pair: OperationPair,
  removed: Cursor,
  olds: Responses,
  news: Responses,
): string | undefined {
  if (entriesOf(pair.old, removed, 'content').size > 0) return undefined
  const { judgement } = pair.tools.reach.graph
  for (const [status, fresh] of news) {
    const old = olds.get(status)
    if (old === undefined || !isSuccess(status, news)) continue
    const { added } = mediaPairs(entriesOf(pair.old, old, 'content'), entriesOf(pair.new, fresh, 'content'))
    const holdsNull = ({ kind, name, schema }: MediaType): boolean =>
      kind === 'json' &&
      added.has(name) &&
      judgement.isContained('response back', { type: 'null' }, schema?.value ?? true)
    const found = mediaTypesOf(pair.new.document, fresh).find(holdsNull)
    if (found !== undefined) return found.name
  }
  return undefined
}

/** JSON-RPC results have no status, so callers must know the results of a new one. */
export function resultsOf(pair: OperationPair, status: string, fresh: Cursor, olds: Responses): void {
  const known = knownResults(pair.old, olds)
  const found = resultSchemas(pair.new, fresh)
  if (known.length === 0 || found.length === 0) return
  const { judgement } = pair.tools.reach.graph
  const verdict = judgement.passes('response', oneOfThem(found), oneOfThem(known))
  const judged = judge(verdict)
  if (judged.level === 'compatible') return
  report(pair, {
    ...judged,
    id: 'response-success-status-added',
    message: `callers do not know a result of the response ${status}`,
    new: fresh,
    values: [status],
    protocols: whereResults,
  })
}

/** The schemas of a response's results. Without content the result is null. */
function resultSchemas(side: Side, answer: Cursor): Json[] {
  if (entriesOf(side, answer, 'content').size === 0) return [{ type: 'null' }]
  return mediaTypesOf(side.document, answer).map((media) => resultSchema(side, media))
}

/**
 * JSON-RPC carries all content as JSON: text as a string, a file as base64. A JSON string may also be marked as base64.
 */
function resultSchema(side: Side, { kind, schema }: MediaType): Json {
  if (kind !== 'json') return kind === 'binary' ? { type: 'string', format: 'byte' } : { type: 'string' }
  const value = schema?.value ?? true
  const isBase64 = own(asObject(resolve(side, value)), 'contentEncoding') === 'base64'
  return isBase64 ? { allOf: [value, { format: 'byte' }] } : value
}

/** Callers over JSON-RPC must know the results of a new media type. */
export function newMediaResults(
  pair: OperationPair,
  status: string,
  fresh: Cursor,
  added: ReadonlyMap<string, Cursor>,
  olds: Responses,
): void {
  const known = knownResults(pair.old, olds)
  if (known.length === 0) return
  const { judgement } = pair.tools.reach.graph
  for (const media of mediaTypesOf(pair.new.document, fresh)) {
    const cursor = added.get(media.name)
    if (cursor === undefined) continue
    const judged = judge(judgement.passes('response', resultSchema(pair.new, media), oneOfThem(known)))
    if (judged.level === 'compatible') continue
    const message = `callers do not know the result that the response ${status} gives as ${media.name}`
    const values = [status, media.name]
    const finding = { id: 'response-media-type-added', message, new: cursor, values } as const
    report(pair, { ...judged, ...finding, protocols: whereResults })
  }
}

/**
 * Reports results that callers over JSON-RPC no longer get because a status or media type was removed. If others
 * replace them, those break.
 */
export function lostResults(pair: OperationPair, olds: Responses, news: Responses): void {
  const { judgement } = pair.tools.reach.graph
  const [before, after] = [knownResults(pair.old, olds), knownResults(pair.new, news)]
  if (after.length === 0) {
    nothingLeft(pair, olds, before, news)
    return
  }
  // `default` describes successes only if no other response does.
  const left = news.get('default')
  if (left !== undefined && isSuccess('default', news) && olds.has('default') && !isSuccess('default', olds))
    resultsOf(pair, 'default', left, olds)
  // Bytes in place of texts are reported by `carrierFacts`.
  if (before.some(isBytes) !== after.some(isBytes)) return
  const say = (results: readonly Json[], id: ChangeId, title: string, finding: Partial<Finding>): void => {
    if (judgement.isContained('response back', oneOfThem(results), oneOfThem(after))) return
    if (!judgement.isContained('response', oneOfThem(after), oneOfThem(before))) return
    const message = `some results of ${title} are no longer given`
    report(pair, { ...finding, id, message, level: 'compatible', protocols: whereResults })
  }
  for (const [status, old] of olds) {
    if (!isSuccess(status, olds)) continue
    const fresh = news.get(status) ?? coveringOf(status, news)
    const title = `the response ${status}`
    if (fresh === undefined) {
      say(resultSchemas(pair.old, old), 'response-success-status-removed', title, { old, values: [status] })
      continue
    }
    const { removed } = mediaPairs(entriesOf(pair.old, old, 'content'), entriesOf(pair.new, fresh, 'content'))
    for (const media of mediaTypesOf(pair.old.document, old)) {
      const { cursor, name } = media
      if (!removed.has(name)) continue
      const ends = { old: cursor, new: fresh, values: [status, name] }
      say([resultSchema(pair.old, media)], 'response-media-type-removed', `${title} as ${name}`, ends)
    }
  }
}

/** Reports a document that no longer describes a success: the result is null. */
function nothingLeft(pair: OperationPair, olds: Responses, before: readonly Json[], news: Responses): void {
  const [status, old] = [...olds].find(([one]) => isSuccess(one, olds)) ?? []
  if (status === undefined) return
  const { judgement } = pair.tools.reach.graph
  const judged = judge(judgement.passes('response', { type: 'null' }, oneOfThem(before)))
  if (judged.level === 'compatible') return
  const message = `the result is null, since no success is described any more`
  const finding = { id: 'response-success-status-removed', message, old, values: [status] } as const
  report(pair, { ...judged, ...finding, protocols: whereResults })
  const fresh = news.get(status)
  // A removed status is reported separately.
  if (fresh === undefined) return
  report(pair, {
    ...{ ...finding, new: fresh, level: 'dangerous', protocols: whereStatuses },
    message: `a Duet service answers without content now, since ${status} only describes failures`,
  })
}

/** The schemas of the results of all successes. */
function knownResults(side: Side, answers: Responses): Json[] {
  return [...answers].flatMap(([status, cursor]) =>
    isSuccess(status, answers) ? resultSchemas(side, cursor) : [],
  )
}

function isBytes(result: Json): boolean {
  return own(asObject(result), 'format') === 'byte'
}

function oneOfThem(schemas: readonly Json[]): Json {
  const [one] = schemas
  return schemas.length === 1 && one !== undefined ? one : { anyOf: schemas }
}
