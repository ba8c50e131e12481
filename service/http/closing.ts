import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * The last answer of each connection, which ends it with `Connection: close`. With pipelined calls it is the last
 * call's.
 */
export class LastResponses {
  readonly #bySocket = new WeakMap<Socket, ServerResponse>()

  /** Makes an answer the last one of its connection, instead of an earlier answer. */
  add(response: ServerResponse): void {
    const { socket } = response.req
    const before = this.#bySocket.get(socket)
    if (before !== undefined) before.shouldKeepAlive = true
    if (!response.shouldKeepAlive || response.headersSent) return
    response.shouldKeepAlive = false
    this.#bySocket.set(socket, response)
  }

  /** Whether the connection's last answer was sent before this request: the caller knows that it is not processed. */
  areBefore({ socket }: IncomingMessage): boolean {
    return this.#bySocket.get(socket)?.headersSent === true
  }
}

/**
 * Drops all further bytes of a connection unparsed. Otherwise node:http parses them, keeps each request until the
 * connection closes, and then needs time that grows with the square of their number.
 */
export function dropRest(socket: Socket): void {
  if (dropped.has(socket)) return
  dropped.add(socket)
  socket.removeAllListeners('data')
  // With a listener the socket no longer passes its bytes straight to the parser.
  socket.on('data', () => {})
}

export function isDropped(socket: Socket): boolean {
  return dropped.has(socket)
}

const dropped = new WeakSet<Socket>()

/**
 * Accepts the connections in the backlog, with the calls they have sent. Closing the port would reset them. Resolves
 * right after a poll of the event loop, when no connection has arrived for a moment or too many keep arriving.
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
