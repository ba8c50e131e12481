import { earlier } from '../../http/events.js'
import type { MediaResult } from '../../server/result/media-result.js'

/**
 * An answer whose first piece has been asked for: a handler that fails before it can still have a status. A stream that
 * has nothing to send yet begins without one, since its caller waits for the headers.
 *
 * @param ms how long to wait for the first piece
 * @param caller aborts when the caller is gone
 * @throws what the pieces throw within that time
 */
export async function begun(answer: MediaResult, ms: number, caller: AbortSignal): Promise<MediaResult> {
  const { content } = answer
  if (typeof content === 'string' || content instanceof Blob) return answer
  const iterator = content[Symbol.asyncIterator]()
  const first = iterator.next()
  await earlier(first, ms)
  if (caller.aborted) {
    Promise.resolve(iterator.return?.()).catch(() => {})
    throw caller.reason
  }
  let next = () => {
    next = () => iterator.next()
    return first
  }
  const all: AsyncIterator<Uint8Array> = {
    next: () => next(),
    async return() {
      await iterator.return?.()
      return { done: true, value: undefined }
    },
  }
  return { ...answer, content: { [Symbol.asyncIterator]: () => all } }
}
