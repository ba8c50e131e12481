import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { isBehindLast, isOver } from 'duet-runtime'
import { dropRest } from './closing.js'

/** How many requests may wait for those before them. */
export interface TurnBounds {
  /** On one connection. */
  readonly waiting: number
  /** On all connections together. */
  readonly waitingInAll: number
}

/**
 * Works on the requests of a connection one after another, and begins each in a turn of the event loop of its own: who
 * sends many without waiting for the answers gets no more of a node, and of its database, than who waits.
 */
export class Turns {
  readonly #bounds: TurnBounds
  readonly #lines = new WeakMap<Socket, Line>()
  #waiting = 0

  constructor(bounds: TurnBounds) {
    this.#bounds = bounds
  }

  /**
   * Whether a request is taken at all. It is not behind an answer that ends its connection, nor where too many wait: then
   * the answer to the last of them does. Nothing is read behind a request that is not taken.
   */
  takes(request: IncomingMessage): boolean {
    const isTaken = this.#hasRoom(request)
    if (!isTaken) dropRest(request.socket)
    return isTaken
  }

  #hasRoom(request: IncomingMessage): boolean {
    if (isOver(request) || isBehindLast(request)) return false
    const line = this.#lines.get(request.socket)
    if (line === undefined || line.waiting.length === 0) return true
    const { waiting, waitingInAll } = this.#bounds
    const isFull = line.waiting.length >= waiting || this.#waiting >= waitingInAll
    if (isFull && !line.isClosed) {
      line.isClosed = true
      const last = line.waiting.at(-1)
      if (last !== undefined) last.response.shouldKeepAlive = false
    }
    return !line.isClosed
  }

  /** Begins a request, in this turn or in one of the next. */
  take({ socket }: IncomingMessage, response: ServerResponse, begin: () => void): void {
    const line = this.#lines.get(socket) ?? { isAtWork: false, waiting: [], isClosed: false }
    this.#lines.set(socket, line)
    if (!line.isAtWork) this.#begin(socket, line, { response, begin })
    else {
      line.waiting.push({ response, begin })
      this.#waiting += 1
    }
  }

  #begin(socket: Socket, line: Line, { response, begin }: Waiting): void {
    line.isAtWork = true
    response.once('close', () => setImmediate(() => this.#next(socket, line)))
    begin()
  }

  #next(socket: Socket, line: Line): void {
    if (isOver({ socket }) || isBehindLast({ socket })) this.#waiting -= line.waiting.splice(0).length
    const next = line.waiting.shift()
    line.isAtWork = next !== undefined
    if (next === undefined) return
    this.#waiting -= 1
    this.#begin(socket, line, next)
  }
}

/** The requests of a connection. */
interface Line {
  /** Whether one has begun, and is not answered. */
  isAtWork: boolean
  readonly waiting: Waiting[]
  /** Whether what comes now is not taken: an answer that waits ends the connection. */
  isClosed: boolean
}

interface Waiting {
  readonly response: ServerResponse
  readonly begin: () => void
}
