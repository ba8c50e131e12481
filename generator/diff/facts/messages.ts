import { type Cursor, follow, member, members } from '../../document/cursor.js'
import { own } from '../../document/json.js'
import type { ChangeId } from '../change/catalogue.js'
import type { Level } from '../change/level.js'
import { mayEnd, promisesNothing } from '../change/lifecycle.js'
import { asObject, type Endpoint, entriesOf, memberOf, operationsOf, type Side } from '../change/side.js'
import { type Subject, variantOf } from '../change/subject.js'
import { answersOf } from './answers/statuses.js'
import { headersOfReply, messageSecurity, parametersOfMessage } from './message-head.js'
import { lifecycleFacts } from './parts/lifecycle-facts.js'
import { isRange, type MediaPair, mediaPairs, takes } from './parts/media.js'
import { compareSchemas, type OperationPair, presence, report } from './parts/pair.js'
import { isWrittenAsText, pieceFacts } from './parts/pieces.js'
import { xmlFacts } from './parts/xml.js'
import { covers, encodingFacts, isEncodedForm, positionFacts } from './request/encoding.js'
import { Form, isForm } from './request/form.js'
import { encodedNames, partFacts, partHeaderFacts } from './request/part-headers.js'

/** Compares a webhook's message. Its receivers read it like a response, and reply to it. */
export function webhookFacts(pair: OperationPair): void {
  lifecycleFacts(pair)
  messageFacts(pair, '')
}

/** Compares the messages that an operation causes, by callback name and URL expression. */
export function callbackFacts(pair: OperationPair): void {
  callbacksWithin(pair, '', new Set())
}

/** `seen`: the positions of the enclosing callbacks, because callbacks may refer to themselves. */
function callbacksWithin(pair: OperationPair, within: string, seen: ReadonlySet<string>): void {
  const [olds, news] = [callbacksOf(pair.old, pair.before), callbacksOf(pair.new, pair.after)]
  const added = new Map([...news].filter(([key]) => !olds.has(key)))
  for (const [key, old] of olds) {
    const fresh = news.get(key) ?? moved(old, olds, added)
    if (fresh === undefined) {
      existence(pair, old, 'removed', { old: old.operation }, within)
      continue
    }
    const path = `${within}/callbacks/${fresh.path}`
    if (!news.has(key)) {
      for (const [name, one] of added) if (one === fresh) added.delete(name)
      const message = `the callback ${fresh.path} is sent to another address`
      const ends = { old: old.operation, new: fresh.operation }
      report(pair, { ...ends, id: 'callback-expression-changed', message, path, values: [fresh.path] })
    }
    const sent = { ...pair, before: old, after: fresh }
    lifecycleFacts(sent, path)
    messageFacts(sent, path)
    const place = `${old.operation.pointer} ${fresh.operation.pointer}`
    if (!seen.has(place)) callbacksWithin(sent, path, new Set([...seen, place]))
  }
  for (const fresh of added.values()) existence(pair, fresh, 'added', { new: fresh.operation }, within)
}

const message = { webhook: true, modelled: undefined } as const

/** The callback that replaced a removed one: the only added one with its name and method. */
function moved(
  { path, method }: Endpoint,
  olds: ReadonlyMap<string, Endpoint>,
  added: ReadonlyMap<string, Endpoint>,
): Endpoint | undefined {
  const alike = (all: ReadonlyMap<string, Endpoint>): Endpoint[] =>
    [...all.values()].filter((one) => one.path === path && one.method === method)
  const [fresh, another] = alike(added)
  return alike(olds).length === 1 && another === undefined ? fresh : undefined
}

/** Callbacks as endpoints with the name of their operation. */
function callbacksOf(side: Side, endpoint: Endpoint): Map<string, Endpoint> {
  const found = [...entriesOf(side, endpoint.operation, 'callbacks')].flatMap(([name, callback]) =>
    members(callback).flatMap((entry) => {
      const item = follow(side.document, entry)
      if (item === undefined) return []
      return operationsOf(item).map(([method, operation]): [string, Endpoint] => {
        const key = [name, entry.key, method].join(' ')
        const of = { method, path: name, fullPath: name, expression: entry.key, item, operation }
        return [key, { ...endpoint, ...message, ...of, isOfUnstable: promisesNothing(endpoint) }]
      })
    }),
  )
  return new Map(found)
}

