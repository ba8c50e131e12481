import { credentials } from '../../../samples/credentials.js'
import type { Credentials } from '../../change/change.js'
import type { HttpRequest } from './exchange.js'
import type { Pair } from './pair.js'

/**
 * Credentials for both versions. Any value is accepted, but required credentials must be present. Each is a variable to
 * fill in, such as `$API_KEY`, which the running versions accept like any other value.
 */
export function credentialsOf({ old, new: fresh, before, after, credentials: whose }: Pair): Credentials {
  const asked = [
    ...(whose === 'old' ? [] : [credentials(fresh.model, after, variableOf)]),
    credentials(old.model, before, variableOf),
  ]
  const headers = new Map<string, string>()
  for (const [name, value] of asked.flatMap((one) => one.headers)) put(headers, name.toLowerCase(), value)
  const pairs = asked.flatMap(({ query }) => (query === '' ? [] : query.split('&')))
  return { headers: Object.fromEntries(headers), query: [...new Set(pairs)].join('&') }
}

export function withCredentials(pair: Pair, request: HttpRequest): HttpRequest {
  const { headers, query } = credentialsOf(pair)
  const mark = request.url.includes('?') ? '&' : '?'
  const all = new Map(Object.entries(headers))
  for (const [name, value] of Object.entries(request.headers)) put(all, name, value)
  return {
    ...request,
    url: query === '' ? request.url : `${request.url}${mark}${query}`,
    headers: Object.fromEntries(all),
  }
}

/** Several cookies share one header (RFC 6265 section 5.4). */
function put(headers: Map<string, string>, name: string, value: string): void {
  const known = name === 'cookie' ? (headers.get(name)?.split('; ') ?? []) : []
  headers.set(name, [...known.filter((one) => one !== value), value].join('; '))
}

/**
 * `$API_KEY` for `X-Api-Key`, and for a name that does not show its purpose, because a shell may have a variable with
 * that name.
 */
export function variableOf(scheme: string, name: string): string {
  if (scheme !== 'apiKey') return scheme.toLowerCase() === 'basic' ? '$CREDENTIALS' : '$TOKEN'
  const derived = name
    .replace(/^x-/i, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toUpperCase()
  return /^([A-Z][A-Z_]*_)?(KEY|TOKEN|SECRET)$/.test(derived) ? `$${derived}` : '$API_KEY'
}
