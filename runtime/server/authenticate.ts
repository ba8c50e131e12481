import type { TLSSocket } from 'node:tls'
import type { ErrorCatalogue } from '../contract/catalogue.js'
import type { Contract } from '../contract/contract.js'
import type { HttpRequest } from '../contract/http-request.js'
import type { Operation, SecurityRequirement, SecurityScheme } from '../contract/operation.js'
import { ProblemError } from '../contract/problem.js'
import { cookieValue } from '../values/cookie.js'
import { type Eventual, whenKnown } from '../values/eventual.js'
import type { ApiOptions, AuthenticationCall } from './api.js'

/** One way to be let in: every scheme of it must find its credential. Equal ones are one object. */
export interface Alternative {
  readonly schemes: readonly CredentialReader[]
  /** Scopes by scheme name. */
  readonly scopes: SecurityRequirement
  /** Says which of the hook's errors refuse a credential. */
  readonly errors: ErrorCatalogue
}

/** Where one scheme's credential stands in a request. */
interface CredentialReader {
  readonly name: string
  readonly scheme: SecurityScheme
  /** Undefined where the request presents none; an empty one is none. */
  readonly read: (request: HttpRequest) => string | undefined
}

/**
 * Readers of every operation's security alternatives, in the document's order but for the empty one, which
 * comes last wherever it stands: it would let everybody in before anybody's credentials are looked at.
 * Throws for a scheme that the contract lacks.
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

/** Whether nobody gets in without a credential: there are alternatives, and none of them is empty. */
export function isSecured(operation: Operation): boolean {
  return operation.security.length > 0 && operation.security.every((each) => Object.keys(each).length > 0)
}

/**
 * Who calls, for the length of one HTTP exchange: a batch asks the hook once for each alternative, however
 * many calls it has.
 */
export class Authentication<Principal> {
  readonly #request: HttpRequest
  readonly #options: AuthenticationOptions<Principal>
  #asked: Asked<Principal> | undefined

  constructor(request: HttpRequest, options: AuthenticationOptions<Principal>) {
    this.#request = request
    this.#options = options
  }

  /**
   * The principal by the first alternative whose credentials the hook accepts; undefined for an operation that is
   * open to all, and for one with an empty alternative where the request has no credentials.
   * Throws the most telling refusal: `unauthenticated` only where the request has no credentials. Credentials that are
   * refused are refused under an empty alternative too. To go on as nobody would hide from a caller that its
   * key or token has ended (RFC 6750, section 3.1: 401). An error that is no refusal, such as a rate limit, ends
   * the search: what stops one credential must not be passed by another.
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
      if (alternative === undefined) throw new ProblemError('unauthenticated')
      return undefined
    }
    const asked = this.#answerTo(alternative, call)
    if (asked === undefined) return this.#firstOf(alternatives, index + 1, call, refusal)
    const refused = (error: unknown): Eventual<Principal | undefined> => {
      if (!isRefusal(error, alternative)) throw error
      return this.#firstOf(alternatives, index + 1, call, moreTelling(refusal, { error, alternative }))
    }
    if (asked.refusal !== undefined) return refused(asked.refusal.error)
    return asked.answer instanceof Promise ? asked.answer.catch(refused) : asked.answer
  }

  /** Whether somebody has been asked for and found. What is being looked for still counts as found. */
  get isKnown(): boolean {
    return this.#asked !== undefined && this.#asked.refusal === undefined
  }

  /**
   * Why nobody stands behind a request's credentials, whatever is called; undefined where somebody does. The most telling
   * refusal counts; there is none where the request has no credentials.
   */
  refusal(
    alternatives: Iterable<Alternative>,
    call: (alternative: Alternative) => AuthenticationCall,
  ): Eventual<Nobody | undefined> {
    const [alternative, ...others] = alternatives
    if (alternative === undefined) return NOBODY
    const asked = this.#answerTo(alternative, call)
    if (asked === undefined) return this.refusal(others, call)
    const refused = (error: unknown): Eventual<Nobody | undefined> =>
      whenKnown(this.refusal(others, call), (later) => later && moreTelling({ error, alternative }, later))
    const { answer, refusal } = asked
    if (refusal !== undefined) return refused(refusal.error)
    return answer instanceof Promise ? answer.then(() => undefined, refused) : undefined
  }

