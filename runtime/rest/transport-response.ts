import type { ErrorCatalogue } from '../core/catalogue.js'
import { readProblem, toApiError, unknownError } from '../core/client-problem.js'
import { isJsonObject } from '../core/object.js'
import type { Operation } from '../core/operation.js'
import { answeredJson, unexpected } from '../core/transport-answer.js'
import type { HttpAnswer } from '../core/transport-exchange.js'

/**
 * The result of a REST answer. An answer without a body is the result null, as JSON-RPC has it.
 *
 * @throws ApiError for a problem (RFC 9457), of code `unknown_error` where it has no code;
 * TransportError `unexpected_response` for anything else that is no JSON of a success
 */
export function restResult(operation: Operation, answer: HttpAnswer, errors: ErrorCatalogue): unknown {
  const { mediaType, retryAfterMs, status, text } = answer
  const json = answeredJson(answer)
  if ((status >= 200 && status < 300) || status === operation.rest.status) {
    if (text === '') return null
    if (json !== undefined) return json.value
    throw unexpected(operation.name, answer, 'the answer is not JSON')
  }
  const isProblem = mediaType === 'application/problem+json' && isJsonObject(json?.value)
  const problem =
    readProblem(json?.value, status) ??
    (isProblem ? readProblem({ ...json?.value, code: unknownError }, status) : undefined)
  if (problem === undefined) throw unexpected(operation.name, answer, 'the answer is no problem object')
  throw toApiError(problem, { operation: operation.name, errors, retryAfterMs })
}
