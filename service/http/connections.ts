import type { Socket } from 'node:net'

/**
 * Connections of a server. Beyond `most` the one that has been without a call for longest gives way; where all are
 * at work, the new one.
 */
export class Connections {
  readonly #most: number
  readonly #all = new Set<Socket>()
  /** Those without a call, the longest so first. */
  readonly #idle = new Set<Socket>()
  /** Calls under way by connection: a caller may send several before it has the first answer. */
  readonly #calls = new Map<Socket, number>()

  constructor(most: number) {
    this.#most = most
  }

  add(socket: Socket): void {
    if (this.#all.size >= this.#most) {
      const [idlest] = this.#idle
      ;(idlest ?? socket).destroy()
      if (idlest === undefined) return
      this.#remove(idlest)
    }
    this.#all.add(socket)
    this.#idle.add(socket)
    socket.once('close', () => this.#remove(socket))
  }

  /** A call has come in. */
  use(socket: Socket): void {
    this.#idle.delete(socket)
    this.#calls.set(socket, (this.#calls.get(socket) ?? 0) + 1)
  }

  /** The call has been answered. */
  rest(socket: Socket): void {
    const left = (this.#calls.get(socket) ?? 1) - 1
    if (left > 0) {
      this.#calls.set(socket, left)
      return
    }
    this.#calls.delete(socket)
    if (this.#all.has(socket)) this.#idle.add(socket)
  }

  get all(): Iterable<Socket> {
    return this.#all
  }

  /** Those without a call. */
  get idle(): Iterable<Socket> {
    return this.#idle
  }

  #remove(socket: Socket): void {
    this.#all.delete(socket)
    this.#idle.delete(socket)
  }
}
