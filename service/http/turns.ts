import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { isBehindLast, isOver } from 'duet-runtime'
import { dropRest } from './closing.js'

/** How many requests may wait for earlier ones. */
export interface TurnBounds {
  /** On one connection. */
  readonly waiting: number
  /** On all connections together. */
  readonly waitingInAll: number
}

/**
 * Handles the requests of a connection one after another, each in its own turn of the event loop. So a caller that
 * pipelines gets no more of a node and its database than one that waits for each answer.
 */
export class Turns {
  readonly #bounds: TurnBounds
  readonly #lines = new WeakMap<Socket, Line>()
  #waiting = 0

  constructor(bounds: TurnBounds) {
    this.#bounds = bounds
  }

  /**
   * Accepts or refuses a request. Refuses those after an answer that ends the connection, and those beyond the bounds:
   * then the answer to the last waiting one ends the connection. Drops all bytes after a refused request.
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

  /** Begins a request in this turn or a later one. */
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
  /** Whether a request has begun and has no answer yet. */
  isAtWork: boolean
  readonly waiting: Waiting[]
  /** Whether the line refuses further requests, since a waiting answer ends the connection. */
  isClosed: boolean
}

interface Waiting {
  readonly response: ServerResponse
  readonly begin: () => void
}
