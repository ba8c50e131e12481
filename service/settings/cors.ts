import type { IncomingMessage, ServerResponse } from 'node:http'

/** Origins whose pages may call (CORS_ORIGINS). `*`: any. */
export type AllowedOrigins = ReadonlySet<string> | '*'

/** Reads CORS_ORIGINS: `*`, or a comma-separated list of origins such as https://app.example. Undefined: invalid. */
export function readOrigins(text: string): AllowedOrigins | undefined {
  if (text === '*') return '*'
  const origins = text.split(',').map((part) => part.trim())
  return origins.every(isOrigin) ? new Set(origins) : undefined
}

/**
 * Lets pages of the allowed origins read the answer (Fetch, section 3.2) and answers their preflights. Credentials
 * are headers that a page sets itself, so cookies are never allowed.
 * @returns whether the request was a preflight, which it has answered
 */
export function answerCors(
  request: IncomingMessage,
  response: ServerResponse,
  allowed: AllowedOrigins,
): boolean {
  if (allowed !== '*') response.appendHeader('Vary', 'Origin')
  const { origin } = request.headers
  if (origin === undefined || !(allowed === '*' || allowed.has(origin))) return false
  response.setHeader('Access-Control-Allow-Origin', allowed === '*' ? '*' : origin)
  if (!isPreflight(request)) {
    response.setHeader('Access-Control-Expose-Headers', exposed)
    return false
  }
  response
    .writeHead(204, {
      'Access-Control-Allow-Headers': accepted,
      'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'Access-Control-Max-Age': '600',
    })
    .end()
  return true
}

/** Whether the request is a CORS preflight (Fetch, section 3.3.2). */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  )
}

const accepted =
  'API-Version, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Traceparent, Tracestate, X-Api-Key, X-Request-Id'
const exposed =
  'API-Successor-Version, API-Version, Deprecation, ETag, Problem-Code, RateLimit, RateLimit-Policy, Retry-After, Sunset, WWW-Authenticate, X-Request-Id'

function isOrigin(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text
}
