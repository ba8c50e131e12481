import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { uncertainNumbers } from '../contract/exact-numbers.js'
import type { HttpRequest, ReadableRequest } from '../contract/http-request.js'
import { checkDepth, parseJson } from '../contract/json.js'
import type { Json } from '../contract/parsed-json.js'
import { ProblemError } from '../contract/problem.js'
import type { Alternative, Nobody } from '../server/authenticate.js'
import { measured, type WorkMeter } from '../server/work.js'
import type { Eventual } from '../values/eventual.js'
import { inOwnTurn } from '../values/own-turn.js'
import { DRAIN_FACTOR } from './unread.js'

/** How request bodies are read. */
export interface BodyRule {
  /** Most bytes that a body may have. */
  readonly limit: number
  /** Most values and names that its JSON may hold. */
  readonly values: number
  /** Most parts that a multipart body may have. */
  readonly parts: number
  /** What a longer body is refused with where that is not its length alone. */
  readonly refusal?: unknown
  /** Whether JSON is taken as a body parser has parsed it, its bytes being gone. */
  readonly acceptParsed: boolean
  /** What reading and parsing count with. */
  readonly work: WorkMeter | undefined
}

/** How bodies are read of callers that somebody stands behind, and how many bytes of the others'. */
export interface BodyRules {
  readonly known: BodyRule
  readonly anonymousLimit: number
  /** All that callers may be known by, and the first operation that takes it. */
  readonly credentials: ReadonlyMap<Alternative, string>
}

/** Whether a request has to be somebody's before its body is read: it is long, or may become so. */
export function isLong({ headers }: HttpRequest, { known, anonymousLimit }: BodyRules): boolean {
  if (anonymousLimit >= known.limit) return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > anonymousLimit
}

/** The rule for a request without good credentials. */
export function anonymousRule({ known, anonymousLimit }: BodyRules, { error }: Nobody): BodyRule {
  const detail = `A body may have ${anonymousLimit} bytes where no good credentials come with it.`
  const refusal = error ?? new ProblemError('payload_too_large', { detail })
  return { ...known, limit: anonymousLimit, refusal }
}

/** Whether a request announces a body (RFC 9112, section 6). */
export function hasBody(request: HttpRequest): boolean {
  const { headers } = request
  const length = headers['content-length']
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined
}

/** Whether a body comes in a transfer coding beside chunked, which alone node:http takes off. */
export function isCoded({ headers }: HttpRequest): boolean {
  const codings = headers['transfer-encoding']
  return codings !== undefined && codings.trim().toLowerCase() !== 'chunked'
}

/**
 * Reads the JSON body of a request. Undefined where it is empty. Bytes that a body parser has kept are read
 * as they came, and its text is parsed here. What it has parsed without keeping the bytes is refused, since
 * nobody can tell how its numbers were written, unless the rule accepts it: then those are inexact whose
 * digits may be gone. Throws `parse_error` for malformed JSON and UTF-8 and for text of which nobody can tell
 * whether it is JSON still, `payload_too_large` beyond the limits, `internal_error` for what is refused.
 */
export function readJson(request: ReadableRequest, rule: BodyRule): Eventual<Json | undefined> {
  rule.work?.admit?.(request)
  if (!isConsumed(request)) return receive(request, rule, (bytes) => jsonOf(bytes, rule))
  const bytes = keptBytes(request, rule)
  if (bytes !== undefined) return jsonOf(bytes, rule)
  const parsed = parsedBody(request)
  if (parsed === undefined) throw withoutBytes()
  if (typeof parsed === 'string' && isJsonText(parsed, request)) return parseJson(parsed, rule.values)
  if (!rule.acceptParsed) throw withoutBytes()
  checkDepth(parsed)
  return { value: parsed, inexact: uncertainNumbers(parsed), isRounded: true }
}

/**
 * The bytes of a request's body, as they are or as a body parser has kept them; else what a parser has made
 * of them. Throws `payload_too_large` beyond the rule's limit.
 */