function existence(
  pair: OperationPair,
  { path, operation }: Endpoint,
  how: 'added' | 'removed',
  ends: { readonly old?: Cursor; readonly new?: Cursor },
  within: string,
): void {
  const message = `the callback ${path} was ${how}`
  const place = `${within}/callbacks/${path}`
  const isAnnounced = how === 'removed' && mayEnd(operation.value, pair.tools.notice)
  const level = isAnnounced ? ({ level: 'compatible' } as const) : {}
  report(pair, { ...ends, ...level, id: `callback-${how}`, message, path: place, values: [path] })
}

/** A message is sent like a response, and its reply is accepted like a request. */
function messageFacts(pair: OperationPair, path: string): void {
  const [a, b] = [
    memberOf(pair.old, pair.before.operation, 'requestBody'),
    memberOf(pair.new, pair.after.operation, 'requestBody'),
  ]
  const title = `the message ${pair.after.path}`
  const subject = { direction: 'response', holder: 'body', title, path } as const
  const { method, expression } = pair.after
  const address = expression !== undefined && { url: expression }
  bodyOf(pair, a, b, title, path)
  contents(pair, a, b, { ...subject, sent: { method, ...address, type: '' } })
  const [olds, news] = [answersOf(pair.old, pair.before.operation), answersOf(pair.new, pair.after.operation)]
  parametersOfMessage(pair, title, path)
  messageSecurity(pair, title, path)
  statuses(pair, olds, news, title, path)
  for (const [status, old] of olds) {
    const fresh = news.get(status)
    if (fresh === undefined) continue
    const reply = {
      ...subject,
      direction: 'request',
      title: `the response ${status} to ${title}`,
      variant: status,
    } as const
    bodyOfReply(pair, old, fresh, reply)
    contents(pair, old, fresh, reply)
    headersOfReply(pair, [old, fresh], reply.title, `${path}/responses/${status}/headers`)
  }
}

/**
 * Compares the replies that the service understands. A status that it no longer understands breaks like a missing
 * reply.
 */
function statuses(
  pair: OperationPair,
  olds: ReadonlyMap<string, Cursor>,
  news: ReadonlyMap<string, Cursor>,
  title: string,
  path: string,
): void {
  for (const status of new Set([...olds.keys(), ...news.keys()])) {
    const [old, fresh] = [olds.get(status), news.get(status)]
    if (old !== undefined && fresh !== undefined) continue
    const how = old === undefined ? 'added' : 'removed'
    // Receivers can fail in many ways that no document lists.
    const level = how === 'removed' && !status.startsWith('2') ? ({ level: 'dangerous' } as const) : {}
    const message = `the response ${status} to ${title} was ${how}`
    report(pair, { ...level, id: `message-status-${how}`, message, path, old, new: fresh, values: [status] })
  }
}

/**
 * Compares whether a message has a body, and its media types. Receivers cannot choose a media type, so they receive
 * every added one.
 */
function bodyOf(
  pair: OperationPair,
  old: Cursor | undefined,
  fresh: Cursor | undefined,
  title: string,
  path: string,
): void {
  const say = (
    id: MessageChangeId,
    what: string,
    values: readonly string[],
    ends: OldAndNew,
    level?: Level,
  ): void => {
    const message = `${title} ${what}`
    report(pair, { ...ends, ...(level && { level }), id, message, path, values })
  }
  const ends = { old, new: fresh }
  const [was, is] = [old, fresh].map((body) => own(asObject(body?.value), 'required') === true)
  if (fresh === undefined && old !== undefined) say('message-body-removed', 'has no body', [], ends)
  else if (old === undefined && fresh !== undefined) say('message-body-added', 'has a body', [], ends)
  else if (was && !is) say('message-body-became-optional', 'may lack its body', [], ends)
  else if (is && !was) say('message-body-became-required', 'always has its body', [], ends)
  if (old === undefined || fresh === undefined) return
  const found = mediaPairs(entriesOf(pair.old, old, 'content'), entriesOf(pair.new, fresh, 'content'))
  for (const [type, cursor] of found.removed)
    say('message-media-type-removed', `is no longer sent as ${type}`, [type], { old: cursor })
  // Receivers no longer know any of the media types.
  const isOther = found.pairs.length === 0 && found.removed.size > 0
  for (const [type, cursor] of found.added)
    if (isOther) say('message-media-type-added', `is sent as ${type}`, [type], { new: cursor }, 'breaking')
    else say('message-media-type-added', `may be sent as ${type}`, [type], { new: cursor })
  for (const { was, type, b } of found.pairs)
    if (isRange(type) && !takes(was, type))
      say('message-media-type-added', `may be sent as ${type}`, [type], { new: b })
}

