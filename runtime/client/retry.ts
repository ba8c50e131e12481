import { ApiError, TransportError } from './client-error.js'

/** How often and how soon to retry a call that is safe to repeat. All times are milliseconds. */
export interface RetryOptions {
  /** Retries after the first attempt. Default: 2. */
  readonly retries?: number | undefined
  /** Upper bound of the first wait; doubles with each retry. Default: 200. */
  readonly baseDelay?: number | undefined
  /** Upper bound of any wait without `Retry-After`. Default: 5000. */
  readonly maxDelay?: number | undefined
  /** Longest `Retry-After` to wait for; a longer one ends the call. Default: 30000. */
  readonly maxRetryAfter?: number | undefined
}

/**
 * Milliseconds to wait before the next attempt: exponential backoff with full jitter, and at least the
 * response's `Retry-After`.
 *
 * @param retried the number of retries so far
 * @returns undefined if the call is over: the failure is not transient, no retries are left, or the wait is
 * too long
 */
export function retryDelay(error: unknown, retried: number, options: RetryOptions): number | undefined {
  if (!isTransient(error) || retried >= (options.retries ?? 2)) return undefined
  const asked = error.retryAfterMs ?? 0
  if (asked > (options.maxRetryAfter ?? 30_000)) return undefined
  const bound = Math.min(options.maxDelay ?? 5000, (options.baseDelay ?? 200) * 2 ** retried)
  return Math.max(asked, Math.random() * bound)
}

/** Whether the same call may succeed later: no connection, no response in time, or 429, 502, 503, 504. */
export function isTransient(error: unknown): error is ApiError | TransportError {
  if (error instanceof ApiError) return transientStatuses.has(error.status)
  if (!(error instanceof TransportError)) return false
  if (error.reason === 'unexpected_response') return transientStatuses.has(error.status ?? 0)
  return error.reason === 'network' || error.reason === 'timeout'
}

/**
 * Milliseconds that a `Retry-After` header asks for: seconds or an HTTP-date (RFC 9110 section 10.2.3). Reads
 * only IMF-fixdate, the one date format that senders may still use (section 5.6.7).
 *
 * @returns undefined without a header and for any other text
 */
export function retryAfter(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const time = imfFixdate.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : Math.max(0, time - now)
}

const transientStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504])
const imfFixdate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/
