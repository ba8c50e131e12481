import { mainStream } from '../../client/client-stream.js'
import type { Operation } from '../../contract/operation.js'
import { pieceText } from '../../contract/piece.js'
import { ProblemError } from '../../contract/problem.js'
import { cut } from '../../contract/problem-size.js'
import { eventOf } from '../../http/events.js'
import { textContent } from './content.js'

/** A result in pieces, for a caller that asked for progress. */
export interface ProgressStream {
  readonly pieces: AsyncIterable<unknown>
  readonly operation: Operation
  /** What the caller named its request by. */
  readonly token: string | number
  /** Most bytes to collect. */
  readonly limit: number
  /** The response with a result's members, and with those of a failure. */
  readonly responded: (content: string) => string
  readonly failed: (error: unknown) => string
}

/**
 * A notification for each piece, and a response with all of them (MCP 2026-07-28, Progress). MCP has no result in
 * pieces.
 */
export async function* progressEvents({
  pieces,
  operation,
  token,
  limit,
  responded,
  failed,
}: ProgressStream): AsyncGenerator<Uint8Array> {
  const media = mainStream(operation)
  let text = ''
  let progress = 0
  try {
    for await (const piece of pieces) {
      const part =
        piece instanceof Uint8Array
          ? new TextDecoder().decode(piece)
          : media === undefined
            ? String(piece)
            : pieceText(piece, media)
      text += part
      if (text.length > limit)
        throw new ProblemError('payload_too_large', { detail: `The response has more than ${limit} bytes.` })
      progress += 1
      const params = { progressToken: token, progress, message: cut(part.trim(), LONGEST_MESSAGE) }
      yield eventOf(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params }))
    }
  } catch (error) {
    yield eventOf(failed(error))
    return
  }
  yield eventOf(responded(textContent(text)))
}

const LONGEST_MESSAGE = 1000
