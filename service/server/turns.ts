import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { isOver } from '@duet/runtime'
import { dropRest } from './closing.js'
import { isBehindLast } from './response-of.js'

/** How many requests of one connection are taken at once, and how many may wait. */
export interface TurnBounds {
  /** In one turn of the event loop. */
  readonly inTurn: number
  readonly waiting: number
  /** On all connections together. */
  readonly waitingInAll: number
}

/**
 * Takes the requests of a connection a few in each turn of the event loop, and those of other connections between them:
 * a piece of 64 KB may hold two thousand, and all others would wait until the last one is answered.
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
    const line = this.#lines.get(socket) ?? { begun: 0, waiting: [], isClosed: false }
    this.#lines.set(socket, line)
    if (line.begun === 0) setImmediate(() => this.#next(socket, line))
    if (line.begun < this.#bounds.inTurn) {
      line.begun += 1
      begin()
    } else {
      line.waiting.push({ response, begin })
      this.#waiting += 1
    }
  }

  #next(socket: Socket, line: Line): void {
    line.begun = 0
    while (line.begun < this.#bounds.inTurn) {
      if (isOver({ socket }) || isBehindLast({ socket })) this.#waiting -= line.waiting.splice(0).length
      const next = line.waiting.shift()
      if (next === undefined) break
      this.#waiting -= 1
      line.begun += 1
      next.begin()
    }
    if (line.begun > 0) setImmediate(() => this.#next(socket, line))
  }
}

/** The requests of a connection. */
interface Line {
  /** In this turn. */
  begun: number
  readonly waiting: { readonly response: ServerResponse; readonly begin: () => void }[]
  /** Whether what comes now is not taken: an answer that waits ends the connection. */
  isClosed: boolean
}
