import type { OutgoingHttpHeaders } from 'node:http'
import type { ProblemError } from 'duet-runtime'
import { shownWait } from '../shown.js'
import type { PageResult } from '../visit.js'

/**
 * Leads to a page that says how long to wait. Its reload sends no password and no code again, and after the wait shows
 * the form alone.
 */
export function limited(path: string, { retryAfter = 60 }: ProblemError, cookie?: string): PageResult {
  const separator = path.includes('?') ? '&' : '?'
  const until = Math.ceil(Date.now() / 1000) + retryAfter
  return {
    to: `${path}${separator}until=${until}`,
    status: 429,
    headers: { 'retry-after': String(retryAfter), ...(cookie !== undefined && { 'set-cookie': cookie }) },
  }
}

/** What such a page says. Undefined: the wait is over, or the address is not of a limit. */
export function waitIn(
  query: URLSearchParams,
): { readonly fault: string; readonly headers: OutgoingHttpHeaders } | undefined {
  if (query.get('done') !== 'limited') return undefined
  const seconds = Math.ceil(Number(query.get('until')) - Date.now() / 1000)
  if (!(seconds > 0 && seconds <= longestWait)) return undefined
  return {
    fault: `Too many attempts. Try again in ${shownWait(seconds)}.`,
    headers: { 'retry-after': String(seconds) },
  }
}

/** An hour. No limit takes longer, but anybody can write an address. */
const longestWait = 3600
