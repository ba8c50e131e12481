/** Work allowed for one question. Steps come first, so that an answer does not depend on the machine. */
export class Budget {
  readonly #limit: number
  #steps: number
  #ticks = 0
  readonly #deadline: number
  #asked = performance.now()

  /** @param steps units of work @param milliseconds of processor time after which nothing is decided any more */
  constructor(steps: number, milliseconds: number) {
    this.#limit = steps
    this.#steps = steps
    this.#deadline = processorTime() + milliseconds
  }

  /** Units of work done so far. */
  get spent(): number {
    return this.#limit - this.#steps
  }

  /** Counts work. Throws Exhausted when nothing is left. */
  spend(steps = 1): void {
    this.#steps -= steps
    if (this.#steps < 0) throw new Exhausted('the search needs more steps than the budget allows')
    this.#ticks += 1
    if (this.#ticks % 64 === 0 && this.#isOver())
      throw new Exhausted('the search needs more time than the budget allows')
  }

  /** The system is asked once in a while: that takes longer than the steps in between. */
  #isOver(): boolean {
    const now = performance.now()
    if (now - this.#asked < 10) return false
    this.#asked = now
    return processorTime() > this.#deadline
  }
}

/** What others run meanwhile on a busy machine does not count. */
function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Thrown where a question can't be decided: the message is the reason to report. */
export class Undecidable extends Error {}

/** Thrown when the budget is spent. */
class Exhausted extends Undecidable {}
