import type { ErrorCatalogue } from '../core/catalogue.js'
import { readProblem, toApiError, unknownError } from '../core/client-problem.js'
import { isJsonObject } from '../core/object.js'
import type { AnswerMedia, Operation } from '../core/operation.js'
import { answeredJson, unexpected } from '../core/transport-answer.js'
import type { HttpAnswer } from '../core/transport-exchange.js'

/** Whether an answer is a file of its operation, to be read as bytes. */
export function isFile(operation: Operation, mediaType: string, status: number): boolean {
  return isSuccess(operation, status) && answeredMedia(operation, mediaType)?.kind === 'binary'
}

/**
 * The result of a REST answer: a Blob for a file, a text for text and events. An answer without a body is the result null, as JSON-RPC has it.
 *
 * @throws ApiError for a problem (RFC 9457), of code `unknown_error` where it has no code;
 * TransportError `unexpected_response` for anything else that is no JSON of a success
 */
export function restResult(operation: Operation, answer: HttpAnswer, errors: ErrorCatalogue): unknown {
  const { bytes, mediaType, retryAfterMs, status, text } = answer
  const json = answeredJson(answer)
  if (isSuccess(operation, status)) {
    if (bytes !== undefined) return bytes
    if (status >= 300 && status !== operation.rest.status) return null
    const media = answeredMedia(operation, mediaType)
    if (media !== undefined && media.kind !== 'json' && json === undefined) return text
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

/** Whether a status is that of a success. */
export function isSuccess({ rest }: Operation, status: number): boolean {
  if (status >= 200 && status < 300) return true
  return status === rest.status || rest.statuses?.includes(status) === true
}

function answeredMedia({ rest: { answers = [] } }: Operation, mediaType: string): AnswerMedia | undefined {
  const isIn = (range: string) =>
    range === '*/*' || (range.endsWith('/*') && mediaType.startsWith(range.slice(0, -1)))
  return answers.find(({ type }) => type === mediaType) ?? answers.find(({ type }) => isIn(type))
}
