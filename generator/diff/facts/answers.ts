import type { Json } from '../../load/document.js'
import { type MediaType, mediaTypesOf } from '../../model/content.js'
import { type Cursor, member } from '../../model/cursor.js'
import type { Level } from '../change.js'
import { judge } from '../decide/judgement.js'
import { variantOf } from '../schema/subject.js'
import { namesOf } from '../schema/within.js'
import { entriesOf, memberOf, type Side } from '../side.js'
import { headerFacts } from './headers.js'
import { isJson, isProblem, mediaPairs, nameChange } from './media.js'
import { compareSchemas, type OperationPair, only, presence, report } from './pair.js'
import { pieceFacts } from './pieces.js'

/** Answers by status: which there are, their headers, media types, schemas and links. */
export function answerFacts(pair: OperationPair): void {
  const olds = entriesOf(pair.old, pair.before.operation, 'responses')
  const news = entriesOf(pair.new, pair.after.operation, 'responses')
  for (const [status, cursor] of olds) {
    if (news.has(status)) continue
    const other = coveringOf(status, news)
    const isNarrowed = [...news.keys()].some((one) => !olds.has(one) && coveringOf(one, olds) === cursor)
    existence(pair, status, 'removed', { old: cursor }, other || isNarrowed ? 'compatible' : undefined)
    if (other !== undefined) described(pair, status, news, cursor, other)
  }
  for (const [status, cursor] of news) {
    if (olds.has(status)) continue
    const other = coveringOf(status, olds)
    existence(pair, status, 'added', { new: cursor })
    if (other !== undefined) described(pair, status, olds, other, cursor)
    if (isSuccess(status)) resultsOf(pair, status, cursor, olds)
  }
  const results = resultsTogether(pair, olds, news)
  const successes = new Set([...olds.keys(), ...news.keys()].filter(isSuccess))
  for (const [status, a] of olds) {
    const b = news.get(status)
    if (b === undefined) continue
    headerFacts(pair, status, a, b)
    const isOnly = successes.size === (isSuccess(status) ? 1 : 0)
    if (!isSuccess(status)) contents(pair, status, { isOnly }, a, b)
    else contents(results === 'same' ? only(pair, 'rest') : pair, status, { isOnly, results }, a, b)
    if (isSuccess(status)) {
      emptiness(pair, status, a, b)
      const before = entriesOf(pair.old, a, 'content')
      const { added } = mediaPairs(before, entriesOf(pair.new, b, 'content'))
      if (before.size > 0) newMediaResults(pair, status, b, added, olds)
    }
    links(pair, status, a, b)
  }
}

type Results = 'same' | 'known' | undefined

/**
 * Whether the successes have among them the results that they had, or no others than callers know: JSON-RPC has no statuses to
 * tell them by.
 */
function resultsTogether(
  pair: OperationPair,
  olds: ReadonlyMap<string, Cursor>,
  news: ReadonlyMap<string, Cursor>,
): Results {
  const [before, after] = [knownResults(pair.old, olds), knownResults(pair.new, news)]
  if (before.length < 2 || after.length === 0) return undefined
  const { judgement, sameness } = pair.tools.reach.graph
  const [old, fresh] = [oneOfThem(before), oneOfThem(after)]
  if (after.length > 1 && (sameness.of(old, fresh) || judgement.areOne('response', fresh, old))) return 'same'
  return judgement.isContained('response', fresh, old) ? 'known' : undefined
}

/** An answer that had no content and gets one, or the reverse: over JSON-RPC its result was null, or becomes it. */
function emptiness(pair: OperationPair, status: string, old: Cursor, fresh: Cursor): void {
  const isEmpty = (side: Side, cursor: Cursor): boolean => entriesOf(side, cursor, 'content').size === 0
  const [was, is] = [isEmpty(pair.old, old), isEmpty(pair.new, fresh)]
  if (was === is) return
  const [before, after] = [resultSchemas(pair.old, old), resultSchemas(pair.new, fresh)]
  if (before.length === 0 || after.length === 0) return
  const how = was ? 'added' : 'removed'
  report(pair, {
    ...judge(pair.tools.reach.graph.judgement.passes('response', { anyOf: after }, { anyOf: before })),
    id: `response-body-media-type-schema-${how}`,
    message: was
      ? `the result of the answer ${status} is no longer null`
      : `the result of the answer ${status} is null`,
    ...{ old, new: fresh, values: [status], protocols: ['jsonrpc'] },
  })
}

