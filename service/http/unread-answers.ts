import type { ServerResponse } from 'node:http'

/** Milliseconds that a caller has to read a complete answer. */
export interface ReadTimes {
  readonly known: number
  /** Answers to anonymous callers are short: problems, documents and pages of this service. */
  readonly anonymous: number
  /** The same for an anonymous caller while others need its place. */
  readonly spared: number
}

/** Complete answers that their callers have not read. They take memory, and count as calls in progress. */
export class UnreadResponses {
  readonly #times: ReadTimes
  /** Answers to anonymous callers by address, each with the time of its completion. */
  readonly #anonymous = new Map<string, Map<ServerResponse, number>>()

  constructor(times: ReadTimes) {
    this.#times = times
  }

  /**
   * Adds a complete answer. Closes its connection if the caller does not read it in time.
   * @param address of an anonymous caller; undefined for an authenticated one
   */
  add(response: ServerResponse, address: string | undefined): void {
    const { socket } = response
    if (socket === null || socket.writableLength === 0) return
    const { known, anonymous } = this.#times
    const timer = setTimeout(() => socket.destroy(), address === undefined ? known : anonymous)
    response.once('close', () => clearTimeout(timer))
    if (address === undefined) return
    const own = this.#anonymous.get(address) ?? new Map<ServerResponse, number>()
    this.#anonymous.set(address, own.set(response, performance.now()))
    response.once('close', () => {
      own.delete(response)
      if (own.size === 0 && this.#anonymous.get(address) === own) this.#anonymous.delete(address)
    })
  }

  /** Closes the slow anonymous connections of the address that has most of them. */
  giveWay(): void {
    const due = performance.now() - this.#times.spared
    let most: ServerResponse[] = []
    for (const own of this.#anonymous.values()) {
      if (own.size <= most.length) continue
      const slow = [...own].filter(([, since]) => since <= due).map(([response]) => response)
      if (slow.length > most.length) most = slow
    }
    for (const { socket } of most) socket?.destroy()
  }
}
