/** Work allowed for one question. Counts steps first, so that an answer does not depend on the machine. */
export class Budget {
  readonly #limit: number
  #steps: number
  #ticks = 0
  readonly #milliseconds: number
  #deadline: number | undefined
  #asked = performance.now()

  /** @param steps units of work @param milliseconds of processor time after which nothing more is decided */
  constructor(steps: number, milliseconds: number) {
    this.#limit = steps
    this.#steps = steps
    this.#milliseconds = milliseconds
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

  /**
   * Asks for the time only occasionally, because asking takes longer than the steps in between. The processor's time
   * runs from the first question on: most searches end before it.
   */
  #isOver(): boolean {
    const now = performance.now()
    if (now - this.#asked < 10) return false
    this.#asked = now
    const time = processorTime()
    this.#deadline ??= time + this.#milliseconds
    return time > this.#deadline
  }
}

/** Processor time of this process, without that of other programs on a busy machine. */
function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Thrown if a question cannot be decided. The message is the reason to report. */
export class Undecidable extends Error {}

/** Thrown if the budget is spent. */
class Exhausted extends Undecidable {}
