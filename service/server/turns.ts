import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { isBehindLast, isOver } from 'duet-runtime'
import { dropRest } from './closing.js'

/** How many requests of one connection are worked on, and how many may wait. */
export interface TurnBounds {
  /** Without an answer. */
  readonly atOnce: number
  /** Milliseconds of work in one turn of the event loop, beyond which the next turn begins one request alone. */
  readonly turnMs: number
  readonly waiting: number
  /** On all connections together. */
  readonly waitingInAll: number
}

/**
 * Begins the requests of a connection a few in each turn of the event loop, and those of other connections between them:
 * a piece of 64 KB may hold two thousand, and all others would wait until the last one is answered. What a request costs
 * is known only once it has been worked on, so a connection begins with one, and may begin twice as many in each turn
 * while they cost little.
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
    const line = this.#lines.get(socket) ?? newLine()
    this.#lines.set(socket, line)
    if (line.waiting.length === 0 && this.#hasTurn(line)) this.#begin(socket, line, { response, begin })
    else {
      line.waiting.push({ response, begin })
      this.#waiting += 1
    }
  }

  /** Is told how long a request of a connection has kept the event loop. */
  worked(socket: Socket, milliseconds: number): void {
    const line = this.#lines.get(socket)
    if (line !== undefined) line.workMs += milliseconds
  }

  #hasTurn({ begun, most, atWork }: Line): boolean {
    return begun < most && atWork < this.#bounds.atOnce
  }

  #begin(socket: Socket, line: Line, { response, begin }: Waiting): void {
    line.begun += 1
    line.atWork += 1
    response.once('close', () => {
      line.atWork -= 1
      if (line.waiting.length > 0) this.#wake(socket, line)
    })
    this.#wake(socket, line)
    begin()
  }

  #wake(socket: Socket, line: Line): void {
    if (line.isAwake) return
    line.isAwake = true
    setImmediate(() => this.#next(socket, line))
  }

  #next(socket: Socket, line: Line): void {
    const { atOnce, turnMs } = this.#bounds
    if (line.workMs > turnMs) line.most = 1
    else if (line.begun === line.most) line.most = Math.min(2 * line.most, atOnce)
    line.begun = 0
    line.workMs = 0
    line.isAwake = false
    while (this.#hasTurn(line)) {
      if (isOver({ socket }) || isBehindLast({ socket })) this.#waiting -= line.waiting.splice(0).length
      const next = line.waiting.shift()
      if (next === undefined) break
      this.#waiting -= 1
      this.#begin(socket, line, next)
    }
  }
}

/** The requests of a connection. */
interface Line {
  /** In this turn. */
  begun: number
  /** How many may begin in this turn. */
  most: number
  /** Milliseconds of work in this turn. */
  workMs: number
  /** Begun, and not answered. */
  atWork: number
  /** Whether the next turn looks for what waits. */
  isAwake: boolean
  readonly waiting: Waiting[]
  /** Whether what comes now is not taken: an answer that waits ends the connection. */
  isClosed: boolean
}

interface Waiting {
  readonly response: ServerResponse
  readonly begin: () => void
}

function newLine(): Line {
  return { begun: 0, most: 1, workMs: 0, atWork: 0, isAwake: false, waiting: [], isClosed: false }
}
