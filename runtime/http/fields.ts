import type { HttpRequest } from '../contract/http-request.js'
import { ProblemError } from '../contract/problem.js'

/** Most header lines of a request. Browsers and a chain of proxies together send some forty. */
export const MAX_FIELDS = 200

/**
 * Whether a request has more header lines than the api reads. Beyond its own limit `node:http` silently drops
 * the last lines: a precondition, a credential, a proxy's header. If a server's limit is less than {@link
 * MAX_FIELDS}, the request must therefore have fewer lines than that limit.
 */
export function hasTooManyFields({ rawHeaders, socket }: HttpRequest): boolean {
  const lines = rawHeaders.length / 2
  if (lines > MAX_FIELDS) return true
  const read = maxHeadersCountOf(socket)
  return read > 0 && lines >= read
}

/** Answered with 431 (RFC 6585, section 5), which no code of the catalogue has. */
export function tooManyFields(): ProblemError<'invalid_request'> {
  return new ProblemError('invalid_request', { detail: 'The request has too many header fields.' })
}

/** The server's own setting, which other code may have created. 0: no limit. */
function maxHeadersCountOf(socket: object): number {
  const server: unknown = Reflect.get(socket, 'server')
  const count: unknown =
    typeof server === 'object' && server !== null ? Reflect.get(server, 'maxHeadersCount') : 0
  return typeof count === 'number' ? count : 0
}
