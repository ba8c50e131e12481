import type { TLSSocket } from 'node:tls'
import type { ErrorCatalogue } from '../contract/catalogue.js'
import type { Contract } from '../contract/contract.js'
import type { HttpRequest } from '../contract/http-request.js'
import type { Operation, SecurityRequirement, SecurityScheme } from '../contract/operation.js'
import { ProblemError } from '../contract/problem.js'
import { cookieValue } from '../values/cookie.js'
import { type Eventual, whenKnown } from '../values/eventual.js'
import { setMember } from '../values/object.js'
import type { ApiOptions, AuthenticationCall } from './api/options.js'
import { MissingCredentialsError } from './missing-credentials.js'

/**
 * One way to authenticate: each of its schemes must find its credential. Equal alternatives are one object.
 */
export interface Alternative {
  readonly schemes: readonly CredentialReader[]
  /** Scopes by scheme name. */
  readonly scopes: SecurityRequirement
  /** Tells which of the hook's errors refuse a credential. */
  readonly errors: ErrorCatalogue
}

/** Reads one scheme's credential from a request. */
interface CredentialReader {
  readonly name: string
  readonly scheme: SecurityScheme
  /** Undefined if the request has none. An empty credential counts as none. */
  readonly read: (request: HttpRequest) => string | undefined
}

/**
 * Readers of every operation's security alternatives, in the document's order, but the empty one last: it
 * would accept every caller before any credentials are checked. Throws for a scheme that the contract does
 * not declare.
 */
export function alternativesOf(contract: Contract): (operation: Operation) => readonly Alternative[] {
  const interned = new Map<string, Alternative>()
  const intern = (operation: Operation, requirement: SecurityRequirement): Alternative => {
    const names = Object.keys(requirement).sort()
    const scopes = Object.fromEntries(names.map((name) => [name, requirement[name] ?? []]))
    const key = JSON.stringify(scopes)
    const known = interned.get(key)
    if (known !== undefined) return known
    const schemes = names.map((name) => readerOf(contract, operation, name))
    const alternative = { schemes, scopes, errors: contract.errors }
    interned.set(key, alternative)
    return alternative
  }
  return (operation) => {
    const alternatives = operation.security.map((requirement) => intern(operation, requirement))
    return alternatives.sort((a, b) => Number(isEmpty(a)) - Number(isEmpty(b)))
  }
}

type AuthenticationOptions<Principal> = Pick<ApiOptions<unknown, Principal>, 'authenticate' | 'scopes'>

/** Whether the operation refuses anonymous callers: it has alternatives, and no empty one. */
export function isSecured(operation: Operation): boolean {
  return operation.security.length > 0 && operation.security.every((each) => Object.keys(each).length > 0)
}

/**
 * Authenticates the caller of one HTTP exchange. A batch asks the hook once per alternative, however many
 * calls it has.
 */
export class Authentication<Principal> {
  readonly #request: HttpRequest
  readonly #options: AuthenticationOptions<Principal>
  #asked: TriedAlternative<Principal> | undefined

  constructor(request: HttpRequest, options: AuthenticationOptions<Principal>) {
    this.#request = request
    this.#options = options
  }

  /**
   * The principal of the first alternative whose credentials the hook accepts. Undefined for a public
   * operation, and for one with an empty alternative if the request has no credentials. Throws the most
   * specific refusal: `unauthenticated` only if the request has no credentials. Refused credentials are
   * refused under an empty alternative too: continuing as anonymous would hide from a caller that its key or
   * token has expired (RFC 6750, section 3.1: 401). An error that is not a refusal, such as a rate limit,
   * ends the search: another credential must not bypass it.
   */
  principal(
    alternatives: readonly Alternative[],
    call: (alternative: Alternative) => AuthenticationCall,
  ): Eventual<Principal | undefined> {
    return alternatives.length === 0 ? undefined : this.#firstOf(alternatives, 0, call, undefined)
  }

