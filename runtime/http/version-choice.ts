import type { ProblemError } from '../contract/problem.js'
import type { OutgoingHeaders } from '../contract/reply.js'

/** The version that answers a request, of an api that serves several. */
export interface VersionChoice {
  readonly version: string
  /** Headers of every response: the version, and its sunset. Those of the operation have precedence. */
  readonly headers: Readonly<Record<string, string>>
  /** Why no operation may run. Each call of the request fails with it. */
  readonly refusal?: ProblemError
}

/** Adds the headers of a version. `Vary` becomes a list of both. */
export function addHeaders(headers: OutgoingHeaders, { headers: more }: VersionChoice): void {
  for (const name in more) {
    const value = more[name] ?? ''
    const lower = name.toLowerCase()
    const known = headers[name] === undefined ? lower : name
    if (headers[known] === undefined) headers[name] = value
    else if (lower === 'vary') headers[known] = `${headers[known]}, ${value}`
  }
}
