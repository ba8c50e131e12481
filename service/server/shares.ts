import { problem } from '../problem.js'

export interface SharesOptions {
  /** Whether half of what the node bears is taken, given how many calls are under way. */
  readonly isHalfTaken: (calls: number) => boolean
  /** Is told of each call that is refused. */
  readonly onShed: () => void
}

/**
 * Keeps the other half of a node for the others: once half is taken, whoever has more calls under way than all would
 * have if one more came, and each had as many, gets no further one.
 */
export class Shares {
  readonly #options: SharesOptions
  /** Calls under way, by who makes them. */
  readonly #held = new Map<string, number>()
  #all = 0

  constructor(options: SharesOptions) {
    this.#options = options
  }

  /**
   * Runs a call of somebody.
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
      const detail = 'You have more calls under way than your share of a busy node.'
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
