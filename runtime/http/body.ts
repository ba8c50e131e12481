import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { uncertainNumbers } from '../contract/exact-numbers.js'
import type { HttpRequest, ReadableRequest } from '../contract/http-request.js'
import { checkDepth, parseJson } from '../contract/json.js'
import type { Operation } from '../contract/operation.js'
import type { Json } from '../contract/parsed-json.js'
import { ProblemError } from '../contract/problem.js'
import type { WorkMeter } from '../server/api/options.js'
import type { Alternative, Anonymous } from '../server/authenticate.js'
import { measured } from '../server/work.js'
import type { Eventual } from '../values/eventual.js'
import { inOwnTurn } from '../values/own-turn.js'
import { DRAIN_FACTOR } from './unread.js'

/** The limits for reading a request body. */
export interface BodyRule {
  /** Largest body, in bytes. */
  readonly limit: number
  /** Most values and names in its JSON. */
  readonly values: number
  /** Most parts of a multipart body. */
  readonly parts: number
  /** The error for a body beyond the limit, if its length is not the only reason. */
  readonly refusal?: unknown
  /** Whether to accept JSON and forms that a body parser has parsed without keeping the bytes. */
  readonly acceptParsed: boolean
  /** Logs that such a body has a number which the parser may have rounded. */
  readonly warnRounded?: () => void
  /** Counts the work of reading and parsing. */
  readonly work: WorkMeter | undefined
  /** Keeps what was read, for reading it again. */
  readonly memory?: BodyMemory | undefined
}

/** Keeps bodies of requests, to bind them once more. */
export interface BodyMemory {
  /** Whether it keeps bodies of an operation, or the body of one request. */
  isFor(operation: Operation, request?: HttpRequest): boolean
  keep(request: HttpRequest, bytes: Buffer, json?: Json): void
  /** The JSON that was kept. It is given once. Undefined: there is none. */
  again?(request: HttpRequest): Json | undefined
}

/** How to read bodies of authenticated callers, and how many bytes to read of anonymous ones. */
export interface BodyRules {
  readonly known: BodyRule
  readonly anonymousLimit: number
  /** Every credential that the document accepts, with the first operation that accepts it. */
  readonly credentials: ReadonlyMap<Alternative, string>
}

export function withoutMemory({ known: { memory: _, ...known }, ...bodies }: BodyRules): BodyRules {
  return { ...bodies, known }
}

/**
 * Whether a request must authenticate before its body is read: the body is long, or its length is unknown.
 */
export function isLong({ headers }: HttpRequest, { known, anonymousLimit }: BodyRules): boolean {
  if (anonymousLimit >= known.limit) return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > anonymousLimit
}

/** The rule for a request without valid credentials. */
export function anonymousRule({ known, anonymousLimit }: BodyRules, { error }: Anonymous): BodyRule {
  const detail = `A body without valid credentials may have at most ${anonymousLimit} bytes.`
  const refusal = error ?? new ProblemError('payload_too_large', { detail })
  return { ...known, limit: anonymousLimit, refusal }
}

/** Whether a request announces a body (RFC 9112, section 6). */
export function hasBody(request: HttpRequest): boolean {
  const { headers } = request
  const length = headers['content-length']
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined
}

/** Whether a body has a transfer coding other than chunked, the only one that node:http decodes. */
export function isCoded({ headers }: HttpRequest): boolean {
  const codings = headers['transfer-encoding']
  return codings !== undefined && codings.trim().toLowerCase() !== 'chunked'
}

/**
 * Reads the JSON body of a request. Undefined if it is empty. If a body parser has consumed the body, reads the
 * bytes or the text that the parser kept. Without either, the digits of numbers are lost: refuses the body,
 * or, if the rule accepts it, lists the numbers that may have been rounded as inexact.
 *
 * @throws `parse_error` for malformed JSON or UTF-8, `payload_too_large` beyond the limits, an Error for a
 * refused body and for text that may or may not be JSON
 */
export function readJson(request: ReadableRequest, rule: BodyRule): Eventual<Json | undefined> {
  rule.work?.admit?.(request)
  if (!isConsumed(request))
    return receive(request, rule, (bytes) => {
      const json = jsonOf(bytes, rule)
      rule.memory?.keep(request, bytes, json)
      return json
    })
  const again = rule.memory?.again?.(request)
  if (again !== undefined) return again
  const bytes = keptBytes(request, rule)
  if (bytes !== undefined) return jsonOf(bytes, rule)
  const parsed = parsedBody(request)
  if (parsed === undefined) throw withoutBytes()
  if (typeof parsed === 'string' && isJsonText(parsed, request)) return parseJson(parsed, rule.values)
  if (!rule.acceptParsed) throw withoutBytes()
  checkDepth(parsed)
  return { value: parsed, inexact: warned(uncertainNumbers(parsed), rule), isRounded: true }
}

function* warned(pointers: Iterable<string>, { warnRounded }: BodyRule): Generator<string> {
  for (const pointer of pointers) {
    warnRounded?.()
    yield pointer
  }
}

/**
 * Reads the bytes of a body from the request, or from the body parser that consumed it. If the parser kept no bytes,
 * returns its result.
 *
 * @throws `payload_too_large` beyond the rule's limit, an Error for a result that the rule refuses
 */
