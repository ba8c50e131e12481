import { answeredMedia } from '../../contract/answered-media.js'
import { blobOf } from '../../contract/binaries.js'
import type { AnswerMedia, Operation } from '../../contract/operation.js'
import { pieceText, type StreamMedia } from '../../contract/piece.js'
import { ProblemError } from '../../contract/problem.js'
import { toBase64 } from '../../values/base64.js'

/**
 * A success that a handler returns in pieces. Bytes are sent unchanged. For server-sent events and JSON lines,
 * every other piece, texts included, is one event or line, and is validated before it is sent.
 */
export type Pieces<Item = unknown> = AsyncIterable<Item | Uint8Array> | ReadableStream

/** A success that is not plain JSON: its media type, and its content whole or in pieces. */
export interface MediaResult {
  readonly type: string
  readonly kind: AnswerMedia['kind']
  readonly content: Blob | string | AsyncIterable<Uint8Array>
}

/** Whether an operation may return a stream of values. */
export function isStreaming({ rest: { answers = [] } }: Operation): boolean {
  return answers.some(({ kind }) => kind === 'events' || kind === 'lines')
}

/** Whether a handler's result comes in pieces. */
export function isPieces(result: unknown): result is AsyncIterable<unknown> {
  return (
    typeof result === 'object' &&
    result !== null &&
    typeof Reflect.get(result, Symbol.asyncIterator) === 'function'
  )
}

/** A handler's result with its bytes as a Blob, as the validator and in-process callers expect. */
export function wholeResult(result: unknown, { rest }: Operation): unknown {
  const bytes = result instanceof ArrayBuffer ? new Uint8Array(result) : result
  return blobOf(bytes, concrete(mediaOf(rest.answers, 'binary')?.type) ?? '')
}

/**
 * How to write a result over HTTP; undefined for JSON. A text is JSON if the operation declares JSON and no
 * text.
 */
export function mediaResultOf(
  result: unknown,
  { rest: { answers = [] } }: Operation,
): MediaResult | undefined {
  if (result instanceof Blob) {
    // Callers read a response by the media types in the document.
    const [essence = ''] = result.type.split(';', 1)
    const own = answeredMedia(essence.trim(), answers) === undefined ? '' : result.type
    const documented = concrete(mediaOf(answers, 'binary')?.type)
    const type = own || documented || result.type || 'application/octet-stream'
    return { type, kind: 'binary', content: result }
  }
  if (isPieces(result)) {
    const media =
      mediaOf(answers, 'events') ??
      mediaOf(answers, 'lines') ??
      mediaOf(answers, 'binary') ??
      mediaOf(answers, 'text')
    const kind = media?.kind ?? 'binary'
    const type = textType(concrete(media?.type) ?? 'application/octet-stream', kind)
    return { type, kind, content: bytesOfPieces(result, media ?? { type, kind }) }
  }
  const media =
    typeof result === 'string' && !answers.some(({ kind }) => kind === 'json')
      ? answers.find(({ kind }) => kind !== 'binary')
      : undefined
  const text = media ?? (typeof result === 'string' ? mediaOf(answers, 'text') : undefined)
  if (typeof result !== 'string' || text === undefined) return undefined
  return { type: textType(concrete(text.type) ?? 'text/plain', text.kind), kind: text.kind, content: result }
}

/**
 * How to write a result over JSON-RPC; undefined for JSON. If the operation may return bytes, a text needs
 * base64 too, since callers decode it.
 */
export function rpcMediaResultOf(result: unknown, operation: Operation): MediaResult | undefined {
  const answer = mediaResultOf(result, operation)
  if (answer !== undefined || typeof result !== 'string') return answer
  const mayBeBytes = mediaOf(operation.rest.answers, 'binary') !== undefined
  return mayBeBytes ? { type: 'text/plain', kind: 'text', content: result } : undefined
}

/**
 * An answer as a JSON value: text as a string, bytes as base64. An operation that may return bytes returns
 * texts as base64 too, so that a caller need not guess.
 *
 * @param limit most bytes to collect
 * @throws ProblemError `payload_too_large` for more bytes
 */
export async function jsonOfMediaResult(
  answer: MediaResult,
  operation: Operation,
  limit: number,
): Promise<string> {
  const { content } = answer
  const isBytes = mediaOf(operation.rest.answers, 'binary') !== undefined
  if (typeof content === 'string' && !isBytes) return content
  const bytes = await collected(content, limit)
  return isBytes ? toBase64(bytes) : new TextDecoder().decode(bytes)
}

/**
 * Collects an answer: a Blob if the operation may return bytes, else a text. Throws as {@link jsonOfMediaResult}
 * does.
 */
export async function wholeMediaResult(
  answer: MediaResult,
  operation: Operation,
  limit: number,
): Promise<unknown> {
  const { content, type } = answer
  if (content instanceof Blob || typeof content === 'string') return content
  const bytes = await collected(content, limit)
  if (mediaOf(operation.rest.answers, 'binary') === undefined) return new TextDecoder().decode(bytes)
  return new Blob([bytes], { type })
}

/**
 * The bytes of an answer.
 *
 * @param limit most bytes to collect
 * @throws ProblemError `payload_too_large` for more bytes
 */
export async function collected(
  content: MediaResult['content'],
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (typeof content === 'string') return new Uint8Array(new TextEncoder().encode(content))
  if (content instanceof Blob) {
    if (content.size > limit) throw tooLong(limit)
    return new Uint8Array(await content.arrayBuffer())
  }
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of content) {
    length += chunk.length
    if (length > limit) throw tooLong(limit)
    chunks.push(chunk)
  }
  const whole = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

function tooLong(limit: number): ProblemError {
  return new ProblemError('payload_too_large', {
    detail: `The response has more than ${limit} bytes. Only REST can send all of it.`,
  })
}

async function* bytesOfPieces(
  pieces: AsyncIterable<unknown>,
  media: StreamMedia,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const piece of pieces) {
    yield piece instanceof Uint8Array ? piece : encoder.encode(pieceText(piece, media))
  }
}

function mediaOf(
  answers: readonly AnswerMedia[] | undefined,
  kind: AnswerMedia['kind'],
): AnswerMedia | undefined {
  return answers?.find((media) => media.kind === kind)
}

/** A concrete media type; undefined for a range such as `image/*`, which cannot be sent. */
function concrete(type: string | undefined): string | undefined {
  return type === undefined || type.includes('*') ? undefined : type
}

function textType(type: string, kind: AnswerMedia['kind']): string {
  return kind === 'text' ? `${type}; charset=utf-8` : type
}
