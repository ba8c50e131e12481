import type { Operation } from '../contract/operation.js'

/**
 * The headers of a deprecated operation (RFC 9745, RFC 8594): of each date that is known. None for other operations.
 */
export function deprecationHeaders({ deprecation }: Operation): Readonly<Record<string, string>> {
  if (deprecation === undefined) return {}
  const { since, sunset } = deprecation
  return {
    ...(since !== undefined && { Deprecation: `@${since}` }),
    ...(sunset !== undefined && { Sunset: new Date(sunset * 1000).toUTCString() }),
  }
}
