import { type Cursor, member } from '../../../document/cursor.js'
import { carriesBytes } from '../../../model/content/content.js'
import { fingerprint } from '../../../schema/canonical.js'
import type { Finding } from '../../change/collector.js'
import type { Level } from '../../change/level.js'
import { whereStatuses } from '../../change/protocol.js'
import { asObject, type Endpoint, entriesOf, memberOf, type Side } from '../../change/side.js'
import { variantOf } from '../../change/subject.js'
import { namesOf } from '../../same/within.js'
import { compareFiles } from '../parts/files.js'
import { isJson, isRange, type MediaPair, mediaPairs, nameChange, takes } from '../parts/media.js'
import { compareSchemas, type OperationPair, only, presence, report } from '../parts/pair.js'
import { isWrittenAsText, pieceFacts, streamOfBoth } from '../parts/pieces.js'
import { xmlFacts } from '../parts/xml.js'
import { encodingFacts, isEncodedForm, positionFacts } from '../request/encoding.js'
import { Form } from '../request/form.js'
import { partFacts } from '../request/part-headers.js'
import { headerFacts } from './headers.js'
import { formats, isOtherKind, otherJson, otherOfRange, textsOf } from './media-types.js'
import {
  emptiness,
  lostResults,
  newMediaResults,
  type Results,
  resultsOf,
  resultsTogether,
  typeOfEmpty,
} from './results.js'
import { answersOf, areKnown, coveringOf, isSuccess, type Responses } from './statuses.js'

/** Compares the responses of an operation by status: which there are, their headers, media types, schemas and links. */
export function answerFacts(pair: OperationPair): void {
  const olds = answersOf(pair.old, pair.before.operation)
  const news = answersOf(pair.new, pair.after.operation)
  for (const [status, cursor] of olds) {
    if (news.has(status)) continue
    const other = coveringOf(status, news)
    const isResult = isSuccess(status, olds)
    const isNarrowed = [...news.keys()].some(
      (one) => !olds.has(one) && coveringOf(one, olds) === cursor && (!isResult || isSuccess(one, news)),
    )
    const [was, is] = [pair.before, pair.after].map(({ modelled }) => modelled?.rest.status)
    const isFewer = isResult && was === is && status !== String(was) && areKnown(news, olds)
    const level = other || isNarrowed || isFewer ? 'compatible' : undefined
    const elsewhere = level === 'compatible' && isFewer ? typeOfEmpty(pair, cursor, olds, news) : undefined
    existence(pair, status, 'removed', isResult, { old: cursor }, elsewhere ? 'dangerous' : level, elsewhere)
    if (other !== undefined) described(pair, status, news, cursor, other)
  }
  for (const [status, cursor] of news) {
    if (olds.has(status)) continue
    const other = coveringOf(status, olds)
    existence(pair, status, 'added', isSuccess(status, news), { new: cursor })
    if (other !== undefined) described(pair, status, olds, other, cursor)
    if (isSuccess(status, news)) resultsOf(pair, status, cursor, olds)
  }
  usualStatus(pair, olds, news)
  emptyStatus(pair, olds, news)
  const results = resultsTogether(pair, olds, news)
  const successesOf = (answers: Responses): string[] =>
    [...answers.keys()].filter((status) => isSuccess(status, answers))
  const [before, after] = [successesOf(olds), successesOf(news)]
  const successes = new Set([...before, ...after])
  for (const [status, a] of olds) {
    const b = news.get(status)
    if (b === undefined) continue
    headerFacts(pair, status, a, b)
    const isResult = before.includes(status) && after.includes(status)
    const isOnly = successes.size === (isResult ? 1 : 0)
    const among: Among = { isOnly, isResult, ...(isResult && { results }) }
    contents(pair, status, among, a, b)
    if (isResult) {
      emptiness(pair, status, a, b)
      const known = entriesOf(pair.old, a, 'content')
      const { added, pairs } = mediaPairs(known, entriesOf(pair.new, b, 'content'))
      const others = pairs.filter(
        (one) => isUnseen(pair, one) && isOtherKind(pair, [a, one.was], [b, one.type]),
      )
      const unknown = new Map([...added, ...others.map((one) => [one.type, one.b] as const)])
      if (known.size > 0) newMediaResults(pair, status, b, unknown, olds)
    }
    links(pair, status, a, b)
  }
  lostResults(pair, olds, news)
}

/**
 * Compares a status that has an entry of its own in one version, and in the other an entry for several statuses.
 * `answers`: the responses of that other version. JSON-RPC compares the results of all successes together, so that one
 * of several successes is compared over REST only.
 */
function described(
  pair: OperationPair,
  status: string,
  answers: Responses,
  old: Cursor,
  fresh: Cursor,
): void {
  headerFacts(pair, status, old, fresh)
  const isOf = (one: string): boolean => isSuccess(one, answers)
  const isOneOfSeveral = isOf(status) && [...answers.keys()].some(isOf)
  const among: Among = { isOnly: false, isResult: isOf(status) }
  contents(isOneOfSeveral ? only(pair, whereStatuses) : pair, status, among, old, fresh)
}

