import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * The answers that connections end with, which say `Connection: close`. Of calls that are pipelined that is the answer to the
 * last: the others have theirs before.
 */
export class LastAnswers {
  readonly #bySocket = new WeakMap<Socket, ServerResponse>()

  /** Ends the connection with this answer, and not with one before it. */
  add(response: ServerResponse): void {
    const { socket } = response.req
    const before = this.#bySocket.get(socket)
    if (before !== undefined) before.shouldKeepAlive = true
    if (!response.shouldKeepAlive || response.headersSent) return
    response.shouldKeepAlive = false
    this.#bySocket.set(socket, response)
  }

  /** Whether a request came behind the last answer: its caller was told that it is not processed. */
  areBefore({ socket }: IncomingMessage): boolean {
    return this.#bySocket.get(socket)?.headersSent === true
  }
}

/**
 * Drops unparsed what still comes on a connection that takes no more requests. Else node:http goes on parsing, keeps each
 * request until the connection closes, and then takes time that grows with the square of their number.
 */
export function dropRest(socket: Socket): void {
  if (dropped.has(socket)) return
  dropped.add(socket)
  socket.removeAllListeners('data')
  // With a listener the socket gives its bytes to that one, and no longer straight to the parser.
  socket.on('data', () => {})
}

export function isDropped(socket: Socket): boolean {
  return dropped.has(socket)
}

const dropped = new WeakSet<Socket>()

/**
 * Takes the connections that wait to be accepted, which closing the port would reset, with the calls that they have
 * sent. Resolves right after the event loop has polled, when no connection has come for a moment or too many go on coming.
 */
export async function acceptAll(server: Server): Promise<void> {
  let found = 0
  const count = () => {
    found += 1
  }
  server.on('connection', count)
  for (let moment = 0, before = -1; moment < mostMoments && found !== before; moment++) {
    before = found
    await delay(momentMs)
    await new Promise((resolve) => setImmediate(resolve))
  }
  server.off('connection', count)
}

const momentMs = 50
const mostMoments = 20
