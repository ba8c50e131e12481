import type { BuiltInErrorCode } from '../contract/catalogue.js'
import type { ProblemError } from '../contract/problem.js'
import type { OutgoingHeaders } from '../contract/reply.js'

/** The version that answers a request, of an api that serves several. */
export interface VersionChoice {
  readonly version: string
  /** Headers of every response. Those of the operation have precedence. */
  readonly headers: readonly ResponseHeader[]
  /** The header that may have chosen the version. Undefined: none does. */
  readonly varies: string | undefined
  /** Why no operation may run. Each call of the request fails with it. */
  readonly refusal?: ProblemError<BuiltInErrorCode>
}

export interface ResponseHeader {
  readonly name: string
  /** The name in lower case, as handlers set headers. */
  readonly lower: string
  readonly value: string
}

export function responseHeader(name: string, value: string): ResponseHeader {
  return { name, lower: name.toLowerCase(), value }
}

/** When a version ends. */
export interface Sunset {
  /** The first day on which it is not served, in UTC: `2027-06-30`. */
  readonly day: string
  /** The version to use instead. Default: the newest release after it, else the newest prerelease. */
  readonly successor?: string
  /** The day since which it is deprecated. Default: responses have no `Deprecation`, which is a date (RFC 9745). */
  readonly deprecated?: string
}

/** Adds the headers of a version. Adds `Vary` only if caches may store the response. */
export function addHeaders(headers: OutgoingHeaders, { headers: more, varies }: VersionChoice): void {
  for (const { name, lower, value } of more) {
    if (headers[name] === undefined && headers[lower] === undefined) headers[name] = value
  }
  if (varies === undefined || headers['Cache-Control'] === 'no-store') return
  headers.vary = headers.vary === undefined ? varies : `${headers.vary}, ${varies}`
}
