import { mainStream, piecesOf } from '../../client/client-stream.js'
import type { AnswerMedia, Operation } from '../../contract/operation.js'
import { pieceText } from '../../contract/piece.js'
import { eventOf } from '../../http/events.js'
import type { Failure } from '../../server/outcome/outcome.js'
import type { Id } from './bind.js'
import { errorText, resultText } from './respond.js'

/** The result of a call whose handler returns pieces. */
export interface PieceStream {
  readonly pieces: AsyncIterable<unknown>
  readonly operation: Operation
  readonly stringify: (piece: unknown) => string
  /** What a failure in mid-stream becomes. */
  readonly failureOf: (error: unknown) => Failure
}

/**
 * A stream of responses: an event with a response object for each piece, and a last one, `end`, whose result is null.
 * A failure is the last event, `error`. A piece with an `id`, as of server-sent events, gives its event that id.
 */
export async function* responseEvents(
  id: Id,
  { pieces, operation, stringify, failureOf }: PieceStream,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of valuesOf(operation, pieces))
      yield eventOf(resultText(id, stringify(piece)), idOf(piece))
  } catch (error) {
    yield eventOf(errorText(id, failureOf(error)), { event: 'error' })
    return
  }
  yield eventOf(resultText(id, 'null'), { event: 'end' })
}

/**
 * The pieces as values. From the first bytes on, a handler writes the stream itself, and its pieces are read from that.
 * So are events that the document does not describe, which callers receive as they arrive.
 */
async function* valuesOf(operation: Operation, pieces: AsyncIterable<unknown>): AsyncGenerator {
  const media = mainStream(operation)
  const iterator = pieces[Symbol.asyncIterator]()
  const rest = { [Symbol.asyncIterator]: () => iterator }
  try {
    for (;;) {
      const { done, value } = await iterator.next()
      if (done === true) return
      if (media !== undefined && (media.bare === true || value instanceof Uint8Array)) {
        const { int64: _, ...plain } = operation
        yield* piecesOf(plain, streamOf(bytesOf(value, media), rest, media), media)
        return
      }
      yield value
    }
  } finally {
    await iterator.return?.()
  }
}

/** Bytes that are read as they are wanted. */
function streamOf(
  first: Uint8Array,
  rest: AsyncIterable<unknown>,
  media: AnswerMedia,
): ReadableStream<Uint8Array> {
  const iterator = rest[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      start: (sink) => sink.enqueue(first),
      async pull(sink) {
        const { done, value } = await iterator.next()
        if (done === true) sink.close()
        else sink.enqueue(bytesOf(value, media))
      },
      async cancel() {
        await iterator.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}

function bytesOf(piece: unknown, media: AnswerMedia): Uint8Array {
  if (piece instanceof Uint8Array) return piece
  return new TextEncoder().encode(pieceText(piece, media))
}

function idOf(piece: unknown): { readonly id?: string } {
  const id: unknown = typeof piece === 'object' && piece !== null ? Reflect.get(piece, 'id') : undefined
  return typeof id === 'string' && !/[\r\n\0]/.test(id) ? { id } : {}
}
