import { type Prepared, pretty } from './request.js'

/** The outcome of a request. */
export type Outcome =
  | {
      readonly status: number
      readonly milliseconds: number
      readonly headers: readonly (readonly [string, string])[]
      /** As received; empty if there is none. */
      readonly body: string
      /** The body's value; undefined if it is not JSON. */
      readonly json: unknown
    }
  | { readonly failure: string }

/** Sends a request. A failure gets a message that helps the reader. */
export async function sent({ url, request, withCookies }: Prepared): Promise<Outcome> {
  // Fetch Standard, forbidden method.
  if (/^(?:CONNECT|TRACE|TRACK)$/.test(request.method))
    return { failure: `Browsers do not send ${request.method}. Use a sample.` }
  const start = performance.now()
  try {
    const { signal: _, ...options } = request
    const answer = await fetch(url, {
      ...options,
      credentials: withCookies ? 'same-origin' : 'omit',
      signal: AbortSignal.timeout(patience),
    })
    const text = await bodyText(answer)
    return {
      status: answer.status,
      milliseconds: performance.now() - start,
      headers: [...answer.headers],
      body: text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : pretty(text),
      json: jsonOf(text),
    }
  } catch (error) {
    return { failure: await reasonOf(error, url) }
  }
}

/** Milliseconds until a call times out. */
const patience = 30_000
/** Longest body that is shown, in characters. */
const mostCharacters = 200_000

async function bodyText(answer: Response): Promise<string> {
  const type = answer.headers.get('content-type') ?? ''
  if (!/json|text|xml|^$/.test(type)) return `${(await answer.blob()).size} bytes of ${type}`
  return await answer.text()
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
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return `${origin} has not answered within ${patience / 1000} s.`
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
