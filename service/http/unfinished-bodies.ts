import type { IncomingMessage } from 'node:http'
import { ToldRequest } from './told-request.js'

/** Bounds on bodies that are coming in at the same time. */
export interface BodyBounds {
  readonly bodies: number
  /** Of what has come of all together, with what keeping each piece of it costs. */
  readonly bytes: number
}

/**
 * Requests whose bodies are still coming in, by the address that they come from. Of too many, one of the address with most
 * gives way, the oldest: honest bodies come within moments, so it is one that is slow on purpose. Of too long ones, the
 * longest of the address of which most has come. One that is here, and waits to be read, is no such body.
 *
 * Requests have to be {@link ToldRequest}s.
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

  /** Adds a request until its body is here, which `here` is told of; at once where it has none. */
  add(request: IncomingMessage, here: () => void): void {
    if (bodyLength(request) === 0 || (request instanceof ToldRequest && request.isWhole)) {
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

  /** There is one; of several that are alike, the one with the oldest body. */
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
  /** The older, the lower. */
  readonly turn: number
  bytes: number
}

/** What is coming in from one address. */
interface Sender {
  readonly subject: string
  /** The oldest first. */
  readonly bodies: Set<Body>
  bytes: number
}

function oldestTurn({ bodies: [oldest] }: Sender): number {
  return oldest?.turn ?? 0
}

/** A piece of one byte takes some 600 bytes in memory, one of a thousand twice its own. */
const pieceBytes = 1_024

/**
 * Bytes of a request's body, as far as it is read. A length that is not announced is known when the body is here; until
 * then it may be the longest.
 */
export function bodyLength(request: IncomingMessage): number {
  if (request instanceof ToldRequest && request.isWhole) return Math.min(request.received, longest)
  const { headers } = request
  const announced =
    headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : longest
  return Math.min(announced, longest)
}

const longest = 1_048_576
