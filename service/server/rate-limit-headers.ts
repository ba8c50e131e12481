import type { HttpRequest } from 'duet-runtime'
import { responseOf } from '../http/response-of.js'
import type { Policy, Verdict } from '../limits/window.js'

/** Sets the headers with the remainder of a policy (draft-ietf-httpapi-ratelimit-headers-10, sections 2 and 3). */
export function setRateLimitHeaders(
  request: HttpRequest,
  { name, limit, seconds }: Policy,
  { remaining, seconds: rest }: Verdict,
): void {
  const response = responseOf(request)
  if (response === undefined || response.headersSent) return
  response.setHeader('RateLimit-Policy', `"${name}";q=${limit};w=${seconds}`)
  response.setHeader('RateLimit', `"${name}";r=${remaining};t=${rest}`)
}
