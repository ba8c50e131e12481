import type { SecurityScheme } from 'duet-runtime'

/** Where a credential is in a request, for people: `header X-Api-Key`. */
export function schemeText(scheme: SecurityScheme): string {
  switch (scheme.type) {
    case 'apiKey':
      return `${scheme.in} ${scheme.name}`
    case 'http':
      return `Authorization: ${scheme.scheme}`
    case 'oauth2':
      return 'OAuth 2 access token'
    case 'openIdConnect':
      return 'OpenID Connect token'
    case 'mutualTLS':
      return 'client certificate (TLS)'
  }
}
