import type { SecurityScheme } from 'duet-runtime'

/** What the typed client makes credentials with, apart from `ambient`. */
export type CredentialHelper = 'apiKey' | 'authorization' | 'basic' | 'bearer'

/** The helper that makes the credential of a security scheme; undefined for a client certificate, which no request carries. */
export function credentialHelper(scheme: SecurityScheme): CredentialHelper | undefined {
  if (scheme.type === 'mutualTLS') return undefined
  if (scheme.type === 'apiKey') return 'apiKey'
  if (scheme.type !== 'http') return 'bearer'
  return scheme.scheme === 'basic' || scheme.scheme === 'bearer' ? scheme.scheme : 'authorization'
}

/** Whether a browser or a connection may bring the credential by itself. */
export function mayBeAmbient(scheme: SecurityScheme): boolean {
  return scheme.type === 'mutualTLS' || (scheme.type === 'apiKey' && scheme.in === 'cookie')
}
