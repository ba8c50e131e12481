import type { IncomingMessage, ServerResponse } from 'node:http'
import { isSecure, type TrustedProxies } from '../limits/client-address.js'

/**
 * Headers that every answer carries, those of the OWASP REST security cheat sheet and what Helmet sets beside them:
 * an answer is no page, frames nothing, is framed by nobody, and is read by no other origin without CORS. A page
 * sets its own Content-Security-Policy over it, and /healthz who may notice that it answers.
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
  // The filter of old browsers, which had faults of its own.
  'X-XSS-Protection': '0',
})