  /** What the hook says of an alternative, asked once; undefined where the request has not all its credentials. */
  #answerTo(
    alternative: Alternative,
    call: (alternative: Alternative) => AuthenticationCall,
  ): Asked<Principal> | undefined {
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
      credentials[name] = credential
    }
    return credentials
  }

  #ask(
    alternative: Alternative,
    credentials: Record<string, string>,
    call: AuthenticationCall,
  ): Asked<Principal> {
    const asked: Asked<Principal> = {
      alternative,
      earlier: this.#asked,
      answer: undefined,
      refusal: undefined,
    }
    this.#asked = asked
    const { authenticate, scopes } = this.#options
    try {
      asked.answer = whenKnown(authenticate?.(credentials, call), (principal) => {
        const known = someone(principal)
        if (scopes !== undefined) requireScopes(alternative, scopes(known))
        return known
      })
    } catch (error) {
      asked.refusal = { error }
    }
    return asked
  }
}

/** Nobody is known behind a request: by a refusal, or because the hook has not been asked. */
export type Nobody = Refusal | { readonly error?: undefined; readonly alternative?: undefined }

const NOBODY: Nobody = {}

/** What the hook has thrown for the credentials of an alternative. */
interface Refusal {
  readonly error: unknown
  readonly alternative: Alternative
}

function isRefusal(error: unknown, { errors }: Alternative): boolean {
  if (!(error instanceof ProblemError) || !Object.hasOwn(errors, error.code)) return false
  const status = errors[error.code]?.status
  return status === 401 || status === 403
}

/** The earlier of two refusals, unless the other tells more. */
function moreTelling<Later extends Nobody>(earlier: Refusal | undefined, later: Later): Refusal | Later {
  return earlier === undefined || weightOf(later) > weightOf(earlier) ? later : earlier
}

/** A caller who lacks a scope is known; one whose credential is wrong has at least given one. */
function weightOf({ error, alternative }: Nobody): number {
  if (alternative === undefined) return 0
  if (!isRefusal(error, alternative)) return 4
  const { code } = error as ProblemError
  if (alternative.errors[code]?.status === 403) return 3
  return code === 'unauthenticated' ? 1 : 2
}

/** What a hook has said of one alternative, and what it has said before of others. */
interface Asked<Principal> {
  readonly alternative: Alternative
  readonly earlier: Asked<Principal> | undefined
  answer: Eventual<Principal> | undefined
  refusal: { readonly error: unknown } | undefined
}

/** A hook that finds nobody and forgets to throw must not let everybody in. */
function someone<Principal>(principal: Principal | undefined): Principal {
  if (principal === undefined || principal === null) throw new ProblemError('unauthenticated')
  return principal
}

/** Throws `forbidden` unless a principal has every scope that an alternative asks for. */
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

/** What a token needs that has too few scopes (RFC 6750, section 3.1); undefined where no token is asked for. */
function scopeChallenge({ schemes, scopes }: Alternative): string | undefined {
  const bearers = schemes.filter(({ scheme }) => challengeScheme(scheme) === 'Bearer')
  if (bearers.length === 0) return undefined
  const needed = [...new Set(bearers.flatMap(({ name }) => scopes[name] ?? []))]
  // RFC 6749 section 3.3: other characters would end the text, or part it.
  const isSayable = needed.length > 0 && needed.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope))
  return `Bearer error="insufficient_scope"${isSayable ? `, scope="${needed.join(' ')}"` : ''}`
}

function isEmpty({ schemes }: Alternative): boolean {
  return schemes.length === 0
}

/**
 * `WWW-Authenticate` of a 401, which must have one (RFC 9110, section 15.5.2): a challenge for each scheme of the
 * alternatives, of the whole contract where they have none. Undefined where no scheme can be named.
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
  // No registered scheme, but the only thing that a challenge can call an API key.
  if (scheme.type === 'apiKey') return 'ApiKey'
  if (scheme.type !== 'http' || !/^[\w!#$%&'*+.^`|~-]+$/.test(scheme.scheme)) return undefined
  return scheme.scheme.charAt(0).toUpperCase() + scheme.scheme.slice(1)
}

function readerOf(contract: Contract, operation: Operation, name: string): CredentialReader {
  const scheme = Object.hasOwn(contract.securitySchemes, name) ? contract.securitySchemes[name] : undefined
  if (scheme === undefined) throw new Error(`${operation.name} asks for the unknown security scheme ${name}`)
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

/** RFC 9110 section 11.4: the scheme in any case, one space or more, the credential. */
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
