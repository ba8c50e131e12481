import type { SecurityRequirement, SecurityScheme } from 'duet-runtime'
import { fitsOneRequest } from '../model/credential-kinds.js'
import type { Model, Operation } from '../model/model.js'

/** The placeholder for a credential, from its scheme (`apiKey`, or that of an Authorization header) and its name. */
type StandIn = (scheme: string, name: string) => string

interface ShownCredentials {
  readonly headers: readonly (readonly [string, string])[]
  readonly query: string
  /** The placeholder of each credential, by scheme. */
  readonly shown: ReadonlyMap<string, { readonly scheme: SecurityScheme; readonly value: string }>
}

/** Placeholder credentials for the first alternative that a request can satisfy, if it needs any. */
export function credentials(
  { securitySchemes }: Pick<Model, 'securitySchemes'>,
  { security }: Pick<Operation, 'security'>,
  standIn: StandIn = () => 'any',
): ShownCredentials {
  const headers: (readonly [string, string])[] = []
  const query: string[] = []
  const cookies: string[] = []
  const shown = new Map<string, { scheme: SecurityScheme; value: string }>()
  const open = security.some((each) => Object.keys(each).length === 0)
  const isPossible = (each: SecurityRequirement) =>
    fitsOneRequest(Object.keys(each).flatMap((name) => securitySchemes.get(name) ?? []))
  const names = Object.keys((open ? undefined : (security.find(isPossible) ?? security[0])) ?? {})
  const keys = names.filter((name) => securitySchemes.get(name)?.type === 'apiKey')
  for (const name of names) {
    const scheme = securitySchemes.get(name)
    if (scheme?.type === 'mutualTLS' || scheme === undefined) continue
    if (scheme.type !== 'apiKey') {
      const kind = titled(scheme.type === 'http' ? scheme.scheme : 'bearer')
      const value = standIn(kind, 'Authorization')
      headers.push(['Authorization', `${kind} ${value}`])
      shown.set(name, { scheme, value })
      continue
    }
    // If a call has several keys, each needs its own variable.
    const isNamed = keys.length < 2 || /(key|token|secret)$/i.test(scheme.name)
    const value = standIn('apiKey', isNamed ? scheme.name : `${scheme.name}-Key`)
    if (scheme.in === 'query') query.push(`${encodeURIComponent(scheme.name)}=${value}`)
    else if (scheme.in === 'cookie') cookies.push(`${scheme.name}=${value}`)
    else headers.push([scheme.name, value])
    shown.set(name, { scheme, value })
  }
  if (cookies.length > 0) headers.push(['Cookie', cookies.join('; ')])
  return { headers, query: query.join('&'), shown }
}

/** The name of a scheme as RFCs write it: `Bearer`. */
export function titled(scheme: string): string {
  return scheme.charAt(0).toUpperCase() + scheme.slice(1)
}

/** A text as one word of a POSIX shell. */
export function quoted(word: string): string {
  return /^[\w:/.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
