import type { Protocol } from 'duet-runtime'
import type { Json, JsonObject } from '../../../document/document.js'
import { isObject } from '../../../document/json.js'
import type { Model, Operation } from '../../../model/model.js'
import type { Credentials, NewAddress, Sent } from '../../change/change.js'
import type { Way } from '../../change/place.js'
import { protocolNames } from '../../change/protocol.js'
import { isJson } from '../../facts/parts/media.js'
import { shapeOf } from '../../pairing/pairing.js'
import { type Arrival, arrivesOtherwise, shortly } from './arrival.js'
import { type Claim, dueTo } from './attribution.js'
import { credentialsOf, withCredentials } from './credentials.js'
import type { HttpAnswer, HttpRequest, Undeclared } from './exchange.js'
import type { Pair } from './pair.js'
import { type Delivery, type Reception, rpcRequest } from './reception.js'
import { parsed, type Refusal, refusalOf, said, violationAt } from './refusal.js'
import type { Service } from './service.js'
import type { Version } from './version.js'

/** What a value shows: the protocols in which the versions differ, and the reasons why others do not. */
export interface Shown {
  readonly rest?: JsonObject
  readonly jsonrpc?: JsonObject
  readonly credentials?: Credentials
  /** The path that receives the envelope, if that is not the service's root. */
  readonly jsonrpcPath?: string
  readonly newAddress?: NewAddress
  /** What the rejecting version says. */
  readonly rejects: string
  /** The number of its violations, including those of other changes. */
  readonly violations: number
  readonly reasons: readonly string[]
  /** Whether both versions accept the call, but read different values from it. */
  readonly isReadOtherwise?: boolean
}

/** Describes the part of a refusal that the change causes. Undefined if it has another cause. */
export type Cause = (refusal: Pick<Refusal, 'violations'> & Partial<Refusal>) => string | undefined

/** A response of another operation in the new version that the called one never gave. Undefined if none is known. */
export type NewAnswer = (taker: string) => Json | undefined

/** A refusal for a path, or else for a value around it, that no rival change explains. */
export function causedAt(
  way: Way,
  orAround = true,
  own?: Claim | undefined,
  rivals: readonly Claim[] = [],
): Cause {
  return ({ violations, taker }) => {
    const due = dueTo(violations, own, rivals)
    const found = taker === undefined ? violationAt(due, way, orAround) : undefined
    return found && said(found)
  }
}

/** A refusal with one of these statuses or JSON-RPC codes. */
export function causedBy(codes: readonly number[]): Cause {
  return ({ status = 0, rpcCode, title = '', violations }) => {
    const isMeant = codes.includes(status) || (rpcCode !== undefined && codes.includes(rpcCode))
    return isMeant ? textOf({ status, rpcCode, title, violations }) : undefined
  }
}

/** Sends a call with these params to both versions, as a caller of the old version does. */
export async function call(
  pair: Pair,
  params: JsonObject,
  protocols: readonly Protocol[],
  cause: Cause,
  arrival?: Arrival,
  newAnswer?: NewAnswer,
): Promise<Shown> {
  const { before } = pair
  const reasons: string[] = []
  const refusals = new Map<Protocol, string>()
  const newAddress: { rest?: string; jsonrpc?: string } = {}
  let told = 0
  let isReadOtherwise = false
  const send = async (
    protocol: Protocol,
    request: HttpRequest,
    newUrl: string,
    ask: (service: Service, request: HttpRequest) => Promise<Reception>,
  ): Promise<boolean> => {
    const named = protocolNames[protocol]
    const old = await ask(await pair.old.service(), withCredentials(pair, request))
    if (old.reached !== before.name) {
      reasons.push(`the old version rejects it over ${named}: ${textOf(refusalBy(old, before))}`)
      return false
    }
    const fresh = await ask(await pair.new.service(), withCredentials(pair, { ...request, url: newUrl }))
    if (fresh.reached === pair.after.name) {
      const other = arrival && arrivesOtherwise(arrival, protocol, [old.params, fresh.params])
      isReadOtherwise ||= other !== undefined
      reasons.push(
        other === undefined
          ? `both versions accept it over ${named}`
          : `over ${named} the new version ${other}`,
      )
      return false
    }
    const refusal = refusalBy(fresh, pair.after)
    // What a REST operation returns to JSON-RPC callers is never a response that they know.
    const isAnswered = fresh.reached !== undefined && pair.keeps !== 'path of JSON-RPC'
    const other = isAnswered && refusal.taker !== undefined ? newAnswer?.(refusal.taker) : undefined
    const isKnown = isAnswered && other === undefined
    const found = isKnown ? undefined : cause(refusal)
    if (isKnown)
      reasons.push(`over ${named} ${textOf(refusal)}, and no answer is found that callers do not know`)
    else if (found === undefined)
      reasons.push(`over ${named} the new version already says ${textOf(refusal)}`)
    else {
      refusals.set(protocol, other === undefined ? found : `${found} and answers ${shortly(other)}`)
      told += refusal.violations.length
    }
    return found !== undefined
  }
  let rest: JsonObject | undefined
  if (protocols.includes('rest')) {
    const isRouted = before.routed && pair.after.routed
    const { restRequest } = await import('./request.js')
    const target = isRouted
      ? await restRequest(before, params)
      : 'requests over REST reach another operation, whose path matches them, too'
    if (typeof target === 'string') reasons.push(target)
    else {
      const request = { ...target, url: pair.old.model.basePath + target.url }
      const newUrl = newBasePath(pair, 'rest') + target.url
      if (await send('rest', request, newUrl, (service, sent) => service.receive(sent))) {
        rest = shownRequest(pair, request)
        if (newUrl !== request.url) newAddress.rest = withCredentials(pair, { ...request, url: newUrl }).url
      }
    }
  }
  let jsonrpc: JsonObject | undefined
  const { rpc } = before
  if (protocols.includes('jsonrpc') && rpc !== false) {
    const request = rpcRequest(rpc, params, pair.old.model.basePath + pair.old.model.rpcPath)
    const { rpcPath } = pair.keeps === 'path of JSON-RPC' ? pair.old.model : pair.new.model
    const newUrl = newBasePath(pair, 'jsonrpc') + rpcPath
    const isShown = await send('jsonrpc', request, newUrl, (service, sent) => service.called(rpc, sent))
    if (isShown) jsonrpc = JSON.parse(request.body)
    if (isShown && newUrl !== request.url) newAddress.jsonrpc = newUrl
  }
  const rpcAddress = pair.old.model.basePath + pair.old.model.rpcPath
  const sent = credentialsOf(pair)
  const isSecured = sent.query !== '' || Object.keys(sent.headers).length > 0
  return {
    ...shown(rest, jsonrpc, refusals, reasons, told),
    isReadOtherwise,
    ...(jsonrpc !== undefined && rpcAddress !== '/' && { jsonrpcPath: rpcAddress }),
    ...(Object.keys(newAddress).length > 0 && { newAddress }),
    ...(isSecured && { credentials: sent }),
  }
}