/**
 * What describes a status that has no entry of its own: its range, else what is said of all others (OpenAPI 3.1.1 section
 * 4.8.16), which are failures where some success has an entry.
 */
function coveringOf(status: string, answers: ReadonlyMap<string, Cursor>): Cursor | undefined {
  if (status === 'default') return undefined
  const range = `${status[0]}XX`
  const found =
    status.toUpperCase() === range ? undefined : (answers.get(range) ?? answers.get(range.toLowerCase()))
  const isStated = isSuccess(status) && [...answers.keys()].some(isSuccess)
  return found ?? (isStated ? undefined : answers.get('default'))
}

/**
 * What differs where a status has an entry of its own in one version, and one for several, among `answers`, in the other.
 * JSON-RPC has the results of all successes, apart from a range that stands for all of them.
 */
function described(
  pair: OperationPair,
  status: string,
  answers: ReadonlyMap<string, Cursor>,
  old: Cursor,
  fresh: Cursor,
): void {
  headerFacts(pair, status, old, fresh)
  const isOneOfSeveral = isSuccess(status) && [...answers.keys()].some(isSuccess)
  contents(isOneOfSeveral ? only(pair, 'rest') : pair, status, { isOnly: false }, old, fresh)
}

function isSuccess(status: string): boolean {
  return status.startsWith('2')
}

type Ends = { readonly old?: Cursor; readonly new?: Cursor }

function existence(pair: OperationPair, status: string, how: string, ends: Ends, level?: Level): void {
  const id = `response-${isSuccess(status) ? 'success' : 'non-success'}-status-${how}`
  const message = `the answer ${status} was ${how}`
  report(pair, { ...ends, id, message, values: [status], protocols: ['rest'], ...(level && { level }) })
}

/** JSON-RPC has results without a status: what comes with a new one has to be what callers know. */
function resultsOf(
  pair: OperationPair,
  status: string,
  fresh: Cursor,
  olds: ReadonlyMap<string, Cursor>,
): void {
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
    message: `a result of the answer ${status} is none that callers know`,
    new: fresh,
    values: [status],
    protocols: ['jsonrpc'],
  })
}

/** Schemas of what an answer gives as a result; null where it has no content. */
function resultSchemas(side: Side, answer: Cursor): Json[] {
  if (entriesOf(side, answer, 'content').size === 0) return [{ type: 'null' }]
  return mediaTypesOf(side.document, answer).map(resultSchema)
}

/** JSON-RPC has every content as JSON: text as a string, a file as base64. */
function resultSchema({ kind, schema }: MediaType): Json {
  if (kind === 'json') return schema?.value ?? true
  return kind === 'binary' ? { type: 'string', format: 'byte' } : { type: 'string' }
}

/** What comes in a media type that is new: over JSON-RPC it has to be a result that callers know. */
function newMediaResults(
  pair: OperationPair,
  status: string,
  fresh: Cursor,
  added: ReadonlyMap<string, Cursor>,
  olds: ReadonlyMap<string, Cursor>,
): void {
  const known = knownResults(pair.old, olds)
  if (known.length === 0) return
  const { judgement } = pair.tools.reach.graph
  for (const media of mediaTypesOf(pair.new.document, fresh)) {
    const cursor = added.get(media.name)
    if (cursor === undefined) continue
    const judged = judge(judgement.passes('response', resultSchema(media), oneOfThem(known)))
    if (judged.level === 'compatible') continue
    const message = `the result that the answer ${status} gives as ${media.name} is none that callers know`
    const values = [status, media.name]
    const told = { id: 'response-media-type-added', message, new: cursor, values }
    report(pair, { ...judged, ...told, protocols: ['jsonrpc'] })
  }
}

/** Schemas of the results of all successes. */
function knownResults(side: Side, answers: ReadonlyMap<string, Cursor>): Json[] {
  return [...answers].flatMap(([status, cursor]) => (isSuccess(status) ? resultSchemas(side, cursor) : []))
}

function oneOfThem(schemas: readonly Json[]): Json {
  const [one] = schemas
  return schemas.length === 1 && one !== undefined ? one : { anyOf: schemas }
}

interface Among {
  /** Whether no other answer is a result of the operation. */
  readonly isOnly: boolean
  /** Of all successes. */
  readonly results?: Results
}

