import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * How much of a body that is too large is read and dropped, as a multiple of what a body may have: a caller
 * reads its answer only once it has sent all, or finds its connection reset.
 */
export const DRAIN_FACTOR = 4

/**
 * Whether a request came behind the last answer of its connection. It is not to be processed (RFC 9112, section 9.6), and
 * `node:http` has no place for its answer: it would fail an assertion, and end the process.
 */
export function isOver({ socket }: Pick<IncomingMessage, 'socket'>): boolean {
  return socket.writableEnded || socket.destroyed
}

/** Whether more may come of a request's body than a body may have, so that the connection cannot be kept. */
export function isUnread({ complete, headers }: IncomingMessage, limit: number): boolean {
  if (complete) return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > limit
}

/**
 * Ends an answer that says `Connection: close` and is written already. What still comes of the request is
 * dropped, up to a bound in bytes and time; then the connection goes, whatever the caller does.
 */
export function endUnread(request: IncomingMessage, response: ServerResponse, limit: number): void {
  let rest = limit * DRAIN_FACTOR
  const end = () => {
    clearTimeout(timer)
    request.off('data', drop)
    request.pause()
    response.end()
  }
  const drop = (chunk: Buffer) => {
    rest -= chunk.length
    if (rest < 0) end()
  }
  const timer = setTimeout(end, DRAIN_MS).unref()
  request.on('data', drop)
  request.once('end', end)
  request.once('close', end)
  request.resume()
}

/** Time enough for what is on its way when the answer goes out. */
const DRAIN_MS = 1000
