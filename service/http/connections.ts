import type { Socket } from 'node:net'

/**
 * The connections of a server. Beyond `most` it closes the one that has been idle longest, or the new one if all
 * have calls in progress.
 */
export class Connections {
  readonly #most: number
  readonly #all = new Set<Socket>()
  /** Connections without a call, the longest idle first. */
  readonly #idle = new Set<Socket>()
  /** Calls in progress by connection. A caller may pipeline several. */
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

  use(socket: Socket): void {
    this.#idle.delete(socket)
    this.#calls.set(socket, (this.#calls.get(socket) ?? 0) + 1)
  }

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

  /** Connections without a call. */
  get idle(): Iterable<Socket> {
    return this.#idle
  }

  #remove(socket: Socket): void {
    this.#all.delete(socket)
    this.#idle.delete(socket)
  }
}
