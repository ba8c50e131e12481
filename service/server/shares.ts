import { problem } from '../problem.js'

export interface SharesOptions {
  /** Whether the calls in progress use half of the node's capacity. */
  readonly isHalfTaken: (calls: number) => boolean
  /** Runs for each refused call. */
  readonly onShed: () => void
}

/**
 * Keeps half of a node for other callers. Once half of it is in use, it refuses a caller that has more calls in
 * progress than the average would be with one more caller.
 */
export class Shares {
  readonly #options: SharesOptions
  /** Calls in progress by caller. */
  readonly #held = new Map<string, number>()
  #all = 0

  constructor(options: SharesOptions) {
    this.#options = options
  }

  /**
   * Runs a call of the caller `who`.
   * @throws ProblemError `unavailable`
   */
  async run<Result>(who: string, call: () => Promise<Result>): Promise<Result> {
    this.#enter(who)
    try {
      return await call()
    } finally {
      this.#leave(who)
    }
  }

  #enter(who: string): void {
    const own = this.#held.get(who) ?? 0
    const isOver = own * (this.#held.size + 1) > this.#all
    if (isOver && this.#options.isHalfTaken(this.#all)) {
      this.#options.onShed()
      const detail = 'You have more calls in progress than your share of a busy node.'
      throw problem('unavailable', { detail, retryAfter: 1 })
    }
    this.#held.set(who, own + 1)
    this.#all += 1
  }

  #leave(who: string): void {
    const left = (this.#held.get(who) ?? 1) - 1
    if (left > 0) this.#held.set(who, left)
    else this.#held.delete(who)
    this.#all -= 1
  }
}
