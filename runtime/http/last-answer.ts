import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Is told of each answer that has to be given, in their order. */
export function beginAnswer({ socket }: IncomingMessage, response: ServerResponse): void {
  latest.set(socket, response)
}

/**
 * Ends the connection of a request that asked too much, or came to a process that is too busy: to refuse each call of a
 * long line takes time that others wait. What has begun is answered, and what comes behind it is not taken.
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

/** Whether a request came on a connection that is to end, and is not to be taken (RFC 9112, section 9.6). */
export function isBehindLast({ socket }: Pick<IncomingMessage, 'socket'>): boolean {
  return ended.has(socket)
}

/** Has node:http end a connection gently behind its last answer. */
export function closeGently(socket: Socket): void {
  socket.destroySoon = () => endGently(socket)
}

/**
 * Ends a connection without a reset: what was written goes out, and what still comes is read and dropped until the
 * caller has ended its side too (RFC 9112 section 9.6). To close with bytes unread would have the kernel throw away
 * answers that the caller has not read.
 */
export function endGently(socket: Socket): void {
  if (socket.destroyed || socket.writableEnded) return
  socket.end()
  const late = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(late))
}

/** The response to the last request of a connection that has begun. */
const latest = new WeakMap<Socket, ServerResponse>()
const ended = new WeakSet<Socket>()

/** How long a caller may take to close its side of a connection that has ended. */
const lingerMs = 1_000
