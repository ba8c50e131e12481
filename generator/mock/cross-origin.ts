import type { IncomingMessage, ServerResponse } from 'node:http'

/** Whether only programs on this machine can reach a listening address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

/**
 * Permits pages of every origin to call the mock (Fetch Standard, CORS protocol), also with credentials.
 *
 * @returns whether the request was a preflight and has its response
 */
export function allowOrigin({ method, headers }: IncomingMessage, response: ServerResponse): boolean {
  const { origin } = headers
  if (origin === undefined) return false
  response.setHeader('Access-Control-Allow-Origin', origin)
  response.setHeader('Access-Control-Allow-Credentials', 'true')
  response.setHeader('Access-Control-Expose-Headers', exposed)
  response.setHeader('Vary', 'Origin')
  const wanted = headers['access-control-request-method']
  if (method !== 'OPTIONS' || wanted === undefined) return false
  response.setHeader('Access-Control-Allow-Methods', wanted)
  const sent = headers['access-control-request-headers']
  if (sent !== undefined) response.setHeader('Access-Control-Allow-Headers', sent)
  response.setHeader('Access-Control-Max-Age', '600')
  response.writeHead(204).end()
  return true
}

/** With credentials, `*` is an ordinary header name, so the headers are listed. */
const exposed =
  'Deprecation, Link, Location, Problem-Code, Retry-After, Sunset, WWW-Authenticate, X-Request-Id'
