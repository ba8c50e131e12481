import { isObject, own } from '../document/json.js'
import type { Model } from '../model/model.js'

/**
 * The issuers of tokens that a document's schemes name (RFC 8414, section 2; OpenID Connect Discovery 1.0, section 4).
 * OAuth 2 flows name no issuer: it is taken for the origin of their token's URL, else of their authorization's.
 */
export function authorizationServers({ openapi }: Pick<Model, 'openapi'>): string[] {
  const components = own(openapi, 'components')
  const schemes = isObject(components) ? own(components, 'securitySchemes') : undefined
  const found = Object.values(isObject(schemes) ? schemes : {}).flatMap((scheme) => {
    if (!isObject(scheme)) return []
    if (scheme.type === 'openIdConnect') return issuerOf(scheme.openIdConnectUrl)
    if (scheme.type !== 'oauth2') return []
    const stated = issuerOf(scheme.oauth2MetadataUrl)
    return stated.length > 0 ? stated : flowsOf(scheme.flows)
  })
  return [...new Set(found)].sort()
}

function flowsOf(flows: unknown): string[] {
  return Object.values(isObject(flows) ? flows : {}).flatMap((flow) => {
    const { tokenUrl, authorizationUrl } = isObject(flow) ? flow : {}
    const url = urlOf(tokenUrl) ?? urlOf(authorizationUrl)
    return url === undefined ? [] : [url.origin]
  })
}

/** The issuer of a metadata address. RFC 8414 puts the well-known part before the issuer's path, OpenID behind it. */
function issuerOf(address: unknown): string[] {
  const url = urlOf(address)
  if (url === undefined) return []
  const path = url.pathname.replace(/\/\.well-known\/(openid-configuration|oauth-authorization-server)/, '')
  return [url.origin + (path === '/' ? '' : path)]
}

/** Undefined for relative addresses: nobody knows to what. */
function urlOf(text: unknown): URL | undefined {
  if (typeof text !== 'string' || !URL.canParse(text)) return undefined
  const url = new URL(text)
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined
}
