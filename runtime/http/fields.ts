import type { HttpRequest } from '../contract/http-request.js'
import { ProblemError } from '../contract/problem.js'

/** Header lines that a request may have. Browsers and a chain of proxies together send some forty. */
export const MAX_FIELDS = 200

/**
 * Whether a request has more header lines than are read. Of those that go beyond its own limit `node:http` leaves out the
 * last ones and says nothing: a precondition, a credential, what a proxy adds. So a server that reads fewer lines than
 * {@link MAX_FIELDS} has to be at less than its limit.
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

/** As a server has it that somebody else may have made; 0: it reads any number. */
function maxHeadersCountOf(socket: object): number {
  const server: unknown = Reflect.get(socket, 'server')
  const count: unknown =
    typeof server === 'object' && server !== null ? Reflect.get(server, 'maxHeadersCount') : 0
  return typeof count === 'number' ? count : 0
}
