import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * How much of a too large body to read and drop, as a multiple of the limit: many callers read the response
 * only after sending everything, or else see a connection reset.
 */
export const DRAIN_FACTOR = 4

/**
 * Whether a request arrived after the last response of its connection. It must not be processed (RFC 9112,
 * section 9.6), and `node:http` cannot send a response: an assertion would fail and end the process.
 */
export function isOver({ socket }: Pick<IncomingMessage, 'socket'>): boolean {
  return socket.writableEnded || socket.destroyed
}

/** Whether the rest of a request's body may exceed the limit, so the connection must close. */
export function isUnread({ complete, headers }: IncomingMessage, limit: number): boolean {
  if (complete) return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > limit
}

/**
 * Ends a response that has `Connection: close` and is already written. Drops the rest of the request up to a
 * bound in bytes and time, then closes the connection.
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

/** Enough time for bytes in flight when the response is sent. */
const DRAIN_MS = 1000
