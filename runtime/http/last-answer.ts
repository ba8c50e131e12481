import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Records each response of a connection when it begins, in order. */
export function beginAnswer({ socket }: IncomingMessage, response: ServerResponse): void {
  latest.set(socket, response)
}

/**
 * Ends the connection of a caller that exceeds its limits, or calls a busy process: refusing each pipelined
 * request takes time from others. Responses that have begun are completed; later requests on the connection
 * are not processed.
 */
export function endConnection({ socket }: IncomingMessage): void {
  if (ended.has(socket)) return
  ended.add(socket)
  closeGently(socket)
  const last = latest.get(socket)
  if (last?.headersSent === false) last.shouldKeepAlive = false
  else if (last?.closed === false) last.once('close', () => socket.destroySoon())
  else socket.destroySoon()
}

/**
 * Whether a request arrived on a connection that is ending, and must not be processed (RFC 9112, section
 * 9.6).
 */
export function isBehindLast({ socket }: Pick<IncomingMessage, 'socket'>): boolean {
  return ended.has(socket)
}

/** Makes node:http end a connection gently after its last response. */
export function closeGently(socket: Socket): void {
  socket.destroySoon = () => endGently(socket)
}

/**
 * Ends a connection without a reset: sends what was written, then reads and drops input until the caller has
 * closed its side (RFC 9112 section 9.6). If it closed with unread input, the kernel would discard responses
 * that the caller has not read.
 */
export function endGently(socket: Socket): void {
  if (socket.destroyed || socket.writableEnded) return
  socket.end()
  const late = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(late))
}

/** The response to the latest request of a connection. */
const latest = new WeakMap<Socket, ServerResponse>()
const ended = new WeakSet<Socket>()

/** How long a caller may take to close its side of a connection. */
const lingerMs = 1_000