/** Callers knew one status until now. They get the other one unless a handler chooses. */
function usualStatus(pair: OperationPair, olds: Responses, news: Responses): void {
  const [was, is] = [pair.before, pair.after].map(({ modelled }) => modelled?.rest.status)
  // A removed status is reported separately.
  const entryOf = (code: number | undefined, answers: Responses): Cursor | undefined =>
    answers.get(String(code)) ?? coveringOf(String(code), answers)
  const isKept = [olds, news].every((answers) => entryOf(was, answers) !== undefined)
  const cursor = entryOf(is, news)
  if (was === is || cursor === undefined || !isKept) return
  report(pair, {
    id: 'response-success-status-added',
    level: 'dangerous',
    message: `a Duet service answers with ${is} now, and with ${was} only where a handler chooses it`,
    ...{ new: cursor, values: [was, is], protocols: whereStatuses },
  })
}

/** Callers got null as a status without content until now. They get it as a media type that this status never had. */
function emptyStatus(pair: OperationPair, olds: Responses, news: Responses): void {
  const status = String(pair.before.modelled?.rest.emptyStatus)
  const old = olds.get(status)
  const fresh = news.get(status)
  // A removed status is reported separately.
  if (old === undefined || fresh === undefined) return
  const type = typeOfEmpty(pair, old, olds, news)
  if (type === undefined) return
  report(pair, {
    id: 'response-media-type-added',
    level: 'dangerous',
    message: `a Duet service writes null as ${type} now, and no longer as ${status} without content`,
    ...{ old, new: fresh, values: [status, type], protocols: whereStatuses },
  })
}

type Ends = { readonly old?: Cursor; readonly new?: Cursor }

function existence(
  pair: OperationPair,
  status: string,
  how: 'added' | 'removed',
  isResult: boolean,
  ends: Ends,
  level?: Level,
  elsewhere?: string,
): void {
  // `default` only counts as a success if it is removed and nothing else describes those statuses.
  const isOwn = status !== 'default' || (how === 'removed' && level === undefined)
  const kind = isResult && isOwn ? 'success' : 'non-success'
  const id = `response-${kind}-status-${how}` as const
  const note = elsewhere === undefined ? '' : `, and a Duet service writes null as ${elsewhere} now`
  const message = `the response ${status} was ${how}${note}`
  report(pair, { ...ends, id, message, values: [status], protocols: whereStatuses, ...(level && { level }) })
}

interface Among {
  /** Whether no other response is a result of the operation. */
  readonly isOnly: boolean
  /** Whether it is a success of the operation. */
  readonly isResult: boolean
  /** For all successes together. */
  readonly results?: Results
}

function contents(
  both: OperationPair,
  status: string,
  { isOnly, isResult, results }: Among,
  old: Cursor,
  fresh: Cursor,
): void {
  const pair = isResult && results === 'same' ? only(both, whereStatuses) : both
  const { pairs, removed, added } = mediaPairs(
    entriesOf(pair.old, old, 'content'),
    entriesOf(pair.new, fresh, 'content'),
  )
  const media = (how: 'added' | 'removed', type: string, ends: Ends, more: Partial<Finding> = {}): void => {
    const message = `the media type ${type} of the response ${status} was ${how}`
    const values = [status, type]
    const id = `response-media-type-${how}` as const
    report(pair, { ...ends, id, message, values, ...more, protocols: whereStatuses })
  }
  const isNarrower = (range: string): boolean =>
    isRange(range) &&
    pairs.some(({ type }) => takes(range, type) && !isOtherKind(pair, [old, range], [fresh, type]))
  for (const [type, cursor] of removed)
    media('removed', type, { old: cursor }, isNarrower(type) ? { level: 'compatible' } : {})
  const texts = textsOf(pair, old, fresh)
  for (const [type, cursor] of added) {
    const message = `texts of the response ${status} are written as ${type} now instead of JSON`
    const isOfTexts = texts?.name === type
    const doubt = isOfTexts
      ? message
      : (otherJson(pair, status, type, old, fresh) ?? otherOfRange(pair, status, type, old, fresh))
    media('added', type, { new: cursor }, doubt === undefined ? {} : { level: 'dangerous', message: doubt })
  }
  if (isResult) formats(pair, status, [old, removed], [fresh, added])
  for (const { was, type, a, b } of pairs) {
    const how = nameChange(was, type)
    const message = `the media type of the response ${status} is ${type} instead of ${was}`
    const values = [status, was, type]
    const isOther = isOtherKind(pair, [old, was], [fresh, type])
    // A range without a schema, or with one for any value, declares every content within it.
    const known = member(a, 'schema')?.value ?? {}
    const isAny = isRange(was) && pair.tools.reach.graph.sameness.of(known, {})
    const level = isAny ? 'dangerous' : 'breaking'
    const finding = { message, old: a, new: b, values, ...(isOther && ({ level } as const)) }
    if (how !== undefined)
      report(pair, { ...finding, id: `response-media-type-name-${how}`, protocols: whereStatuses })
    // JSON-RPC has the JSON next to XML.
    const ofXml = isResult && !pairs.some((one) => isJson(one.type)) ? pair : only(pair, whereStatuses)
    xmlFacts(
      ofXml,
      { was, type, a, b },
      { id: 'response-body-xml-changed', title: `the response ${status}`, path: '' },
    )
    const isAlone = isOnly && pairs.length === 1
    // The text that JSON-RPC has of a stream is the same by its schema, whatever its pieces are.
    const isStream = streamOfBoth(pair, { was, type, a, b }) !== undefined
    schemas(isStream ? both : pair, { status, was, type, isOnly: isAlone, isResult, results }, a, b)
  }
}