  #firstOf(
    alternatives: readonly Alternative[],
    index: number,
    call: (alternative: Alternative) => AuthenticationCall,
    refusal: Refusal | undefined,
  ): Eventual<Principal | undefined> {
    const alternative = alternatives[index]
    if (alternative === undefined || isEmpty(alternative)) {
      if (refusal !== undefined) throw refusal.error
      if (alternative === undefined) throw new MissingCredentialsError(alternatives)
      return undefined
    }
    const asked = this.#answerTo(alternative, call)
    if (asked === undefined) return this.#firstOf(alternatives, index + 1, call, refusal)
    const refused = (error: unknown): Eventual<Principal | undefined> => {
      if (!isRefusal(error, alternative)) throw error
      return this.#firstOf(alternatives, index + 1, call, moreSpecific(refusal, { error, alternative }))
    }
    if (asked.refusal !== undefined) return refused(asked.refusal.error)
    return asked.answer instanceof Promise ? asked.answer.catch(refused) : asked.answer
  }

  /** Whether the caller has authenticated. A check in progress counts. */
  get isKnown(): boolean {
    return this.#asked !== undefined && this.#asked.refusal === undefined
  }

  /**
   * Why a request has no valid credentials for any operation; undefined if it has. The most
   * specific refusal counts; it has no error if the request has no credentials.
   */
  refusal(
    alternatives: Iterable<Alternative>,
    call: (alternative: Alternative) => AuthenticationCall,
  ): Eventual<Anonymous | undefined> {
    const [alternative, ...others] = alternatives
    if (alternative === undefined) return ANONYMOUS
    const asked = this.#answerTo(alternative, call)
    if (asked === undefined) return this.refusal(others, call)
    const refused = (error: unknown): Eventual<Anonymous | undefined> =>
      whenKnown(this.refusal(others, call), (later) => later && moreSpecific({ error, alternative }, later))
    const { answer, refusal } = asked
    if (refusal !== undefined) return refused(refusal.error)
    return answer instanceof Promise ? answer.then(() => undefined, refused) : undefined
  }

  /**
   * The hook's outcome for an alternative, asked once; undefined if the request does not have all its
   * credentials.
   */
  #answerTo(
    alternative: Alternative,
    call: (alternative: Alternative) => AuthenticationCall,
  ): TriedAlternative<Principal> | undefined {
    let asked = this.#asked
    while (asked !== undefined && asked.alternative !== alternative) asked = asked.earlier
    if (asked !== undefined) return asked
    const credentials = this.#credentials(alternative)
    return credentials && this.#ask(alternative, credentials, call(alternative))
  }

  #credentials({ schemes }: Alternative): Record<string, string> | undefined {
    const credentials: Record<string, string> = {}
    for (const { name, read } of schemes) {
      const credential = read(this.#request)
      if (credential === undefined || credential === '') return undefined
      setMember(credentials, name, credential)
    }
    return credentials
  }

  #ask(
    alternative: Alternative,
    credentials: Record<string, string>,
    call: AuthenticationCall,
  ): TriedAlternative<Principal> {
    const asked: TriedAlternative<Principal> = {
      alternative,
      earlier: this.#asked,
      answer: undefined,
      refusal: undefined,
    }
    this.#asked = asked
    const { authenticate, scopes } = this.#options
    try {
      asked.answer = whenKnown(authenticate?.(credentials, call), (principal) => {
        const known = requirePrincipal(principal)
        if (scopes !== undefined) requireScopes(alternative, scopes(known))
        return known
      })
    } catch (error) {
      asked.refusal = { error }
    }
    return asked
  }
}

/** An anonymous request: refused, or the hook has not been asked. */
export type Anonymous = Refusal | { readonly error?: undefined; readonly alternative?: undefined }

const ANONYMOUS: Anonymous = {}

/** The hook's error for the credentials of an alternative. */
interface Refusal {
  readonly error: unknown
  readonly alternative: Alternative
}

function isRefusal(error: unknown, { errors }: Alternative): boolean {
  if (!(error instanceof ProblemError) || !Object.hasOwn(errors, error.code)) return false
  const status = errors[error.code]?.status
  return status === 401 || status === 403
}

/** The more specific of two refusals, by default the earlier one. */
function moreSpecific<Later extends Anonymous>(earlier: Refusal | undefined, later: Later): Refusal | Later {
  return earlier === undefined || specificityOf(later) > specificityOf(earlier) ? later : earlier
}

/** A missing scope is the most specific, since the caller is known; next is a wrong credential. */
function specificityOf({ error, alternative }: Anonymous): number {
  if (alternative === undefined) return 0
  if (!isRefusal(error, alternative)) return 4
  const { code } = error as ProblemError
  if (alternative.errors[code]?.status === 403) return 3
  return code === 'unauthenticated' ? 1 : 2
}

/** The hook's outcome for one alternative, and those before it. */
interface TriedAlternative<Principal> {
  readonly alternative: Alternative
  readonly earlier: TriedAlternative<Principal> | undefined
  answer: Eventual<Principal> | undefined
  refusal: { readonly error: unknown } | undefined
}

/** A hook that finds no principal and forgets to throw must not accept the caller. */
function requirePrincipal<Principal>(principal: Principal | undefined): Principal {
  if (principal === undefined || principal === null) throw new ProblemError('unauthenticated')
  return principal
}

/** Throws `forbidden` unless the principal has every scope of the alternative. */
function requireScopes(alternative: Alternative, granted: Iterable<string>): void {
  const known = new Set(granted)
  const missing = Object.values(alternative.scopes)
    .flat()
    .filter((scope) => !known.has(scope))
  if (missing.length === 0) return
  throw new ProblemError('forbidden', {
    detail: `Missing scopes: ${[...new Set(missing)].join(', ')}`,
    challenge: scopeChallenge(alternative),
  })
}

