import type { ProblemError } from '../contract/problem.js'
import type { OutgoingHeaders } from '../contract/reply.js'

/** The version that answers a request, of an api that serves several. */
export interface VersionChoice {
  readonly version: string
  /** Headers of every response. Those of the operation have precedence. */
  readonly headers: readonly VersionHeader[]
  /** The header that may have chosen the version. Undefined: none does. */
  readonly varies: string | undefined
  /** Why no operation may run. Each call of the request fails with it. */
  readonly refusal?: ProblemError
}

interface VersionHeader {
  readonly name: string
  readonly lower: string
  readonly value: string
}

export function versionHeader(name: string, value: string): VersionHeader {
  return { name, lower: name.toLowerCase(), value }
}

/** Adds the headers of a version. Only responses that caches may store tell what they vary by. */
export function addHeaders(headers: OutgoingHeaders, { headers: more, varies }: VersionChoice): void {
  for (const { name, lower, value } of more) {
    if (headers[name] === undefined && headers[lower] === undefined) headers[name] = value
  }
  if (varies === undefined || headers['Cache-Control'] === 'no-store') return
  headers.vary = headers.vary === undefined ? varies : `${headers.vary}, ${varies}`
}
