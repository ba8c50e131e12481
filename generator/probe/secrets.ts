import type { SecurityScheme } from 'duet-runtime'
import type { Credentials } from '../diff/change/change.js'
import type { HttpRequest } from '../diff/proof/calls/exchange.js'
import { fitsOneRequest } from '../model/credential-kinds.js'
import type { Model, Operation } from '../model/model.js'
import { titled } from '../samples/credentials.js'
import { spellingsOf } from './spellings.js'

/** The environment variable of a security scheme: `DUET_API_KEY` for `apiKey`. */
function variableOfScheme(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase()
  return `DUET_${words}`
}

/** One way to satisfy an operation's security. */
export interface Authentication {
  readonly schemes: readonly (readonly [name: string, scheme: SecurityScheme])[]
}

/**
 * The credentials of a run, from environment variables by the names of security schemes. Only variables that begin with
 * `DUET_` count, so that a document cannot ask for others.
 */
export class Secrets {
  readonly #values = new Map<string, string>()
  #spellings: (readonly [shown: string, pattern: RegExp])[] | undefined
  constructor(
    readonly model: Pick<Model, 'securitySchemes'>,
    environment: Readonly<Record<string, string | undefined>>,
  ) {
    for (const [name, scheme] of model.securitySchemes) {
      if (scheme.type === 'mutualTLS') continue
      const value = environment[variableOfScheme(name)]
      if (value !== undefined && value !== '') this.#values.set(name, value)
    }
  }

  /** The variables that an operation asks for and the environment does not have, one list for each alternative. */
  missingFor({ security }: Pick<Operation, 'security'>): string[] {
    return security.map((each) =>
      Object.keys(each)
        .filter((name) => !this.#values.has(name))
        .map(variableOfScheme)
        .join(' and '),
    )
  }

  /** The first alternative of an operation that the environment can satisfy. Undefined if there is none. */
  of({ security }: Pick<Operation, 'security'>): Authentication | undefined {
    const alternatives = security.map((each) =>
      Object.keys(each).flatMap((name) => {
        const scheme = this.model.securitySchemes.get(name)
        return scheme === undefined ? [] : [[name, scheme] as const]
      }),
    )
    const isPossible = (schemes: Authentication['schemes']): boolean =>
      schemes.length > 0 &&
      fitsOneRequest(schemes.map(([, scheme]) => scheme)) &&
      schemes.every(([name]) => this.#values.has(name))
    const schemes = alternatives.find(isPossible)
    return schemes && { schemes }
  }

  /** A request with real credentials. */
  signed(request: HttpRequest, authentication: Authentication | undefined): HttpRequest {
    return added(request, authentication, (name) => this.#values.get(name) ?? '')
  }

  /** The same request for reports, with `$NAME` in place of each credential. */
  shown(request: HttpRequest, authentication: Authentication | undefined): HttpRequest {
    const { url, headers, body } = request
    // A server may repeat a credential in a result, whose values later calls have. The names of headers are the document's.
    const values = Object.entries(headers).map(([name, value]) => [name, this.redacted(value)])
    const safe = {
      ...{ ...request, url: this.redacted(url), headers: Object.fromEntries(values) },
      ...(body !== undefined && { body: this.redacted(body) }),
    }
    return added(safe, authentication, shownValue, String)
  }

  /** The placeholders of a shown request, for its command line. */
  credentials(authentication: Authentication | undefined): Credentials {
    const bare = added({ method: 'GET', url: '/', headers: {} }, authentication, shownValue, String)
    return { headers: bare.headers, query: bare.url.split('?')[1] ?? '' }
  }

  /** A text without the value of any credential, in whichever spelling a server repeats it. */
  redacted(text: string): string {
    this.#spellings ??= [...this.#values]
      .flatMap(([name, value]) => secretTexts(value).map((secret) => [name, secret] as const))
      .sort(([, a], [, b]) => b.length - a.length)
      .map(([name, secret]) => [shownValue(name), spellingsOf(secret)])
    return this.#spellings.reduce((safe, [shown, pattern]) => safe.replaceAll(pattern, () => shown), text)
  }
}

function shownValue(name: string): string {
  return `$${variableOfScheme(name)}`
}

/** A credential, and what a server may have read in it: `user:password` of a Basic credential, and the password. */
function secretTexts(value: string): string[] {
  const decoded = Buffer.from(value, 'base64').toString('utf8')
  const [, password] = /^[^:\p{Cc}\ufffd]+:([^\p{Cc}\ufffd]+)$/u.exec(decoded) ?? []
  return password === undefined ? [value] : [value, decoded, password]
}

function added(
  request: HttpRequest,
  authentication: Authentication | undefined,
  credentialOf: (name: string) => string,
  inQuery = encodeURIComponent,
): HttpRequest {
  const headers: Record<string, string> = { ...request.headers }
  const query: string[] = []
  const cookies: string[] = []
  for (const [name, scheme] of authentication?.schemes ?? []) {
    const value = credentialOf(name)
    if (scheme.type !== 'apiKey')
      headers.authorization = `${titled(scheme.type === 'http' ? scheme.scheme : 'bearer')} ${value}`
    else if (scheme.in === 'query') query.push(`${encodeURIComponent(scheme.name)}=${inQuery(value)}`)
    else if (scheme.in === 'cookie') cookies.push(`${scheme.name}=${value}`)
    else headers[scheme.name.toLowerCase()] = value
  }
  if (cookies.length > 0)
    headers.cookie = [...cookies, ...(headers.cookie === undefined ? [] : [headers.cookie])].join('; ')
  const mark = request.url.includes('?') ? '&' : '?'
  const url = query.length === 0 ? request.url : `${request.url}${mark}${query.join('&')}`
  return { ...request, headers, url }
}
