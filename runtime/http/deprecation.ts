import type { Operation } from '../contract/operation.js'

/** The headers of a deprecated operation (RFC 9745, RFC 8594); none for other operations. */
export function deprecationHeaders({ deprecation }: Operation): Readonly<Record<string, string>> {
  if (deprecation === undefined) return {}
  const { since = 0, sunset } = deprecation
  return {
    Deprecation: `@${since}`,
    ...(sunset !== undefined && { Sunset: new Date(sunset * 1000).toUTCString() }),
  }
}
