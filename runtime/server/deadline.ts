import { ProblemError } from '../contract/problem.js'
import { isThenable } from '../values/eventual.js'

/** `unavailable`: the time limit ended a call, or kept it from beginning. */
export class TimeLimitError extends ProblemError<'unavailable'> {
  constructor(detail: string) {
    super('unavailable', { detail, retryAfter: 1 })
  }
}

/** The time limit of a call, or of all calls of a batch, from now on. */
export class Deadline {
  readonly #ms: number
  #end: number
  #isUp = false
  #controller: AbortController | undefined

  /** @param ms milliseconds, fewer than 2 ** 31 */
  constructor(ms: number) {
    this.#ms = ms
    this.#end = performance.now() + ms
  }

  /** Throws `unavailable` if the time is up: calls that have not begun by then never run. */
  begin(): void {
    // A timer may fire a fraction of a millisecond early.
    if (!this.#isUp && performance.now() < this.#end) return
    throw new TimeLimitError(
      `Earlier calls of the batch used all of its ${this.#ms} ms. This one was not started.`,
    )
  }

  /** Ends the limit: a stream that has begun has limits of its own. */
  lift(): void {
    this.#end = Number.POSITIVE_INFINITY
  }

  /** Aborts when the time is up; created on access. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (performance.now() >= this.#end) this.#abort()
    return this.#controller.signal
  }

  /**
   * Settles with the work, or rejects with `unavailable` when the time is up, whatever the work does later.
   * Undefined if the work is synchronous, or the limit has been lifted.
   */
  within<Result>(work: Result | PromiseLike<Result>): Promise<Result> | undefined {
    if (!isThenable(work) || this.#end === Number.POSITIVE_INFINITY) return undefined
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#isUp = true
        this.#abort()
        reject(this.#late())
      }, this.#end - performance.now())
      const settled = Promise.resolve(work).finally(() => clearTimeout(timer))
      // If a handler reads the signal after the time is up, it may abort before the timer fires.
      const isGivenUp = (error: unknown) =>
        this.#controller?.signal.aborted === true && !(error instanceof ProblemError)
      settled.then(resolve, (error) => reject(isGivenUp(error) ? this.#late() : error))
    })
  }

  #late(): TimeLimitError {
    return new TimeLimitError(`The call did not end within ${this.#ms} ms.`)
  }

  #abort(): void {
    this.#controller?.abort(new Error('The call has timed out'))
  }
}
