import { type Prepared, pretty } from './request.js'

/** The outcome of a request. */
export type Outcome = Answer | { readonly failure: string }

export interface Answer {
  readonly status: number
  readonly milliseconds: number
  readonly headers: readonly (readonly [string, string])[]
  /** As received; empty if there is none. */
  readonly body: string
  /** The body's value; undefined if it is not JSON. */
  readonly json: unknown
  /** The whole body, if `body` does not show it. */
  readonly file?: File
}

/**
 * Sends a request. A failure gets a message that helps the reader.
 *
 * @param progress receives what has come of a stream
 */
export async function sent(
  { url, request, withCookies }: Prepared,
  progress: (answer: Answer) => void = () => {},
): Promise<Outcome> {
  // Fetch Standard, forbidden method.
  if (/^(?:CONNECT|TRACE|TRACK)$/.test(request.method))
    return { failure: `Browsers do not send ${request.method}. Use a sample.` }
  const start = performance.now()
  try {
    const { signal: _, ...options } = request
    const response = await fetch(url, {
      ...options,
      credentials: withCookies ? 'same-origin' : 'omit',
      signal: AbortSignal.timeout(patience),
    })
    if (response.type === 'opaqueredirect')
      return { failure: 'The service redirects this call. Browsers hide the address; a sample shows it.' }
    const answered = (body: string): Answer => ({
      status: response.status,
      milliseconds: performance.now() - start,
      headers: [...response.headers],
      body,
      json: jsonOf(body),
    })
    return await answerOf(response, answered, progress)
  } catch (error) {
    return { failure: await reasonOf(error, url) }
  }
}

/** Milliseconds until a call times out, and a stream is no longer read. */
const patience = 30_000
/** Milliseconds between two views of a stream. */
const between = 100
/** Longest body that is shown, in characters. */
const mostCharacters = 200_000

async function answerOf(
  response: Response,
  answered: (body: string) => Answer,
  progress: (answer: Answer) => void,
): Promise<Answer> {
  const type = response.headers.get('content-type') ?? ''
  if (!/json|text|xml|^$/.test(type)) {
    const bytes = await response.blob()
    return {
      ...answered(`${bytes.size} bytes of ${type}`),
      file: new File([bytes], fileName(response), { type }),
    }
  }
  if (/event-stream|ndjson|json-?lines?|jsonl|json-seq/.test(type)) {
    const head = answered('')
    return { ...head, body: await begunText(response, (body) => progress({ ...head, body })) }
  }
  const text = await response.text()
  const answer = answered(text)
  if (text.length <= mostCharacters) return { ...answer, body: pretty(text) }
  const body = `${text.slice(0, mostCharacters)}\n… and ${text.length - mostCharacters} more characters`
  return { ...answer, body, file: new File([text], fileName(response), { type }) }
}

/** The text of a stream, as far as it comes in time and can be shown. */
async function begunText({ body }: Response, progress: (text: string) => void): Promise<string> {
  const decoder = new TextDecoder()
  const reader = body?.getReader()
  let text = ''
  let showing: ReturnType<typeof setTimeout> | undefined
  try {
    while (text.length < mostCharacters) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done) return text
      text += decoder.decode(value, { stream: true })
      showing ??= setTimeout(() => {
        showing = undefined
        progress(text)
      }, between)
    }
    await reader?.cancel()
    return `${text}\n… The stream goes on.`
  } catch (error) {
    if (text === '') throw error
    const end = isTimeout(error)
      ? `The stream goes on after ${patience / 1000} s.`
      : 'The connection was lost.'
    return `${text}\n… ${end}`
  } finally {
    clearTimeout(showing)
  }
}

function fileName({ url, headers }: Response): string {
  const [, stated] = /filename="?([^";]+)/i.exec(headers.get('content-disposition') ?? '') ?? []
  return stated ?? (new URL(url).pathname.split('/').at(-1) || 'response')
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError'
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * The browser only reports that the request failed. Checking whether the server responds at all distinguishes
 * the two causes.
 */
async function reasonOf(error: unknown, url: string): Promise<string> {
  const { origin, protocol } = new URL(url)
  if (isTimeout(error)) return `${origin} has not answered within ${patience / 1000} s.`
  if (location.protocol === 'https:' && protocol === 'http:')
    return `This page came over https, and browsers block calls from it to http addresses. Open the reference from ${origin}/reference/.`
  if (origin === location.origin) return `Nothing answers at ${origin}. Is the service running?`
  const from = location.protocol === 'file:' ? 'null, because it comes from a file' : location.origin
  const remedy =
    `the origin of this page is ${from}. Open the reference of the service itself, at ${origin}/reference/, ` +
    'or let the service allow this origin.'
  try {
    // The response is opaque to pages of other origins; that there is one is enough.
    await fetch(`${origin}/healthz`, { mode: 'no-cors', signal: AbortSignal.timeout(3000) })
  } catch {
    return (
      `No response from ${origin} has reached this page. Is the service running, and is the address right? ` +
      `Or the service does not let pages of other origins read its responses (CORS): ${remedy}`
    )
  }
  return `${origin} answers, but does not let pages of other origins read its responses (CORS): ${remedy}`
}
