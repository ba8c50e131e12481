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

/** Whether one request can have a credential for each of these: there is one header Authorization, of one scheme. */
export function fitsOneRequest(schemes: readonly SecurityScheme[]): boolean {
  return new Set(schemes.flatMap((scheme) => authorizationScheme(scheme) ?? [])).size < 2
}

/** The scheme that a credential has in the header Authorization, in lower case; undefined for one that stands elsewhere. */
function authorizationScheme(scheme: SecurityScheme): string | undefined {
  if (scheme.type === 'apiKey' || scheme.type === 'mutualTLS') return undefined
  return scheme.type === 'http' ? scheme.scheme.toLowerCase() : 'bearer'
}