export async function readBytes(
  request: ReadableRequest,
  rule: BodyRule,
): Promise<Buffer | { readonly parsed: unknown }> {
  rule.work?.admit?.(request)
  const bytes = isConsumed(request) ? keptBytes(request, rule) : await receive(request, rule, asTheyAre)
  if (bytes !== undefined) return bytes
  const parsed = parsedBody(request)
  if (parsed === undefined) throw withoutBytes()
  return typeof parsed === 'string' ? Buffer.from(parsed) : { parsed }
}

/**
 * For the `verify` option of Express's body parsers: keeps a body's bytes as `request.rawBody`, so that the
 * api reads the numbers as they were sent, not as the parser has rounded them.
 */
export function keepRawBody(request: IncomingMessage, _response: ServerResponse, body: Buffer): void {
  Reflect.set(request, 'rawBody', body)
}

/** The text of bytes. Throws `parse_error` where they are not UTF-8. */
export function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new ProblemError('parse_error', { detail: 'The body is not valid UTF-8.' })
  return bytes.toString('utf8')
}

/** Whether there is nothing left to read. A body without bytes may end with nothing having been read of it. */
function isConsumed({ readableDidRead, readableEnded, destroyed }: ReadableRequest): boolean {
  return readableDidRead || readableEnded || destroyed
}

/** The bytes of a body that is consumed, where they are known. */
function keptBytes(request: ReadableRequest, rule: BodyRule): Buffer | undefined {
  if (!request.readableEnded && request.destroyed) throw endedEarly()
  if (!request.readableDidRead) return EMPTY
  const kept = [Reflect.get(request, 'rawBody'), parsedBody(request)].find(
    (each) => each instanceof Uint8Array,
  )
  // What a known caller may send is the parser's to say, which has parsed it.
  if (rule.refusal !== undefined && (kept?.length ?? 0) > rule.limit) throw tooLarge(rule)
  return kept && Buffer.from(kept)
}

/**
 * Whether a parser has left the text of a body, and not the string that the text stands for: quotes alone
 * make JSON's text of a string longer than the string.
 */
function isJsonText(text: string, { headers }: HttpRequest): boolean {
  const length = Number(headers['content-length'])
  const bytes = Buffer.byteLength(text)
  if (bytes <= length) return bytes === length
  throw new ProblemError('parse_error', {
    detail: 'Whether a body parser has parsed the body is not known: give it verify: keepRawBody.',
  })
}

function parsedBody(request: HttpRequest): unknown {
  return Reflect.get(request, 'body')
}

function jsonOf(bytes: Buffer, { values }: BodyRule): Json | undefined {
  if (bytes.length === 0) return undefined
  return parseJson(textOf(bytes), values)
}

function asTheyAre(bytes: Buffer): Buffer {
  return bytes
}

/** What `read` makes of the bytes of a body. */
function receive<Content>(
  request: ReadableRequest,
  rule: BodyRule,
  read: (bytes: Buffer) => Content,
): Promise<Content> {
  return new Promise((resolve, reject) => {
    const { limit } = rule
    const most = limit * (1 + DRAIN_FACTOR)
    // A caller that waits for 100 has sent nothing yet that would have to be dropped.
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
        // Others of the same caller may have worked since this body was asked for.
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
      // Else node:http removes it by a slower way.
      request.off('data', take)
      if (length > limit) reject(tooLarge(rule))
      else if (length > SHORT_BYTES) inOwnTurn(finish)
      else finish()
    })
    // Comes always, and last. Without a listener an error is not told: a caller that goes is none of the service's.
    request.on('close', () => {
      if (!request.complete) reject(endedEarly())
    })
  })
}

const EMPTY = Buffer.alloc(0)

/** Bytes that are read in less than a millisecond, whatever they hold. */
const SHORT_BYTES = 16_384

/** A fault of how the api is mounted, so no 400; it tells what to do, which no secret is. */
function withoutBytes(): ProblemError {
  return new ProblemError('internal_error', {
    detail:
      'A body parser or a framework has read the body and dropped its bytes. Mount the api before it (Fastify: register api.fastify()), give it verify: keepRawBody, or set acceptParsedBodies.',
  })
}

function endedEarly(): ProblemError {
  return new ProblemError('invalid_request', { detail: 'The body ended early.' })
}

function tooLarge({ limit, refusal }: BodyRule): unknown {
  return refusal ?? new ProblemError('payload_too_large', { detail: `A body may have ${limit} bytes.` })
}
