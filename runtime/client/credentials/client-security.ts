import type { Operation, SecurityScheme } from '../../contract/operation.js'
import { percentEncoded } from '../../values/cookie.js'
import { type Auth, type Credential, type CredentialKind, checkedHeader } from './client-auth.js'

export type SecuritySchemes = Readonly<Record<string, SecurityScheme>>

/** A security scheme, and the credential that a client has for it. */
export interface Configured {
  readonly name: string
  readonly scheme: SecurityScheme
  readonly credential: Credential
}

/** The credentials of one request, by their location. */
export interface SentCredentials {
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** `name=value`, percent-encoded. */
  readonly query: readonly string[]
  /** `name=value`. */
  readonly cookies: readonly string[]
}

/**
 * The schemes that credentials are for, by name.
 *
 * @throws TypeError for a scheme that the document does not declare or that takes another kind of credential;
 * for a credential without a scheme name that fits no scheme; for an API key that fits several
 */
export function configuredSchemes(
  schemes: SecuritySchemes,
  auth: Auth | undefined,
): ReadonlyMap<string, Configured> {
  if (auth === undefined) return new Map()
  const all = isCredential(auth) ? named(schemes, auth) : Object.entries(auth)
  const configured = new Map<string, Configured>()
  for (const [name, credential] of all) {
    if (credential === undefined) continue
    const scheme = Object.hasOwn(schemes, name) ? schemes[name] : undefined
    if (scheme === undefined)
      throw new TypeError(`There is no security scheme ${JSON.stringify(name)}; ${listed(schemes)}`)
    const kinds = kindsOf(scheme)
    if (!kinds.includes(credential.kind))
      throw new TypeError(`The security scheme ${JSON.stringify(name)} takes ${kinds.join(' or ')}`)
    configured.set(name, { name, scheme, credential })
  }
  return configured
}

/**
 * The credentials of these operations' calls: for each operation, those of the first alternative that is
 * fully configured. The empty alternative (anonymous calls) is the last resort. None if the operation is
 * public or no alternative is configured: then the service decides.
 */
export function neededCredentials(
  operations: readonly Operation[],
  configured: ReadonlyMap<string, Configured>,
): readonly Configured[] {
  const needed = operations.flatMap(({ security }) => {
    const alternatives = security.map((each) => Object.keys(each)).filter((names) => names.length > 0)
    const ready = alternatives.filter((names) => names.every((name) => configured.has(name)))
    return (
      ready.find((names) => fitsOneRequest(names.flatMap((name) => configured.get(name) ?? []))) ??
      ready[0] ??
      []
    )
  })
  return [...new Set(needed)].flatMap((name) => configured.get(name) ?? [])
}

/** The credentials' texts; each credential is asked once. */
export type CredentialTexts = ReadonlyMap<Credential, string>

/** @param refused texts that the service has just refused */
export async function textsOf(
  needed: readonly Configured[],
  refused?: CredentialTexts,
): Promise<CredentialTexts> {
  const credentials = [...new Set(needed.map(({ credential }) => credential))]
  return new Map(
    await Promise.all(credentials.map(async (each) => [each, await each.text(refused?.get(each))] as const)),
  )
}

/**
 * Adds the texts to the request as the schemes say.
 *
 * @throws TypeError for two different credentials at one location, and for a text that a header or a cookie cannot hold
 */
export function placeCredentials(needed: readonly Configured[], texts: CredentialTexts): SentCredentials {
  const headers = new Map<string, string>()
  const query = new Map<string, string>()
  const cookies = new Map<string, string>()
  for (const { name, scheme, credential } of needed) {
    const text = texts.get(credential) ?? ''
    if (credential.kind === 'ambient') continue
    if (scheme.type !== 'apiKey')
      put(headers, 'authorization', `${authorizationScheme(scheme)} ${text}`, name)
    else if (scheme.in === 'header') put(headers, scheme.name.toLowerCase(), checkedHeader(text), name)
    else if (scheme.in === 'query') put(query, scheme.name, text, name)
    else put(cookies, cookieText(scheme.name, name), cookieText(text, name), name)
  }
  const pairs = (map: ReadonlyMap<string, string>, encode: (text: string) => string) =>
    Array.from(map, ([name, text]) => `${encode(name)}=${encode(text)}`)
  return {
    headers: Object.fromEntries(headers),
    query: pairs(query, percentEncoded),
    cookies: pairs(cookies, String),
  }
}

/** A record's values are credentials, so none of them is a function. */
function isCredential(auth: Auth): auth is Credential {
  return typeof auth.text === 'function'
}

function named(schemes: SecuritySchemes, credential: Credential): [name: string, Credential][] {
  const fitting = Object.keys(schemes).filter((name) => {
    const scheme = schemes[name]
    return scheme !== undefined && kindsOf(scheme).includes(credential.kind)
  })
  if (fitting.length === 0)
    throw new TypeError(`No security scheme takes ${credential.kind}; ${listed(schemes)}`)
  if (credential.kind === 'apiKey' && fitting.length > 1)
    throw new TypeError(`Name the security scheme of the API key; ${listed(schemes)}`)
  return fitting.map((name) => [name, credential])
}

function listed(schemes: SecuritySchemes): string {
  const names = Object.keys(schemes).map((name) => JSON.stringify(name))
  return names.length === 0 ? 'the document has none' : `the document has ${names.join(', ')}`
}

function kindsOf(scheme: SecurityScheme): readonly CredentialKind[] {
  switch (scheme.type) {
    case 'apiKey':
      return scheme.in === 'cookie' ? ['apiKey', 'ambient'] : ['apiKey']
    case 'oauth2':
    case 'openIdConnect':
      return ['bearer']
    case 'mutualTLS':
      return ['ambient']
    case 'http':
      return scheme.scheme === 'basic' || scheme.scheme === 'bearer' ? [scheme.scheme] : ['authorization']
  }
}

function authorizationScheme(scheme: SecurityScheme): string {
  const name = scheme.type === 'http' ? scheme.scheme : 'bearer'
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** Throws for characters that a cookie value cannot have (RFC 6265, section 4.1.1). */
function cookieText(text: string, name: string): string {
  if (/^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/.test(text)) return text
  throw new TypeError(
    `The name or the key of ${JSON.stringify(name)} has characters that a cookie cannot have`,
  )
}

/** A request has one header Authorization, so it takes the credential of one scheme. */
function fitsOneRequest(needed: readonly Configured[]): boolean {
  const sent = needed.filter(
    ({ scheme, credential }) => scheme.type !== 'apiKey' && credential.kind !== 'ambient',
  )
  return new Set(sent.map(({ scheme }) => authorizationScheme(scheme).toLowerCase())).size < 2
}

function put(places: Map<string, string>, place: string, text: string, name: string): void {
  const other = places.get(place)
  if (other !== undefined && other !== text) {
    throw new TypeError(
      `${JSON.stringify(name)} and another security scheme need different credentials in ${place}, but a request has only one: send the calls of a batch one by one`,
    )
  }
  places.set(place, text)
}
