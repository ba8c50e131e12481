import { answeredMedia } from '../contract/answered-media.js'
import { exactJson, type Int64PlaceOf, nativeInt64 } from '../contract/int64.js'
import type { AnswerMedia, Operation } from '../contract/operation.js'
import { type EventFields, readEvents, readFields } from '../values/event-reader.js'
import { readValues } from '../values/value-reader.js'
import { TransportError } from './client-error.js'
import type { ClientResponse, HeaderReader } from './transport.js'
import { roundedResult } from './transport-answer.js'

/** Whether an operation's responses are always, sometimes or never streams of pieces. */
export function streaming({ rest: { answers = [] } }: Operation): 'always' | 'sometimes' | 'never' {
  const streams = answers.filter(isStream).length
  return streams === 0 ? 'never' : streams === answers.length ? 'always' : 'sometimes'
}

/**
 * The pieces of a REST response as they arrive. A broken connection and a piece that is not JSON end them
 * with a TransportError.
 *
 * @throws TransportError `unexpected_response` if the response is not one of the operation's streams
 */
export async function arrivingPieces(
  operation: Operation,
  { data, status, rawHeaders }: ClientResponse<ReadableStream<Uint8Array>>,
): Promise<AsyncGenerator> {
  const type = typeOf(rawHeaders)
  const media = type === '' ? mainStream(operation) : answeredMedia(type, operation.rest.answers)
  if (media !== undefined && isStream(media)) return piecesOf(operation, data, media)
  await data.cancel()
  throw new TransportError('unexpected_response', `the response is not a stream but ${type}`, {
    operation: operation.name,
    status: status ?? 200,
  })
}

/**
 * The pieces of a stream that JSON-RPC returns as one result.
 *
 * @throws TransportError `unexpected_response` for a result that is not a stream
 */
export function collectedPieces(operation: Operation, result: unknown): AsyncGenerator {
  const media = mainStream(operation)
  const content = typeof result === 'string' ? new Blob([result]) : (result ?? new Blob([]))
  if (media !== undefined && content instanceof Blob) return piecesOf(operation, content.stream(), media)
  throw new TransportError('unexpected_response', 'the result is not a stream', {
    operation: operation.name,
    status: 200,
  })
}

/** The stream that a service writes if the request accepts any. */
export function mainStream({ rest: { answers = [] } }: Operation): AnswerMedia | undefined {
  return answers.find(({ kind }) => kind === 'events') ?? answers.find(isStream)
}

function isStream({ kind }: AnswerMedia): boolean {
  return kind === 'events' || kind === 'lines'
}

function typeOf(headers: HeaderReader): string {
  return headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** The pieces in the text of a stream. */
export function piecesOf(
  operation: Operation,
  content: ReadableStream<Uint8Array>,
  media: AnswerMedia,
): AsyncGenerator {
  return closing(readPieces(operation, content, media), content)
}

/** A generator that is ended before its first `next` would leave the content open. */
export function closing(pieces: AsyncGenerator, content: ReadableStream<Uint8Array>): AsyncGenerator {
  const end = pieces.return.bind(pieces)
  pieces.return = async (value) => {
    if (!content.locked) await content.cancel()
    return await end(value)
  }
  return pieces
}

async function* readPieces(
  operation: Operation,
  content: ReadableStream<Uint8Array>,
  media: AnswerMedia,
): AsyncGenerator {
  const { name, int64 } = operation
  const graph = int64?.piece
  const placeOf: Int64PlaceOf = (path) => graph && { graph, path }
  const parse = (text: string): unknown =>
    graph === undefined ? JSON.parse(text) : exactJson(text, placeOf).value
  const inData = (text: string): unknown =>
    graph === undefined
      ? JSON.parse(text)
      : exactJson(text, (path) => ({ graph, path: ['data', ...path] })).value
  const native = (piece: unknown) => {
    const error = roundedResult(operation, piece, undefined)
    if (error !== undefined) throw error
    return int64 === undefined ? piece : nativeInt64(piece, int64.as, graph)
  }
  try {
    if (media.kind === 'lines') for await (const piece of readValues(content, parse)) yield native(piece)
    else if (media.bare === true) yield* readEvents(content)
    else {
      for await (const event of readFields(content)) {
        if (media.data !== 'text' && media.text !== true && event.data === endOfData) return
        yield native(pieceOf(event, media, media.data === undefined ? parse : inData))
      }
    }
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    const message = `a piece of the stream is not JSON: ${cause.message}`
    throw new TransportError('unexpected_response', message, { operation: name, cause })
  }
}

/** OpenAI's streams end with this although it is not JSON, and other services copy it. */
const endOfData = '[DONE]'

type Parse = (text: string) => unknown

function pieceOf(event: EventFields, { data: written, text }: AnswerMedia, parse: Parse): unknown {
  if (text === true) return event.data
  if (written === undefined) return parse(event.data)
  if (written === 'text') return event
  const data = written === 'json' ? parse(event.data) : structureOf(event.data, parse)
  return { ...event, data }
}

/** Parses objects and lists; any other text stays text. */
function structureOf(text: string, parse: Parse): unknown {
  if (!/^[\s]*[[{]/.test(text)) return text
  try {
    return parse(text)
  } catch {
    return text
  }
}