/**
 * The challenge for a token with too few scopes (RFC 6750, section 3.1); undefined if no token is required.
 */
function scopeChallenge({ schemes, scopes }: Alternative): string | undefined {
  const bearers = schemes.filter(({ scheme }) => challengeScheme(scheme) === 'Bearer')
  if (bearers.length === 0) return undefined
  const needed = [...new Set(bearers.flatMap(({ name }) => scopes[name] ?? []))]
  // RFC 6749 section 3.3: other characters would end or split the text.
  const isSayable = needed.length > 0 && needed.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope))
  return `Bearer error="insufficient_scope"${isSayable ? `, scope="${needed.join(' ')}"` : ''}`
}

function isEmpty({ schemes }: Alternative): boolean {
  return schemes.length === 0
}

/**
 * `WWW-Authenticate` of a 401, which must have one (RFC 9110, section 15.5.2): a challenge for each scheme of
 * the alternatives, or of the whole contract if they have none. Undefined if no scheme has a name for it.
 */
export function challengeOf(
  alternatives: readonly Alternative[],
  { title, securitySchemes }: Contract,
): string | undefined {
  const own = challengeSchemes(alternatives.flatMap(({ schemes }) => schemes.map(({ scheme }) => scheme)))
  const named = own.size > 0 ? own : challengeSchemes(Object.values(securitySchemes))
  if (named.size === 0) return undefined
  const realm = title.replaceAll(/[^\x20-\x7e]|["\\]/g, '')
  return [...named].map((scheme) => `${scheme} realm="${realm}"`).join(', ')
}

function challengeSchemes(schemes: readonly SecurityScheme[]): ReadonlySet<string> {
  return new Set(schemes.map(challengeScheme).filter((scheme) => scheme !== undefined))
}

function challengeScheme(scheme: SecurityScheme): string | undefined {
  if (scheme.type === 'oauth2' || scheme.type === 'openIdConnect') return 'Bearer'
  // Not a registered scheme, but a challenge has no better name for an API key.
  if (scheme.type === 'apiKey') return 'ApiKey'
  if (scheme.type !== 'http' || !/^[\w!#$%&'*+.^`|~-]+$/.test(scheme.scheme)) return undefined
  return scheme.scheme.charAt(0).toUpperCase() + scheme.scheme.slice(1)
}

function readerOf(contract: Contract, operation: Operation, name: string): CredentialReader {
  const scheme = Object.hasOwn(contract.securitySchemes, name) ? contract.securitySchemes[name] : undefined
  if (scheme === undefined) throw new Error(`${operation.name} requires the unknown security scheme ${name}`)
  return { name, scheme, read: credentialReader(scheme) }
}

function credentialReader(scheme: SecurityScheme): CredentialReader['read'] {
  switch (scheme.type) {
    case 'apiKey':
      return apiKeyReader(scheme.in, scheme.name)
    case 'http':
      return authorizationReader(scheme.scheme)
    case 'oauth2':
    case 'openIdConnect':
      return authorizationReader('bearer')
    case 'mutualTLS':
      return certificateFingerprint
  }
}

function apiKeyReader(place: 'header' | 'query' | 'cookie', name: string): CredentialReader['read'] {
  if (place === 'query') return ({ url = '' }) => queryValue(url, name)
  if (place === 'cookie') return ({ headers }) => cookieValue(headers.cookie, name)
  const header = name.toLowerCase()
  return ({ headers }) => {
    const value = Object.hasOwn(headers, header) ? headers[header] : undefined
    return typeof value === 'string' ? value : value?.join(', ')
  }
}

/** RFC 9110 section 11.4: the scheme in any case, one or more spaces, the credential. */
function authorizationReader(scheme: string): CredentialReader['read'] {
  const prefix = `${scheme.toLowerCase()} `
  return ({ headers: { authorization } }) => {
    if (authorization === undefined || authorization.length <= prefix.length) return undefined
    if (authorization.slice(0, prefix.length).toLowerCase() !== prefix) return undefined
    return authorization.slice(prefix.length).trim()
  }
}

/** SHA-256 fingerprint of a client certificate that the server's authorities have signed. */
function certificateFingerprint({ socket }: HttpRequest): string | undefined {
  const { authorized, getPeerCertificate } = socket as Partial<TLSSocket>
  return authorized === true ? getPeerCertificate?.call(socket).fingerprint256 : undefined
}

function queryValue(url: string, name: string): string | undefined {
  const start = url.indexOf('?')
  return start === -1 ? undefined : (new URLSearchParams(url.slice(start + 1)).get(name) ?? undefined)
}