/** Whether no comparison of schemas tells what a media type now holds: one says nothing, or the other holds bytes. */
function isUnseen({ old, new: fresh }: OperationPair, { was, type, a, b }: MediaPair): boolean {
  if ([a, b].some((media) => member(media, 'schema') === undefined)) return true
  return carriesBytes(old.document, a, was) !== carriesBytes(fresh.document, b, type)
}

function schemas(
  pair: OperationPair,
  { status, was, type, isOnly, isResult, results }: Among & { status: string; was: string; type: string },
  old: Cursor,
  fresh: Cursor,
): void {
  const [a, b] = [member(old, 'schema'), member(fresh, 'schema')]
  const title = `the response ${status}`
  // Over JSON-RPC the body of a failure is `error.data` if it is JSON. Otherwise `error.data` is a problem.
  const isOfBoth = isResult || [was, type].every(isJson)
  const only = isOfBoth ? {} : { protocols: whereStatuses }
  const media = { was, type, a: old, b: fresh }
  const [isLoose, variant] = [isWrittenAsText(pair, media), variantOf(was, status)]
  const stream = streamOfBoth(pair, media)
  const subject = {
    direction: 'response',
    holder: 'body',
    title,
    path: '',
    variant,
    isLoose,
    // Over JSON-RPC the result is the same text as over REST.
    isOfHttp: !isJson(type),
    ...(results === 'known' && { isKnownToRpc: true }),
    ...only,
  } as const
  pieceFacts(pair, { ...subject, sent: { status, type } }, media)
  const encoding = { id: 'response-body-encoding-changed', title, path: '', ...only } as const
  positionFacts(pair, old, fresh, encoding)
  if (isEncodedForm(pair, media)) {
    const form = (side: Side, endpoint: Endpoint, name: string, cursor: Cursor) =>
      [cursor, new Form(side, { ...endpoint, modelled: undefined }, name, cursor)] as const
    const forms = [form(pair.old, pair.before, was, old), form(pair.new, pair.after, type, fresh)] as const
    encodingFacts(pair, was, ...forms, encoding)
  } else partFacts(pair, media, { ...encoding, direction: 'response' })
  if (carriesBytes(pair.old.document, old, was) && carriesBytes(pair.new.document, fresh, type)) {
    compareFiles(pair, subject, old, fresh)
    return
  }
  if (a !== undefined && b !== undefined) {
    const sent = stream !== undefined || !isOnly ? { sent: { status, type, ...(stream && { stream }) } } : {}
    compareSchemas(pair, { ...subject, ...sent }, a, b)
    return
  }
  const judged = presence(pair, subject, a, b)
  if (judged === undefined) return
  const how = a === undefined ? 'added' : 'removed'
  const id = `response-body-media-type-schema-${how}` as const
  const message = `the schema of ${title} (${type}) was ${how}`
  report(pair, { ...judged, id, message, old, new: fresh, values: [status, type], ...only })
}

/** The machine-readable part of a link. */
function saidBy({ value }: Cursor): string {
  const { description: _, ...said } = asObject(value)
  return fingerprint(said)
}

/** Compares the links of a response: the next calls that it allows. Nothing of them is sent. */
function links(pair: OperationPair, status: string, old: Cursor, fresh: Cursor): void {
  const [olds, news] = [memberOf(pair.old, old, 'links'), memberOf(pair.new, fresh, 'links')]
  const [before, after] = [entriesOf(pair.old, old, 'links'), entriesOf(pair.new, fresh, 'links')]
  for (const name of namesOf(olds?.value, news?.value)) {
    const [a, b] = [before.get(name), after.get(name)]
    if (a !== undefined && b !== undefined && saidBy(a) === saidBy(b)) continue
    const how = a === undefined ? 'added' : b === undefined ? 'removed' : 'changed'
    const message = `the link ${name} of the response ${status} was ${how}`
    const values = [status, name]
    report(pair, { id: `response-link-${how}`, message, old: a, new: b, values, protocols: whereStatuses })
  }
}
