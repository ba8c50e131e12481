import type { Deadline } from '../deadline.js'

/**
 * The pieces of a stream for one response that has all of them. They fail when the call ends before: a handler may just
 * return at its signal, and then what it has yielded is not the whole result.
 *
 * @param caller aborts when the caller is gone
 */
export async function* collectable<Piece>(
  pieces: AsyncIterable<Piece>,
  caller: AbortSignal,
  deadline: Deadline | undefined,
): AsyncGenerator<Piece> {
  const iterator = pieces[Symbol.asyncIterator]()
  const signal = deadline === undefined ? caller : AbortSignal.any([caller, deadline.signal])
  let leave = (_: unknown) => {}
  const abort = () => leave(signal.reason)
  signal.addEventListener('abort', abort)
  try {
    for (;;) {
      const { done, value } = await new Promise<IteratorResult<Piece, unknown>>((resolve, reject) => {
        leave = reject
        if (signal.aborted) abort()
        else iterator.next().then(resolve, reject)
      })
      // No timer fires while a handler that never waits has pieces, but asking for the signal compares the time.
      deadline?.signal.throwIfAborted()
      signal.throwIfAborted()
      if (done === true) return
      yield value
    }
  } finally {
    signal.removeEventListener('abort', abort)
    // A handler that waits ends later, by its signal.
    Promise.resolve(iterator.return?.()).catch(() => {})
  }
}
