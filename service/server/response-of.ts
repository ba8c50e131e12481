import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { closeGently } from './closing.js'

/** Keeps the response to a request for those that are told the request alone. */
export function keepResponse(request: IncomingMessage, response: ServerResponse): void {
  responses.set(request, response)
  latest.set(request.socket, response)
}

export function responseOf(request: IncomingMessage): ServerResponse | undefined {
  return responses.get(request)
}

/**
 * Ends the connection of a request that asked too much, or came to a node that is too busy: to refuse each call of a long
 * line takes time that others wait. What has begun is answered, and what comes behind it is not taken.
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

const responses = new WeakMap<IncomingMessage, ServerResponse>()
/** The response to the last request of a connection that has begun. */
const latest = new WeakMap<Socket, ServerResponse>()
const ended = new WeakSet<Socket>()
