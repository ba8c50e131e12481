import type { ServerResponse } from 'node:http'

/** How long it may take to read a whole answer once it is there, in milliseconds. */
export interface ReadTimes {
  readonly known: number
  /** What nobody known is answered with is short: problems, documents and pages of this service. */
  readonly anonymous: number
  /** So long an answer to nobody known may take where others need its place. */
  readonly spared: number
}

/** Answers that are there and have not been read: until then they are in memory, and have their place among those at work. */
export class UnreadAnswers {
  readonly #times: ReadTimes
  /** Those to nobody known by the address that they go to, with when they were there. */
  readonly #anonymous = new Map<string, Map<ServerResponse, number>>()

  constructor(times: ReadTimes) {
    this.#times = times
  }

  /**
   * Takes an answer that is there. The connection ends where it is not read in time.
   * @param address of a caller who is nobody known
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

  /** Ends the connections of nobody known that are slow at one address: the one that has most of them. */
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
