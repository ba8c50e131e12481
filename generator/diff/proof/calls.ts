import type { Json, JsonObject } from '../../load/document.js'
import { isObject } from '../../load/json.js'
import { credentials } from '../../mock/curl.js'
import { sentRequest } from '../../mock/sent-request.js'
import type { Operation } from '../../model/model.js'
import type { Credentials, Protocol } from '../change.js'
import { isJson } from '../facts/media.js'
import type { HttpAnswer, HttpRequest } from './exchange.js'
import type { Way } from './place.js'
import { parsed, type Refusal, refusalOf, said, violationAt } from './refusal.js'
import { type Reception, rpcRequest, type Version } from './version.js'

/** An operation in both versions. */
export interface Pair {
  readonly old: Version
  readonly new: Version
  readonly before: Operation
  readonly after: Operation
  /** Whose credentials a call carries; those of both versions where absent. */
  readonly credentials?: 'old'
}

/** What a value shows: in which protocols the verdicts differ, and why not in the others. */
export interface Shown {
  readonly rest?: JsonObject
  readonly jsonrpc?: JsonObject
  readonly credentials?: Credentials
  /** What the version says that rejects. */
  readonly rejects: string
  readonly reasons: readonly string[]
}

/** What about a refusal is due to the change, as text; undefined where it has another cause. */
export type Cause = (refusal: Refusal) => string | undefined

/** A refusal for what stands at a place, or else for what stands around it. */
export function causedAt(way: Way, orAround = true): Cause {
  return ({ violations }) => {
    const found = violationAt(violations, way, orAround)
    return found && said(found)
  }
}

/** A refusal of one of these statuses or JSON-RPC codes. */
export function causedBy(codes: readonly number[]): Cause {
  return (refusal) => {
    const { status, rpcCode } = refusal
    const isMeant = codes.includes(status) || (rpcCode !== undefined && codes.includes(rpcCode))
    return isMeant ? textOf(refusal) : undefined
  }
}

/** Sends a call with these params, as a caller of the old version does, to both versions. */
export async function call(
  pair: Pair,
  params: JsonObject,
  protocols: readonly Protocol[],
  cause: Cause,
): Promise<Shown> {
  const { before } = pair
  const reasons: string[] = []
  const refusals = new Map<string, string>()
  const send = async (
    protocol: string,
    request: HttpRequest,
    ask: (version: Version, request: HttpRequest) => Promise<Reception>,
  ): Promise<boolean> => {
    const authorized = withCredentials(pair, request)
    const old = await ask(pair.old, authorized)
    if (!old.accepted) {
      reasons.push(`the old version rejects it over ${protocol}: ${textOf(refusalOf(old.answer))}`)
      return false
    }
    const fresh = await ask(pair.new, authorized)
    if (fresh.accepted) {
      reasons.push(`both versions accept it over ${protocol}`)
      return false
    }
    const refusal = refusalOf(fresh.answer)
    const found = cause(refusal)
    if (found === undefined) reasons.push(`over ${protocol} the new version already says ${textOf(refusal)}`)
    else refusals.set(protocol, found)
    return found !== undefined
  }
  let rest: JsonObject | undefined
  if (protocols.includes('rest')) {
    const isAlone = pair.old.isAlone(before) && pair.new.isAlone(pair.after)
    const request = isAlone
      ? await restRequest(before, params)
      : 'two paths of the document match its requests'
    if (typeof request === 'string') reasons.push(request)
    else if (await send('REST', request, (version, sent) => version.receive(sent)))
      rest = shownRequest(pair, request)
  }
  let jsonrpc: JsonObject | undefined
  const { rpc } = before
  if (protocols.includes('jsonrpc') && rpc !== false) {
    const request = rpcRequest(rpc, params)
    const isShown = await send('JSON-RPC', request, (version, sent) => version.called(rpc, sent))
    if (isShown) jsonrpc = JSON.parse(request.body)
  }
  const sent = credentialsOf(pair)
  const isSecured = sent.query !== '' || Object.keys(sent.headers).length > 0
  return {
    ...shown(rest, jsonrpc, refusals, reasons),
    ...(isSecured && { credentials: sent }),
  }
}