/**
 * The base path of a call in the new version. A base path that moves with everything below it is a change of its own:
 * other changes are shown to callers who follow it. If the path itself changed, the call keeps its URL.
 */
function newBasePath({ old, new: fresh, before, after, keeps }: Pair, protocol: Protocol): string {
  const follows = protocol === 'jsonrpc' || shapeOf(before.rest.path) === shapeOf(after.rest.path)
  return follows && keeps !== 'base path' ? fresh.model.basePath : old.model.basePath
}

/** The intended operation refuses a call that another operation takes. */
function refusalBy({ taker, answer }: Reception, { name }: Operation): Refusal {
  return { ...refusalOf(answer), taker: taker === name ? undefined : taker }
}

/** A call that another operation takes. */
export function causedByTaker(name: string): Cause {
  return ({ taker }) => (taker === name ? takenBy(name) : undefined)
}

/** A JSON-RPC call that a REST operation takes or responds to. */
export const causedByRest: Cause = (refusal) => {
  const { status = 0, rpcCode, title = '', taker, violations } = refusal
  return rpcCode === undefined ? textOf({ status, rpcCode, title, taker, violations }) : undefined
}

/** A call that reaches no operation any more, or the wrong one. */
export function causedByLoss(codes: readonly number[]): Cause {
  const refused = causedBy(codes)
  return (refusal) => (refusal.taker === undefined ? refused(refusal) : takenBy(refusal.taker))
}

function takenBy(name: string): string {
  return `${name} takes it`
}

/**
 * Both versions respond with a result that a handler of the new one may return. `streaming`: the operations that stream it, if
 * it is a piece of a result.
 */
