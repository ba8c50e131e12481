import type { IncomingMessage } from 'node:http'
import { TrackedRequest } from './tracked-request.js'

/** Bounds on bodies that arrive at the same time. */
export interface BodyBounds {
  readonly bodies: number
  /** Bytes received of all bodies together, with the memory cost of each piece. */
  readonly bytes: number
}

/**
 * Requests whose bodies are still arriving, by address. Beyond the number of bodies it drops the oldest one of the
 * address with the most: honest bodies arrive within moments, so the oldest is slow on purpose. Beyond the bytes it
 * drops the longest one of the address that has sent the most. A complete body that waits for its reader does not
 * count.
 *
 * Requests have to be {@link TrackedRequest}s.
 */
export class UnfinishedBodies {
  readonly #senders = new Map<string, Sender>()
  readonly #most: BodyBounds
  readonly #subjectOf: (request: IncomingMessage) => string
  readonly #giveWay: (request: IncomingMessage) => void
  #turn = 0
  #bodies = 0
  #bytes = 0

  constructor(
    most: BodyBounds,
    subjectOf: (request: IncomingMessage) => string,
    giveWay: (request: IncomingMessage) => void,
  ) {
    this.#most = most
    this.#subjectOf = subjectOf
    this.#giveWay = giveWay
  }

  /** Adds a request until its body is complete, then calls `here`. Calls it at once if there is no body. */
  add(request: IncomingMessage, here: () => void): void {
    if (bodyLength(request) === 0 || (request instanceof TrackedRequest && request.isWhole)) {
      here()
      return
    }
    const sender = this.#senderOf(this.#subjectOf(request))
    const body: Body = { request, turn: this.#turn++, bytes: 0 }
    sender.bodies.add(body)
    this.#bodies += 1
    request.on('received', (length: number) => this.#grow(sender, body, length + pieceBytes))
    request.once('whole', () => {
      if (this.#remove(sender, body)) here()
    })
    request.once('close', () => this.#remove(sender, body))
    while (this.#bodies > this.#most.bodies) {
      const crowd = this.#largest(({ bodies }) => bodies.size)
      const [oldest = body] = crowd.bodies
      this.#end(crowd, oldest)
    }
  }

  #grow(sender: Sender, body: Body, bytes: number): void {
    if (!sender.bodies.has(body)) return
    body.bytes += bytes
    sender.bytes += bytes
    this.#bytes += bytes
    while (this.#bytes > this.#most.bytes) {
      const crowd = this.#largest((each) => each.bytes)
      let longest = body
      for (const each of crowd.bodies) {
        if (!crowd.bodies.has(longest) || each.bytes > longest.bytes) longest = each
      }
      this.#end(crowd, longest)
    }
  }

  #senderOf(subject: string): Sender {
    const known = this.#senders.get(subject)
    if (known !== undefined) return known
    const sender: Sender = { subject, bodies: new Set(), bytes: 0 }
    this.#senders.set(subject, sender)
    return sender
  }

  /** The largest sender; of equal ones, the one with the oldest body. There must be one. */
  #largest(sizeOf: (sender: Sender) => number): Sender {
    return [...this.#senders.values()].reduce((most, each) => {
      const more = sizeOf(each) - sizeOf(most) || oldestTurn(most) - oldestTurn(each)
      return more > 0 ? each : most
    })
  }

  #end(sender: Sender, body: Body): void {
    this.#remove(sender, body)
    this.#giveWay(body.request)
  }

  #remove(sender: Sender, body: Body): boolean {
    if (!sender.bodies.delete(body)) return false
    sender.bytes -= body.bytes
    this.#bodies -= 1
    this.#bytes -= body.bytes
    if (sender.bodies.size === 0) this.#senders.delete(sender.subject)
    return true
  }
}

interface Body {
  readonly request: IncomingMessage
  /** Lower for an older body. */
  readonly turn: number
  bytes: number
}

/** The arriving bodies of one address. */
interface Sender {
  readonly subject: string
  /** The oldest first. */
  readonly bodies: Set<Body>
  bytes: number
}

function oldestTurn({ bodies: [oldest] }: Sender): number {
  return oldest?.turn ?? 0
}

/** A piece of one byte takes some 600 bytes of memory, one of a thousand twice its size. */
const pieceBytes = 1_024

/**
 * Bytes of a request's body that will be read. With Transfer-Encoding we assume the longest possible body until it is
 * complete.
 */
export function bodyLength(request: IncomingMessage): number {
  if (request instanceof TrackedRequest && request.isWhole) return Math.min(request.received, longest)
  const { headers } = request
  const announced =
    headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : longest
  return Math.min(announced, longest)
}

const longest = 1_048_576