/** Compares whether a reply has a body, and its media types. The service reads them like those of a request. */
function bodyOfReply(
  pair: OperationPair,
  old: Cursor,
  fresh: Cursor,
  { title, path, variant }: Subject,
): void {
  const say = (id: MessageChangeId, what: string, type: string, ends: OldAndNew): void =>
    report(pair, { ...ends, id, message: `${title} ${what}`, path, values: [variant, type] })
  const [olds, news] = [entriesOf(pair.old, old, 'content'), entriesOf(pair.new, fresh, 'content')]
  if (olds.size === 0 || news.size === 0) {
    const ends = { old, new: fresh }
    if (news.size > 0) say('message-response-body-added', 'must have a body', '', ends)
    if (olds.size > 0) say('message-response-body-removed', 'has no body', '', ends)
    return
  }
  const [known, taken] = [[...olds.keys()], [...news.keys()]]
  for (const [type, a] of olds)
    if (!covers(taken, type))
      say('message-response-media-type-removed', `may no longer be ${type}`, type, { old: a, new: fresh })
  for (const [type, b] of news)
    if (!covers(known, type))
      say('message-response-media-type-added', `may be ${type}`, type, { old, new: b })
}

/** Pairs media types of replies. One that only a range still takes is read as the range says. */
function replyPairs(
  olds: ReadonlyMap<string, Cursor>,
  news: ReadonlyMap<string, Cursor>,
): readonly MediaPair[] {
  const { pairs, removed } = mediaPairs(olds, news)
  const ofRanges = [...removed].flatMap(([was, a]): MediaPair[] => {
    const [type, b] = [...news].find(([range]) => takes(range, was)) ?? []
    return type === undefined || b === undefined ? [] : [{ was, type, a, b }]
  })
  return [...pairs, ...ofRanges]
}

type MessageChangeId = ChangeId & `message-${string}`

type OldAndNew = { readonly old?: Cursor | undefined; readonly new?: Cursor | undefined }

function contents(
  pair: OperationPair,
  old: Cursor | undefined,
  fresh: Cursor | undefined,
  subject: Subject,
): void {
  if (old === undefined || fresh === undefined) return
  const [olds, news] = [entriesOf(pair.old, old, 'content'), entriesOf(pair.new, fresh, 'content')]
  const pairs = subject.direction === 'request' ? replyPairs(olds, news) : mediaPairs(olds, news).pairs
  for (const { was, type, a, b } of pairs) {
    const [one, other] = [member(a, 'schema'), member(b, 'schema')]
    const variant = [subject.variant, variantOf(was)]
      .filter((part) => part !== undefined && part !== '')
      .join(' ')
    const sent = subject.sent && { ...subject.sent, type }
    const isLoose = isWrittenAsText(pair, { was, type, a, b })
    const of = { ...subject, variant, isLoose, ...(sent && { sent }) }
    pieceFacts(pair, of, { was, type, a, b })
    const encoding = { id: 'message-encoding-changed', title: subject.title, path: subject.path } as const
    positionFacts(pair, a, b, encoding)
    xmlFacts(pair, { was, type, a, b }, { ...encoding, id: 'message-xml-changed' })
    // Receivers read the fields of a form in their encoding.
    const parts = { ...encoding, direction: subject.direction }
    const isOfMessage = subject.direction === 'response' && isForm(was) && isForm(type)
    if (isOfMessage || isEncodedForm(pair, { was, type, a, b })) {
      encodingFacts(
        pair,
        was,
        [a, new Form(pair.old, pair.before, was, a)],
        [b, new Form(pair.new, pair.after, type, b)],
        encoding,
      )
      partHeaderFacts(pair, encodedNames(a, b), a, b, parts)
    } else partFacts(pair, { was, type, a, b }, parts)
    if (one !== undefined && other !== undefined) compareSchemas(pair, of, one, other)
    else schemaPresence(pair, of, type, [a, b], [one, other])
  }
}

function schemaPresence(
  pair: OperationPair,
  subject: Subject,
  type: string,
  [old, fresh]: readonly [Cursor, Cursor],
  [a, b]: readonly [Cursor | undefined, Cursor | undefined],
): void {
  const judged = presence(pair, subject, a, b)
  if (judged === undefined) return
  const { direction, title, path, sent, variant } = subject
  const how = a === undefined ? 'added' : 'removed'
  const whole = sent && { sent: { ...sent, old: a?.value ?? true, new: b?.value ?? true, base: path } }
  report(pair, {
    ...judged,
    ...(judged.evidence && { evidence: { ...judged.evidence, ...whole } }),
    id: `${direction}-body-media-type-schema-${how}`,
    message: `the schema of ${title} (${type}) was ${how}`,
    ...{ old, new: fresh, path, values: [variant, type] },
  })
}
