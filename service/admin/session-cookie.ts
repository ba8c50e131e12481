import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** A new token of a session: 32 random bytes in base64url. Only its owner's browser has it. */
export function makeToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What the database knows a token by. */
export function digestOf(token: string): Uint8Array {
  return createHash('sha256').update(token).digest()
}

/** What every form of a session carries: known to who can read the session's pages, and useless without its cookie. */
export function formTokenOf(token: string): string {
  return createHmac('sha256', token).update('form').digest('base64url')
}

export function isFormTokenOf(token: string, given: string | null): boolean {
  const expected = Buffer.from(formTokenOf(token))
  const bytes = Buffer.from(given ?? '')
  return bytes.length === expected.length && timingSafeEqual(bytes, expected)
}

/** The token that a request's cookie has. */
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

/** `Set-Cookie` that gives the browser a token, or, with none, takes it away. */
export function cookieOf(token: string | undefined, isSecure: boolean): string {
  const age = token === undefined ? '; Max-Age=0' : ''
  return `${nameOf(isSecure)}=${token ?? ''}; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}${age}`
}

/** A browser takes the prefix only of what came encrypted and for this host alone (RFC 6265bis section 4.1.3.2). */
function nameOf(isSecure: boolean): string {
  return isSecure ? '__Host-billing-admin' : 'billing-admin'
}