export async function answer(
  pair: Pair,
  result: Json,
  protocols: readonly Protocol[],
  cause: Cause,
  sent?: Sent,
  streaming?: Pair,
): Promise<Shown> {
  // A handler writes a text as it is to be sent: nothing but the schema decides then.
  const isSent = streaming !== undefined && typeof result !== 'string'
  const { old, new: fresh, before, after } = isSent ? streaming : pair
  const deliver = async (version: Version, operation: Operation): Promise<Delivery> => {
    const service = await version.service()
    return isSent ? service.stream(operation, result) : service.deliver(operation, result)
  }
  const given = await deliver(fresh, after)
  const [first] = given.violations ?? []
  if (given.violations !== undefined)
    return {
      rejects: '',
      violations: 0,
      reasons: [`the new version gives no such answer: ${first?.path ?? ''} ${first?.message ?? ''}`],
    }
  const { violations } = await deliver(old, before)
  if (violations === undefined)
    return { rejects: '', violations: 0, reasons: ['both versions accept the answer'] }
  const found = cause({ violations })
  const [other] = violations
  if (found === undefined)
    return {
      rejects: '',
      violations: 0,
      reasons: [`the old version rejects the answer for ${other?.path ?? ''} ${other?.message ?? ''}`],
    }
  const isFailed = sent !== undefined && isFailure(sent)
  const piece = isSent
    ? undefined
    : sent?.stream && (await import('duet-runtime')).pieceText(result, { ...sent, ...sent.stream })
  const rest = piece === undefined ? given.rest : { ...given.rest, body: piece }
  const rpc = isFailed
    ? errorAnswer(fresh.model, result, statusOf(sent.status ?? 'default'))
    : piece === undefined
      ? parsed(given.jsonrpc.body)
      : { jsonrpc: '2.0', id: 1, result: piece }
  const isCalled = isFailed || piece !== undefined || after.rpc !== false
  const hasRpc = protocols.includes('jsonrpc') && isCalled && isObject(rpc)
  // If the operation also returns bytes, JSON-RPC carries texts as base64, too.
  const isKnown =
    hasRpc &&
    !isFailed &&
    !isSent &&
    piece === undefined &&
    (await old.service()).takes(before, rpc.result ?? null)
  return shown(
    protocols.includes('rest')
      ? shownAnswer(rest, isSent ? sent && { ...sent, type: '*' } : sent)
      : undefined,
    hasRpc && !isKnown ? rpc : undefined,
    new Map([['rest', found]]),
    isKnown ? ['over JSON-RPC both versions give it as base64'] : [],
    violations.length,
  )
}

/** The new version responds with a result that the old one's document does not describe. */
export async function answerUndeclared(
  { new: fresh, after }: Pair,
  result: Json,
  undeclared: Undeclared,
): Promise<Shown> {
  const { rest, violations } = await (await fresh.service()).deliver(after, result)
  const found = violations === undefined ? undeclared(rest) : undefined
  if (found === undefined)
    return { rejects: '', violations: 0, reasons: ['the old version declares such an answer'] }
  return shown(shownAnswer(rest), undefined, new Map([['rest', found]]), [], 1)
}

/** Whether it is the response of a failure, not a result or a message. */
export function isFailure({ status }: Sent): boolean {
  return status !== undefined && !status.startsWith('2')
}

/**
 * JSON-RPC 2.0 section 5.1: a response whose data is a problem or a declared body. Its code is the body's, else the
 * status's.
 */
function errorAnswer({ errors }: Pick<Model, 'errors'>, data: Json, status: number): JsonObject {
  const { code, title } = isObject(data) ? data : {}
  const named = typeof code === 'string' ? errors.get(code) : undefined
  const known = named ?? [...errors.values()].find((definition) => definition.status === status)
  const error = {
    code: known?.rpc ?? internalError,
    message: known?.title ?? (typeof title === 'string' ? title : 'Internal error'),
  }
  return { jsonrpc: '2.0', id: 1, error: { ...error, data } }
}

/** JSON-RPC 2.0 section 5.1. */
const internalError = -32603

function shown(
  rest: JsonObject | undefined,
  jsonrpc: JsonObject | undefined,
  refusals: ReadonlyMap<Protocol, string>,
  reasons: readonly string[],
  violations: number,
): Shown {
  const texts = new Set(refusals.values())
  const each = Array.from(refusals, ([protocol, text]) => `${text} (${protocolNames[protocol]})`)
  return {
    ...(rest !== undefined && { rest }),
    ...(jsonrpc !== undefined && { jsonrpc }),
    rejects: `rejects: ${texts.size === 1 ? [...texts].join() : each.join(', ')}`,
    violations,
    reasons,
  }
}

function textOf({ status, rpcCode, title, taker, violations: [first] }: Refusal): string {
  if (taker !== undefined) return takenBy(taker)
  return first === undefined ? `${rpcCode ?? status} ${title}` : said(first)
}

function shownRequest(pair: Pair, request: HttpRequest): JsonObject {
  const { method, url, headers, body } = withCredentials(pair, request)
  return {
    method,
    url,
    headers,
    ...(body !== undefined && { body: shownBody(headers['content-type'], body) }),
  }
}

function shownAnswer({ status, headers, body }: HttpAnswer, sent?: Sent): JsonObject {
  const { method, url, type: said = '*' } = sent ?? {}
  // The runtime writes one of several JSON media types.
  const type = said.includes('*') ? headers['content-type'] : said
  return {
    ...(method === undefined
      ? { status: sent?.status === undefined ? status : statusOf(sent.status) }
      : { method, ...(url !== undefined && { url }) }),
    headers: type === undefined ? {} : { 'content-type': type },
    ...(body !== '' && { body: shownBody(type, body) }),
  }
}

/** The status for an entry of a document. */
function statusOf(status: string): number {
  return status === 'default' ? 500 : Number(status.replaceAll(/x/gi, '0'))
}

/** The value of a JSON body. The text of any other body. */
function shownBody(type: string | undefined, text: string): Json {
  const value = type !== undefined && isJson(type) ? parsed(text) : undefined
  return value === undefined ? text : value
}
