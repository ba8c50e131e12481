import type { Operation } from './operation.js'

/** Supplies the credentials of a client's calls. Public operations send none and never ask. */
export interface Auth {
  /** Headers that authenticate one HTTP request. What it throws ends the call. */
  headers(call: AuthCall): AuthHeaders | Promise<AuthHeaders>
  /**
   * Told that the service answered `invalid_token` to these headers. True: `headers` will give others,
   * so the call is repeated, once. The service has refused the call, so that repeating is always safe.
   */
  refused?(headers: AuthHeaders): boolean
}

export type AuthHeaders = Readonly<Record<string, string>>

/** What the credentials are for: one operation, or those of a batch. */
export interface AuthCall {
  readonly operations: readonly Operation[]
}

/**
 * Sends an API key with every call that needs one (seed section 5).
 *
 * @throws TypeError where the key cannot stand in a header
 */
export function apiKey(key: string, header = 'X-Api-Key'): Auth {
  const headers = { [header]: credential(key, 'API key') }
  return { headers: () => headers }
}

/**
 * Sends a bearer token (RFC 6750 section 2.1) as it is; {@link renewingToken} keeps one fresh.
 *
 * @throws TypeError where the token cannot stand in a header
 */
export function bearer(token: string): Auth {
  const headers = bearerHeaders(token)
  return { headers: () => headers }
}

/** The header of a bearer token; throws TypeError where the token cannot stand in one. */
export function bearerHeaders(token: string): { readonly Authorization: string } {
  return { Authorization: `Bearer ${credential(token, 'token')}` }
}

/** The message leaves the value out: errors end up in logs. */
function credential(value: string, noun: string): string {
  if (typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value)) {
    throw new TypeError(`The ${noun} must be printable ASCII without spaces, and not empty`)
  }
  return value
}
