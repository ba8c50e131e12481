import type { HttpRequest } from '../contract/http-request.js'

/** Whether a caller takes server-sent events: `Accept` names them, and does not refuse them by `q=0`. */
export function acceptsEvents({ headers: { accept = '' } }: Pick<HttpRequest, 'headers'>): boolean {
  return accept
    .toLowerCase()
    .split(',')
    .some((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
      return type === EVENTS && !parameters.some((each) => /^q=0(\.0*)?$/.test(each))
    })
}

export const EVENTS = 'text/event-stream'

/** One event with a text of one line. */
export function eventOf(data: string, { event, id }: { readonly event?: string; readonly id?: string } = {}) {
  const named = event === undefined ? '' : `event: ${event}\n`
  const numbered = id === undefined ? '' : `id: ${id}\n`
  return encoder.encode(`${named}${numbered}data: ${data}\n\n`)
}

/** Events with comments between them, so that proxies do not take a quiet stream for a dead one. */
export async function* keptAlive(
  content: AsyncIterable<Uint8Array>,
  everyMs: number,
): AsyncGenerator<Uint8Array> {
  const iterator = content[Symbol.asyncIterator]()
  let next = iterator.next()
  let isBetweenLines = true
  try {
    for (;;) {
      const chunk = await earlier(next, everyMs)
      if (chunk === undefined) {
        if (isBetweenLines) yield COMMENT
      } else if (chunk.done === true) return
      else {
        isBetweenLines = chunk.value.at(-1) === LINE_FEED
        yield chunk.value
        next = iterator.next()
      }
    }
  } finally {
    Promise.resolve(iterator.return?.()).catch(() => {})
  }
}

/** What the work comes to; undefined after some milliseconds. */
export async function earlier<Result>(work: Promise<Result>, ms: number): Promise<Result | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  try {
    return await Promise.race([work, wait])
  } finally {
    clearTimeout(timer)
  }
}

const encoder = new TextEncoder()

/** Without a blank line, which would end an event that has begun (HTML Living Standard, section 9.2.6). */
const COMMENT = encoder.encode(':\n')

const LINE_FEED = 10
