import { TimeLimitError } from './deadline.js'

/** The time limits of streams. */
export interface StreamLimits {
  readonly streamMs: number | undefined
  readonly streamIdleMs: number | undefined
}

/** The time limits of one stream. */
export class StreamLimit {
  readonly #limits: StreamLimits
  readonly #controller = new AbortController()

  constructor(limits: StreamLimits) {
    this.#limits = limits
  }

  /** Aborts when a limit ends the stream, since a handler that waits cannot be ended otherwise. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /**
   * The pieces, until a limit ends them.
   *
   * @throws TimeLimitError from the pieces
   */
  async *within<Piece>(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
    const { streamMs = Number.POSITIVE_INFINITY, streamIdleMs = Number.POSITIVE_INFINITY } = this.#limits
    const iterator = pieces[Symbol.asyncIterator]()
    const end = performance.now() + streamMs
    try {
      for (;;) {
        const left = end - performance.now()
        const late =
          left < streamIdleMs
            ? `The stream did not end within ${streamMs} ms.`
            : `The stream had nothing to send for ${streamIdleMs} ms.`
        const { done, value } = await this.#inTime(iterator.next(), Math.min(left, streamIdleMs), late)
        if (done === true) return
        yield value
      }
    } finally {
      // A handler that waits ends later, by its signal.
      Promise.resolve(iterator.return?.()).catch(() => {})
    }
  }

  async #inTime<Result>(work: Promise<Result>, ms: number, late: string): Promise<Result> {
    if (ms === Number.POSITIVE_INFINITY) return work
    let timer: ReturnType<typeof setTimeout> | undefined
    const limit = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new TimeLimitError(late)), Math.max(ms, 0))
    })
    try {
      return await Promise.race([work, limit])
    } catch (error) {
      if (error instanceof TimeLimitError) this.#controller.abort(error)
      throw error
    } finally {
      clearTimeout(timer)
    }
  }
}
