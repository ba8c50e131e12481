import { withinBytes } from '../../contract/problem-size.js'
import { EVENTS } from '../../http/events.js'
import type { Exchange } from '../../http/exchange.js'
import type { Failure } from '../../server/outcome/outcome.js'
import type { Eventual } from '../../values/eventual.js'
import { jsonText } from '../../values/json-text.js'
import type { Id } from './bind.js'
import type { Method } from './methods.js'

export interface CallResponse {
  /** The response object; undefined for a notification. */
  readonly text: string | undefined
  /** Instead of a text. */
  readonly stream?: AsyncIterable<Uint8Array>
  readonly failure: Failure | undefined
  /** Undefined if the call names no known method. */
  readonly method: Method | undefined
}

/** The response object for a result in JSON text (JSON-RPC 2.0, section 5). */
export function resultText(id: Id, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`
}

/**
 * The response object for a failure; `data` is the object that REST would send. In a batch, `bytes` limits
 * the violations; the first one always stays.
 */
export function errorText(id: Id, { problem, definition, bodyOf }: Failure, bytes?: number): string {
  const sentProblem = bytes === undefined ? problem : withinBytes(problem, bytes)
  const data = bodyOf?.(sentProblem)?.text ?? jsonText(sentProblem)
  const error = `{"code":${definition.rpc},"message":${JSON.stringify(problem.title)},"data":${data}}`
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":${error}}`
}

/** Sends one response object, or the array of them. */
export function sendAnswer<P>(
  exchange: Exchange<P>,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  exchange.send(status, { 'Content-Type': 'application/json', ...headers }, text)
}

/** Sends the response to a single call. */
export function sendSingle<P>(exchange: Exchange<P>, answer: CallResponse): Eventual<true> {
  const { text, stream, failure, method } = answer
  if (stream !== undefined)
    return exchange.events(200, { 'Content-Type': EVENTS, ...method?.headers }, stream).then(() => true)
  const challenge = challengeTo(answer)
  if (text === undefined) sendNothing(exchange, failure, challenge)
  else sendAnswer(exchange, failure?.definition.rpcStatus ?? 200, text, { ...method?.headers, ...challenge })
  return true
}

/** Sends the responses of a batch, with the highest HTTP status of any. */
export function sendBatch<P>(exchange: Exchange<P>, answers: readonly CallResponse[]): true {
  let texts = ''
  for (const { text } of answers) if (text !== undefined) texts += texts === '' ? text : `,${text}`
  const worst = worstOf(answers)
  const headers = { ...firstToEnd(answers), ...challengeTo(worst) }
  if (texts === '') sendNothing(exchange, worst?.failure, headers)
  else sendAnswer(exchange, worst?.failure?.definition.rpcStatus ?? 200, `[${texts}]`, headers)
  return true
}

/**
 * V8 keeps a concatenated text as the tree of its parts, several times as large, until its characters are
 * read. The responses of a batch wait for the last one, so read one character now.
 */
export function flatten({ text }: CallResponse): void {
  if (text !== undefined && text[0] !== '{') throw new Error('A response object begins with a brace')
}

/**
 * Sends 204, since there is no response object. JSON-RPC forbids a response to a notification, but HTTP needs
 * a status, and an invalid API key is 401 (seed section 5), without a body.
 */
function sendNothing<P>(
  exchange: Exchange<P>,
  failure: Failure | undefined,
  headers: Readonly<Record<string, string>>,
): void {
  const status = failure?.definition.rpcStatus
  if (status === undefined) exchange.send(204, {})
  else exchange.send(status, headers, '')
}

/** Of the deprecated methods that a batch called, the headers of the one that ends first. */
function firstToEnd(answers: readonly CallResponse[]): Readonly<Record<string, string>> {
  let first: Readonly<Record<string, string>> | undefined
  let end = Number.POSITIVE_INFINITY
  for (const { method } of answers) {
    if (method?.procedure.operation.deprecation === undefined) continue
    const sunset = Date.parse(method.headers.Sunset ?? '')
    if (first !== undefined && !(sunset < end)) continue
    first = method.headers
    end = sunset
  }
  return first ?? {}
}

/** The response with the highest HTTP status; undefined if none has one. */
function worstOf(answers: readonly CallResponse[]): CallResponse | undefined {
  let worst: CallResponse | undefined
  for (const answer of answers) {
    const status = answer.failure?.definition.rpcStatus
    if (status !== undefined && status > (worst?.failure?.definition.rpcStatus ?? 0)) worst = answer
  }
  return worst
}

/** RFC 9110 section 11.6.1: an HTTP 401 must have a challenge, whatever protocol runs over HTTP. */
function challengeTo({ failure, method }: Partial<CallResponse> = {}): Readonly<Record<string, string>> {
  const status = failure?.definition.rpcStatus
  if (status === undefined) return {}
  const challenge = failure?.challenge ?? (status === 401 ? method?.challenge : undefined)
  return challenge === undefined ? {} : { 'WWW-Authenticate': challenge }
}