/** Has both versions answer with a result, as a handler of the new one may. */
export async function answer(
  { old, new: fresh, before, after }: Pair,
  result: Json,
  protocols: readonly Protocol[],
  way: Way,
): Promise<Shown> {
  const given = await fresh.deliver(after, result)
  const [first] = given.violations ?? []
  if (given.violations !== undefined)
    return {
      rejects: '',
      reasons: [`the new version gives no such answer: ${first?.path ?? ''} ${first?.message ?? ''}`],
    }
  const { violations } = await old.deliver(before, result)
  if (violations === undefined) return { rejects: '', reasons: ['both versions accept the answer'] }
  const found = violationAt(violations, way)
  const [other] = violations
  if (found === undefined)
    return {
      rejects: '',
      reasons: [`the old version rejects the answer for ${other?.path ?? ''} ${other?.message ?? ''}`],
    }
  const rpc = parsed(given.jsonrpc.body)
  return shown(
    protocols.includes('rest') ? shownAnswer(given.rest) : undefined,
    protocols.includes('jsonrpc') && after.rpc !== false && isObject(rpc) ? rpc : undefined,
    new Map([['REST', said(found)]]),
    [],
  )
}

function shown(
  rest: JsonObject | undefined,
  jsonrpc: JsonObject | undefined,
  refusals: ReadonlyMap<string, string>,
  reasons: readonly string[],
): Shown {
  const texts = new Set(refusals.values())
  const each = Array.from(refusals, ([protocol, text]) => `${text} (${protocol})`)
  return {
    ...(rest !== undefined && { rest }),
    ...(jsonrpc !== undefined && { jsonrpc }),
    rejects: `rejects: ${texts.size === 1 ? [...texts].join() : each.join(', ')}`,
    reasons,
  }
}

function textOf({ status, rpcCode, title, violations: [first] }: Refusal): string {
  return first === undefined ? `${rpcCode ?? status} ${title}` : said(first)
}

/** The request of a call; the reason where REST cannot carry it as text. */
async function restRequest(operation: Operation, params: JsonObject): Promise<HttpRequest | string> {
  const kind = operation.rest.body?.media?.[0]?.kind
  if (kind === 'multipart' || kind === 'binary') return 'a body of bytes cannot be written as text'
  try {
    const { target, ...request } = await sentRequest(operation, params)
    return { ...request, url: target }
  } catch (error) {
    return `REST cannot carry it: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** Credentials of both versions: any will do, but where one is asked for it has to be there. */
function credentialsOf({ old, new: fresh, before, after, credentials: whose }: Pair): Credentials {
  const asked = [
    ...(whose === 'old' ? [] : [credentials(fresh.model, after)]),
    credentials(old.model, before),
  ]
  const headers = asked.flatMap((one) => one.headers).map(([name, value]) => [name.toLowerCase(), value])
  const query = [...new Set(asked.flatMap((one) => (one.query === '' ? [] : one.query.split('&'))))].join('&')
  return { headers: Object.fromEntries(headers), query }
}

function withCredentials(pair: Pair, request: HttpRequest): HttpRequest {
  const { headers, query } = credentialsOf(pair)
  const mark = request.url.includes('?') ? '&' : '?'
  return {
    ...request,
    url: query === '' ? request.url : `${request.url}${mark}${query}`,
    headers: { ...headers, ...request.headers },
  }
}

function shownRequest(pair: Pair, request: HttpRequest): JsonObject {
  const { method, url, headers, body } = withCredentials(pair, request)
  return {
    method,
    url: pair.old.model.basePath + url,
    headers,
    ...(body !== undefined && { body: shownBody(headers['content-type'], body) }),
  }
}

function shownAnswer({ status, headers, body }: HttpAnswer): JsonObject {
  const type = headers['content-type']
  return {
    status,
    headers: type === undefined ? {} : { 'content-type': type },
    ...(body !== '' && { body: shownBody(type, body) }),
  }
}

/** The value that a body of JSON stands for; else its text. */
function shownBody(type: string | undefined, text: string): Json {
  const value = type !== undefined && isJson(type) ? parsed(text) : undefined
  return value === undefined ? text : value
}
