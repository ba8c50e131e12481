import type { SecurityScheme } from '../contract/operation.js'
import { ProblemError } from '../contract/problem.js'

/** `unauthenticated`: a request has no credentials of any alternative. */
export class MissingCredentialsError extends ProblemError<'unauthenticated'> {
  constructor(alternatives: readonly Required[]) {
    super('unauthenticated', { detail: missingCredentials(alternatives) })
  }
}

/** The schemes that a caller must satisfy together. */
interface Required {
  readonly schemes: readonly { readonly scheme: SecurityScheme }[]
}

/**
 * Tells a caller without credentials where to put them: `Send the header X-Api-Key.` Alternatives that look alike count
 * once. The document has the same information.
 */
function missingCredentials(alternatives: readonly Required[]): string {
  const needed = alternatives
    .filter(({ schemes }) => schemes.length > 0)
    .map(({ schemes }) => schemes.map(({ scheme }) => placeOf(scheme)).join(' and '))
  return `Send ${[...new Set(needed)].join(', or ')}.`
}

function placeOf(scheme: SecurityScheme): string {
  switch (scheme.type) {
    case 'apiKey':
      return `the ${scheme.in === 'query' ? 'query parameter' : scheme.in} ${scheme.name}`
    case 'http':
      return scheme.scheme.toLowerCase() === 'bearer'
        ? BEARER
        : `the header Authorization with ${nameOf(scheme.scheme)} credentials`
    case 'oauth2':
    case 'openIdConnect':
      return BEARER
    case 'mutualTLS':
      return 'a client certificate'
  }
}

const BEARER = 'the header Authorization with a Bearer token'

function nameOf(scheme: string): string {
  return scheme.charAt(0).toUpperCase() + scheme.slice(1)
}
