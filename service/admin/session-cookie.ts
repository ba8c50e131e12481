import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** A new session token: 32 random bytes in base64url. Only the user's browser stores it. */
export function makeToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The digest under which the database stores a token. */
export function digestOf(token: string): Uint8Array {
  return createHash('sha256').update(token).digest()
}

/**
 * The CSRF token in every form of a session. Readers of the session's pages know it, but it is useless without the
 * cookie.
 */
export function formTokenOf(token: string): string {
  return createHmac('sha256', token).update('form').digest('base64url')
}

export function isFormTokenOf(token: string, given: string | null): boolean {
  const expected = Buffer.from(formTokenOf(token))
  const bytes = Buffer.from(given ?? '')
  return bytes.length === expected.length && timingSafeEqual(bytes, expected)
}

/** The token in a request's cookie. */
export function tokenOf(
  { headers }: Pick<IncomingMessage, 'headers'>,
  isSecure: boolean,
): string | undefined {
  const name = nameOf(isSecure)
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [key, value] = pair.trim().split('=', 2)
    if (key === name && value !== undefined && /^[\w-]{43}$/.test(value)) return value
  }
  return undefined
}

/**
 * The `Set-Cookie` that sets a token, or without one removes it. With `Lax` a link of another site opens the page that
 * it names. No GET changes anything, and forms of other sites are refused.
 */
export function cookieOf(token: string | undefined, isSecure: boolean): string {
  const age = token === undefined ? '; Max-Age=0' : ''
  return `${nameOf(isSecure)}=${token ?? ''}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}${age}`
}

/** The `Set-Cookie` of the second step of signing in: what the first one has shown, signed, for five minutes. */
export function stepCookieOf(step: string, isSecure: boolean): string {
  return `${nameOf(isSecure)}-step=${step}; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}; Max-Age=300`
}

/** The `Set-Cookie` of the login that was typed with a wrong password, for the page that says so. */
export function typedCookieOf(login: string, isSecure: boolean): string {
  const typed = Buffer.from(login).toString('base64url')
  return `${nameOf(isSecure)}-typed=${typed}; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}; Max-Age=300`
}

/** The login that was typed. Untrusted. */
export function typedIn(request: Pick<IncomingMessage, 'headers'>, isSecure: boolean): string {
  return Buffer.from(cookieIn(request, `${nameOf(isSecure)}-typed`) ?? '', 'base64url').toString('utf8')
}

export function stepIn(request: Pick<IncomingMessage, 'headers'>, isSecure: boolean): string | undefined {
  return cookieIn(request, `${nameOf(isSecure)}-step`)
}

function cookieIn({ headers }: Pick<IncomingMessage, 'headers'>, name: string): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [key, value] = pair.trim().split('=', 2)
    if (key === name && value !== undefined && value.length <= 1_500) return value
  }
  return undefined
}

/** A browser accepts the prefix only over TLS and for this host alone (RFC 6265bis section 4.1.3.2). */
function nameOf(isSecure: boolean): string {
  return isSecure ? '__Host-billing-admin' : 'billing-admin'
}
