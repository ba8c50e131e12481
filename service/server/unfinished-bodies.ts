import type { IncomingMessage } from 'node:http'

/** Bounds on bodies that are coming in at the same time. */
export interface BodyBounds {
  readonly bodies: number
  /** Of all together, as long as they are announced to be. */
  readonly bytes: number
}

/**
 * Requests whose bodies are still coming in, the oldest first. Of too many the oldest gives way: honest bodies come
 * within moments, so it is one that is slow on purpose. One that is here, and waits to be read, is no such body.
 */
export class UnfinishedBodies {
  readonly #requests = new Map<IncomingMessage, () => void>()
  readonly #most: BodyBounds
  readonly #giveWay: (request: IncomingMessage) => void
  #bytes = 0

  constructor(most: BodyBounds, giveWay: (request: IncomingMessage) => void) {
    this.#most = most
    this.#giveWay = giveWay
  }

  /** Adds a request until its body is here, which `here` is told of; at once where it has none. */
  add(request: IncomingMessage, here: () => void): void {
    if (bodyLength(request) === 0) {
      here()
      return
    }
    const arrive = () => {
      if (this.#remove(request)) here()
    }
    request.once('end', arrive)
    request.once('close', () => this.#remove(request))
    // What came with the head is read into memory by then, whether anybody asks for it or not.
    setImmediate(() => request.complete && arrive())
    this.#requests.set(request, here)
    this.#bytes += bodyLength(request)
    for (const [oldest, arrived] of this.#requests) {
      if (this.#requests.size <= this.#most.bodies && this.#bytes <= this.#most.bytes) return
      this.#remove(oldest)
      if (oldest.complete) arrived()
      else this.#giveWay(oldest)
    }
  }

  #remove(request: IncomingMessage): boolean {
    const isThere = this.#requests.delete(request)
    if (isThere) this.#bytes -= bodyLength(request)
    return isThere
  }
}

/** Bytes of a request's body, as far as it is read; what is not announced may be as long as a body may be. */
export function bodyLength({ headers }: IncomingMessage): number {
  const announced =
    headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : longest
  return Math.min(announced, longest)
}

const longest = 1_048_576