function contents(
  pair: OperationPair,
  status: string,
  { isOnly, results }: Among,
  old: Cursor,
  fresh: Cursor,
): void {
  const { pairs, removed, added } = mediaPairs(
    entriesOf(pair.old, old, 'content'),
    entriesOf(pair.new, fresh, 'content'),
  )
  const media = (how: string, type: string, ends: Ends): void => {
    const message = `the media type ${type} of the answer ${status} was ${how}`
    const values = [status, type]
    report(pair, { ...ends, id: `response-media-type-${how}`, message, values, protocols: ['rest'] })
  }
  for (const [type, cursor] of removed) media('removed', type, { old: cursor })
  for (const [type, cursor] of added) media('added', type, { new: cursor })
  if (isSuccess(status)) formats(pair, status, [old, removed], [fresh, added])
  for (const { was, type, a, b } of pairs) {
    const how = nameChange(was, type)
    const message = `the media type of the answer ${status} is ${type} instead of ${was}`
    const id = `response-media-type-name-${how}`
    const values = [status, was, type]
    if (how !== undefined) report(pair, { id, message, old: a, new: b, values, protocols: ['rest'] })
    schemas(pair, { status, was, type, isOnly: isOnly && pairs.length === 1, results }, a, b)
  }
}

/** What comes as a text or as base64 over JSON-RPC, too, where another media type takes the place of the one that it had. */
function formats(pair: OperationPair, status: string, [old, removed]: Media, [fresh, added]: Media): void {
  const olds = mediaTypesOf(pair.old.document, old).filter(({ kind }) => kind !== 'json')
  const news = mediaTypesOf(pair.new.document, fresh).filter(({ kind }) => kind !== 'json')
  for (const was of olds) {
    const others = news.filter(({ kind }) => (kind === 'binary') === (was.kind === 'binary'))
    const is = others.find(({ name }) => added.has(name))
    if (!removed.has(was.name) || is === undefined || others.some(({ name }) => !added.has(name))) continue
    const isStream = [was, is].some(({ kind }) => kind === 'lines' || kind === 'events')
    report(pair, {
      id: 'response-media-type-removed',
      level: isStream ? 'breaking' : 'dangerous',
      message: `over JSON-RPC the result of the answer ${status} is written as ${is.name} instead of ${was.name}`,
      ...{ old: was.cursor, new: is.cursor, values: [status, was.name], protocols: ['jsonrpc'] },
    })
  }
}

type Media = readonly [answer: Cursor, changed: ReadonlyMap<string, Cursor>]

function schemas(
  pair: OperationPair,
  { status, was, type, isOnly, results }: Among & { status: string; was: string; type: string },
  old: Cursor,
  fresh: Cursor,
): void {
  const [a, b] = [member(old, 'schema'), member(fresh, 'schema')]
  const title = `the answer ${status}`
  // A problem is `error.data` over JSON-RPC, which has no other body of a failure.
  const isOfBoth = isSuccess(status) || [was, type].every(isProblem)
  const only = isOfBoth ? {} : { protocols: ['rest'] as const }
  const [isLoose, variant] = [!isJson(type), variantOf(was, status)]
  const subject = {
    direction: 'response',
    holder: 'body',
    title,
    path: '',
    variant,
    isLoose,
    ...(results === 'known' && { isKnownToRpc: true }),
    ...only,
  } as const
  pieceFacts(pair, { ...subject, sent: { status, type } }, type, old, fresh)
  if (a !== undefined && b !== undefined) {
    compareSchemas(pair, { ...subject, ...(!isOnly && { sent: { status, type } }) }, a, b)
    return
  }
  const judged = presence(pair, subject, a, b)
  if (judged === undefined) return
  const how = a === undefined ? 'added' : 'removed'
  const id = `response-body-media-type-schema-${how}`
  const message = `the schema of ${title} (${type}) was ${how}`
  report(pair, { ...judged, id, message, old, new: fresh, values: [status, type], ...only })
}

/** What may be called next with what the answer gives: nothing of it is sent. */
function links(pair: OperationPair, status: string, old: Cursor, fresh: Cursor): void {
  const [olds, news] = [memberOf(pair.old, old, 'links'), memberOf(pair.new, fresh, 'links')]
  const [before, after] = [entriesOf(pair.old, old, 'links'), entriesOf(pair.new, fresh, 'links')]
  for (const name of namesOf(olds?.value, news?.value)) {
    const [a, b] = [before.get(name), after.get(name)]
    const how = a === undefined ? 'added' : b === undefined ? 'removed' : undefined
    if (how === undefined) continue
    const message = `the link ${name} of the answer ${status} was ${how}`
    const values = [status, name]
    report(pair, { id: `response-link-${how}`, message, old: a, new: b, values, protocols: ['rest'] })
  }
}
