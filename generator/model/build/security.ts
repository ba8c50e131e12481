import type { SecurityRequirement, SecurityScheme } from 'duet-runtime'
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import { type Cursor, elements, follow, member, members, rootCursor, text } from '../../document/cursor.js'
import type { Document } from '../../document/document.js'
import { isArray } from '../../document/json.js'
import type { Credentials } from '../params/parameters.js'

/** The document's security schemes by name, sorted. */
export function readSecuritySchemes(
  document: Document,
  diagnostics: Diagnostic[],
): ReadonlyMap<string, SecurityScheme> {
  const components = member(rootCursor(document), 'components')
  const schemes = new Map<string, SecurityScheme>()
  for (const entry of members(components && member(components, 'securitySchemes'))) {
    const cursor = follow(document, entry)
    const scheme = cursor && schemeOf(cursor)
    if (scheme !== undefined) schemes.set(entry.key, scheme)
    else {
      const message = `The security scheme ${JSON.stringify(entry.key)} is incomplete or has an unknown type`
      diagnostics.push(diagnose('security-scheme-invalid', message, document.locate(entry.pointer)))
    }
  }
  return schemes
}

/** Security alternatives of an operation, else those of the document. Empty for a public operation. */
export function readSecurity(
  document: Document,
  schemes: ReadonlyMap<string, SecurityScheme>,
  operation: Cursor,
  diagnostics: Diagnostic[],
): SecurityRequirement[] {
  const stated = member(operation, 'security') ?? member(rootCursor(document), 'security')
  return elements(stated).map((requirement) => {
    const scopes = members(requirement).flatMap((entry): [string, string[]][] => {
      if (schemes.has(entry.key)) {
        const names = isArray(entry.value) ? entry.value.filter((scope) => typeof scope === 'string') : []
        return [[entry.key, names]]
      }
      const message = `There is no security scheme ${JSON.stringify(entry.key)}`
      const remedy = 'Declare it under #/components/securitySchemes.'
      diagnostics.push(
        diagnose('security-scheme-unknown', message, document.locate(entry.pointer), { remedy }),
      )
      return []
    })
    return Object.fromEntries(scopes)
  })
}

/**
 * The headers, query parameters and cookies of an operation's credentials. A parameter that declares one of them again
 * is not a param. A scheme applies only where a requirement names it (OpenAPI 3.1.1 section 4.8.30).
 */
export function credentialsOf(
  schemes: ReadonlyMap<string, SecurityScheme>,
  security: readonly SecurityRequirement[],
): Credentials {
  const used = new Set(security.flatMap((requirement) => Object.keys(requirement)))
  const keys = [...schemes].flatMap(([name, scheme]) =>
    used.has(name) && scheme.type === 'apiKey' ? [scheme] : [],
  )
  const at = (place: 'header' | 'query' | 'cookie') =>
    new Set(
      keys
        .filter((key) => key.in === place)
        .map((key) => (place === 'header' ? key.name.toLowerCase() : key.name)),
    )
  return { header: at('header'), query: at('query'), cookie: at('cookie') }
}

/** Codes of the catalogue that authentication may return. */
export function authenticationErrors(
  schemes: ReadonlyMap<string, SecurityScheme>,
  security: readonly SecurityRequirement[],
): string[] {
  const used = security.flatMap((requirement) => Object.keys(requirement))
  if (used.length === 0) return []
  const types = used.map((name) => schemes.get(name)?.type)
  return [
    'unauthenticated',
    ...(types.includes('apiKey') ? ['invalid_api_key'] : []),
    ...(types.some((type) => type !== 'apiKey' && type !== 'mutualTLS') ? ['invalid_token'] : []),
    ...(security.some((requirement) => Object.values(requirement).some((scopes) => scopes.length > 0))
      ? ['forbidden']
      : []),
  ]
}

function schemeOf(cursor: Cursor): SecurityScheme | undefined {
  const type = text(cursor.value, 'type')
  if (type === 'oauth2' || type === 'openIdConnect' || type === 'mutualTLS') return { type }
  if (type === 'http') {
    const scheme = text(cursor.value, 'scheme')
    return scheme === undefined ? undefined : { type, scheme: scheme.toLowerCase() }
  }
  const place = text(cursor.value, 'in')
  const name = text(cursor.value, 'name')
  if (type !== 'apiKey' || name === undefined) return undefined
  return place === 'header' || place === 'query' || place === 'cookie' ? { type, in: place, name } : undefined
}
