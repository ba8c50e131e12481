import type { SecurityScheme } from 'duet-runtime'

/** The typed client's helpers for credentials, apart from `ambient`. */
export type CredentialHelper = 'apiKey' | 'authorization' | 'basic' | 'bearer'

/**
 * The helper for the credential of a security scheme. Undefined for a client certificate, which is not part
 * of a request.
 */
export function credentialHelper(scheme: SecurityScheme): CredentialHelper | undefined {
  if (scheme.type === 'mutualTLS') return undefined
  if (scheme.type === 'apiKey') return 'apiKey'
  if (scheme.type !== 'http') return 'bearer'
  return scheme.scheme === 'basic' || scheme.scheme === 'bearer' ? scheme.scheme : 'authorization'
}

/** Whether a browser or a connection may add the credential automatically. */
export function mayBeAmbient(scheme: SecurityScheme): boolean {
  return scheme.type === 'mutualTLS' || (scheme.type === 'apiKey' && scheme.in === 'cookie')
}

/** Whether one request can carry credentials for all of these: there is one Authorization header, with one scheme. */
export function fitsOneRequest(schemes: readonly SecurityScheme[]): boolean {
  return new Set(schemes.flatMap((scheme) => authorizationScheme(scheme) ?? [])).size < 2
}

/** The authentication scheme in the Authorization header, in lower case. Undefined for a credential elsewhere. */
function authorizationScheme(scheme: SecurityScheme): string | undefined {
  if (scheme.type === 'apiKey' || scheme.type === 'mutualTLS') return undefined
  return scheme.type === 'http' ? scheme.scheme.toLowerCase() : 'bearer'
}