export async function readBytes(
  request: ReadableRequest,
  rule: BodyRule,
): Promise<Buffer | { readonly parsed: unknown }> {
  rule.work?.admit?.(request)
  const bytes = isConsumed(request)
    ? keptBytes(request, rule)
    : await receive(request, rule, (read) => {
        rule.memory?.keep(request, read)
        return read
      })
  if (bytes !== undefined) return bytes
  const parsed = parsedBody(request)
  if (parsed === undefined) throw withoutBytes()
  if (typeof parsed === 'string') return Buffer.from(parsed)
  if (!rule.acceptParsed) throw withoutBytes()
  return { parsed }
}

/**
 * For the `verify` option of Express's body parsers: keeps a body's bytes as `request.rawBody`, so that the
 * api reads the numbers as they were sent, without the parser's rounding.
 */
export function keepRawBody(request: IncomingMessage, _response: ServerResponse, body: Buffer): void {
  Reflect.set(request, 'rawBody', body)
}

/** Decodes UTF-8. Throws `parse_error` for invalid UTF-8. */
export function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new ProblemError('parse_error', { detail: 'The body is not valid UTF-8.' })
  return bytes.toString('utf8')
}

/** Whether there is nothing left to read. An empty body may end unread. */
function isConsumed({ readableDidRead, readableEnded, destroyed }: ReadableRequest): boolean {
  return readableDidRead || readableEnded || destroyed
}

/** The bytes of a consumed body, if they are known. */
function keptBytes(request: ReadableRequest, rule: BodyRule): Buffer | undefined {
  if (!request.readableEnded && request.destroyed) throw endedEarly()
  if (!request.readableDidRead) return EMPTY
  const kept = [Reflect.get(request, 'rawBody'), parsedBody(request)].find(
    (each) => each instanceof Uint8Array,
  )
  // For authenticated callers the parser's own limit applies, since it has parsed the body.
  if (rule.refusal !== undefined && (kept?.length ?? 0) > rule.limit) throw tooLarge(rule)
  return kept && Buffer.from(kept)
}

/**
 * Whether a parser has left the text of the body, and not the string that this JSON text represents: the
 * quotes make a string's JSON text longer than the string.
 */
function isJsonText(text: string, { headers }: HttpRequest): boolean {
  const length = Number(headers['content-length'])
  const bytes = Buffer.byteLength(text)
  if (bytes <= length) return bytes === length
  throw new Error(
    'It is unknown whether a body parser has parsed the body. Mount the api before it, or give it verify: keepRawBody.',
  )
}

function parsedBody(request: HttpRequest): unknown {
  return Reflect.get(request, 'body')
}

function jsonOf(bytes: Buffer, { values }: BodyRule): Json | undefined {
  if (bytes.length === 0) return undefined
  return parseJson(textOf(bytes), values)
}

/** Passes the bytes of a body to `read`. */
function receive<Content>(
  request: ReadableRequest,
  rule: BodyRule,
  read: (bytes: Buffer) => Content,
): Promise<Content> {
  return new Promise((resolve, reject) => {
    const { limit } = rule
    const most = limit * (1 + DRAIN_FACTOR)
    // A caller that waits for 100 has sent nothing yet, so nothing has to be dropped.
    const declared = request.headers.expect === undefined ? most : limit
    if (Number(request.headers['content-length']) > declared) {
      reject(tooLarge(rule))
      return
    }
    let first: Buffer | undefined
    let chunks: Buffer[] | undefined
    let length = 0
    const take = (chunk: Buffer) => {
      length += chunk.length
      if (length <= limit) {
        if (first === undefined) first = chunk
        else if (chunks === undefined) chunks = [first, chunk]
        else chunks.push(chunk)
      } else if (length > most) {
        request.off('data', take)
        request.pause()
        reject(tooLarge(rule))
      }
    }
    const finish = () => {
      try {
        // Other requests of the same caller may have used up the budget since this read began.
        rule.work?.admit?.(request)
        resolve(
          measured(rule.work, request, () =>
            read(chunks === undefined ? (first ?? EMPTY) : Buffer.concat(chunks, length)),
          ),
        )
      } catch (error) {
        reject(error)
      }
    }
    request.on('data', take)
    request.on('end', () => {
      // After `close`, node:http removes the listener by a slower path.
      request.off('data', take)
      if (length > limit) reject(tooLarge(rule))
      else if (length > SHORT_BYTES) inOwnTurn(finish)
      else finish()
    })
    // `close` always comes, and last. Without an error listener nothing is reported: a caller that
    // disconnects is not a fault of the service.
    request.on('close', () => {
      if (!request.complete) reject(endedEarly())
    })
  })
}

const EMPTY = Buffer.alloc(0)

/** Bytes that take less than a millisecond to parse, whatever they contain. */
const SHORT_BYTES = 16_384

/**
 * A fault in how the api is mounted, so not a 400. The message is for the log: callers receive a plain
 * `internal_error`.
 */
function withoutBytes(): Error {
  return new Error(
    'A body parser or a framework has read the body and dropped its bytes. Mount the api before it (Fastify: register api.fastify()), give it verify: keepRawBody, or set acceptParsedBodies.',
  )
}

function endedEarly(): ProblemError {
  return new ProblemError('invalid_request', { detail: 'The body ended early.' })
}

function tooLarge({ limit, refusal }: BodyRule): unknown {
  return (
    refusal ?? new ProblemError('payload_too_large', { detail: `A body may have at most ${limit} bytes.` })
  )
}
