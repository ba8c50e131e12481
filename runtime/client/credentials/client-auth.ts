import { toBase64 } from '../../values/base64.js'

/** What a client sends for one security scheme of the document. */
export interface Credential<Kind extends CredentialKind = CredentialKind> {
  /** Decides which security schemes it fits. */
  readonly kind: Kind
  /**
   * The text to send. The client asks before each attempt; if this throws, the call fails.
   *
   * @param refused the text that the service has just refused with a 401. If this returns another text, the
   * client sends the call once more. The refused attempt changed nothing, so that is always safe.
   */
  text(refused?: string): string | Promise<string>
}

export type CredentialKind = 'apiKey' | 'basic' | 'bearer' | 'authorization' | 'ambient'

/** Credentials by security scheme name, or one credential for all schemes of its kind. */
export type Auth = Credential | Credentials
type Credentials = Readonly<Record<string, Credential | undefined>>

/** A secret, or a function that gives it; see {@link Credential.text}. */
export type Secret = string | ((refused?: string) => string | Promise<string>)

/**
 * The key of a scheme of type `apiKey`, sent in the header, query parameter or cookie that the scheme names. Browsers
 * let no script set a cookie for a request: use {@link ambient} there. A header and a cookie carry only printable ASCII;
 * for another key the call fails.
 *
 * @throws TypeError for an empty key, and one with control characters
 */
export function apiKey(key: Secret): Credential<'apiKey'> {
  return { kind: 'apiKey', text: textOf(key, 'API key', carriedByQueries) }
}

/**
 * The username and password of the `http` scheme `basic` (RFC 7617), in UTF-8.
 *
 * @throws TypeError for control characters, and for a colon in the username
 */
export function basic(username: string, password: Secret): Credential<'basic'> {
  if (!/^[^:\p{Cc}]*$/u.test(username))
    throw new TypeError('The username must have no colon and no control characters')
  const encoded = (text: string) => {
    if (/\p{Cc}/u.test(text)) throw new TypeError('The password must have no control characters')
    return toBase64(new TextEncoder().encode(`${username}:${text}`))
  }
  if (typeof password === 'string') {
    const text = encoded(password)
    return { kind: 'basic', text: () => text }
  }
  let last: { readonly password: string; readonly text: string } | undefined
  return {
    kind: 'basic',
    async text(refused) {
      const current = await password(refused === last?.text ? last?.password : undefined)
      last = { password: current, text: encoded(current) }
      return last.text
    },
  }
}

/**
 * The token of a scheme of type `oauth2` or `openIdConnect`, or of the `http` scheme `bearer` (RFC 6750).
 * {@link renewingToken} keeps one fresh.
 *
 * @throws TypeError for a token that is not printable ASCII without spaces
 */
export function bearer(token: Secret): Credential<'bearer'> {
  return { kind: 'bearer', text: textOf(token, 'token', noSpaces) }
}

/**
 * The credentials after the scheme name in the header `Authorization`, for any other `http` scheme.
 *
 * @throws TypeError for a text that is not printable ASCII
 */
export function authorization(credentials: Secret): Credential<'authorization'> {
  return { kind: 'authorization', text: textOf(credentials, 'text of Authorization', anyText) }
}

/**
 * For a scheme whose credential the client does not send itself: a cookie that the browser sends, or a client
 * certificate of the connection. The scheme counts as configured.
 */
export const ambient: Credential<'ambient'> = { kind: 'ambient', text: () => '' }

/** Throws TypeError if a header cannot carry an API key. */
export function checkedHeader(key: string): string {
  return checked(key, 'API key in a header', anyText)
}

/** Throws TypeError if the text is not a valid bearer token. */
export function checkedToken(token: string): string {
  return checked(token, 'token', noSpaces)
}

/** Percent-encoding carries any well-formed text. */
const carriedByQueries = /^[^\p{Cc}\p{Cs}]+$/u
const anyText = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/
const noSpaces = /^[\x21-\x7e]+$/

function textOf(secret: Secret, noun: string, pattern: RegExp): Credential['text'] {
  if (typeof secret !== 'function') {
    const text = checked(secret, noun, pattern)
    return () => text
  }
  return async (refused) => checked(await secret(refused), noun, pattern)
}

/** The message omits the value: errors end up in logs. */
function checked(value: string, noun: string, pattern: RegExp): string {
  if (typeof value === 'string' && pattern.test(value)) return value
  if (pattern === carriedByQueries)
    throw new TypeError(`The ${noun} must be a text without control characters, and not empty`)
  const spaces = pattern === noSpaces ? 'without spaces' : 'without spaces at its ends'
  throw new TypeError(`The ${noun} must be printable ASCII ${spaces}, and not empty`)
}
