import type { IncomingMessage, ServerResponse } from 'node:http'
import { isSecure, type TrustedProxies } from '../limits/client-address.js'

/**
 * Sets the headers of every answer: those of the OWASP REST security cheat sheet, and Helmet's. An answer is not a
 * page, has no frames, refuses to be framed, and other origins cannot read it without CORS. A page overrides the
 * Content-Security-Policy, and /healthz the Cross-Origin-Resource-Policy.
 */
export function setSecurityHeaders(
  request: IncomingMessage,
  response: ServerResponse,
  trusted: TrustedProxies,
): void {
  for (const [name, value] of securityHeaders) response.setHeader(name, value)
  // RFC 6797 section 7.2: only over a secure connection.
  if (isSecure(request, trusted)) response.setHeader('Strict-Transport-Security', 'max-age=31536000')
}

export const securityHeaders = Object.entries({
  'Content-Security-Policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-DNS-Prefetch-Control': 'off',
  'X-Download-Options': 'noopen',
  'X-Frame-Options': 'DENY',
  'X-Permitted-Cross-Domain-Policies': 'none',
  // Turns off the filter of old browsers, which itself had security bugs.
  'X-XSS-Protection': '0',
})
