import { placeInProblem, readProblem, toApiError, unknownError } from '../../client/client-problem.js'
import { answeredJson, unexpected } from '../../client/transport-answer.js'
import type { HttpAnswer } from '../../client/transport-exchange.js'
import { answeredMedia } from '../../contract/answered-media.js'
import type { ErrorCatalogue } from '../../contract/catalogue.js'
import { failureInt64, type Int64PlaceOf, nativeInt64 } from '../../contract/int64.js'
import type { Operation } from '../../contract/operation.js'
import type { Problem } from '../../contract/problem-details.js'
import { isJsonObject } from '../../values/object.js'

/** Whether an answer is a file of its operation, to be read as bytes: of any type where it answers files alone. */
export function isFile(operation: Operation, mediaType: string, status: number): boolean {
  const { answers = [] } = operation.rest
  const isOnlyFile = answers.length > 0 && answers.every(({ kind }) => kind === 'binary')
  const kind = answeredMedia(mediaType, answers)?.kind ?? (isOnlyFile ? 'binary' : undefined)
  return isSuccess(operation, status) && !isEmpty(operation, status) && kind === 'binary'
}

/** Whether a success of this status has no content: by HTTP, by the document, or beside one that has. */
function isEmpty({ rest }: Operation, status: number): boolean {
  if (status === 204 || status === 205 || rest.bare?.includes(status) === true) return true
  return status >= 300 && status !== rest.status
}

/**
 * The result of a REST answer: a Blob for a file, a text for text and events. An answer without a body is the result null, as JSON-RPC has it.
 *
 * @throws ApiError for a problem (RFC 9457), of code `unknown_error` where it has no code, and where an answer to
 * HEAD, which has no body, does not tell it; TransportError `unexpected_response` for anything else that is no JSON
 * of a success
 */
export function restResult(operation: Operation, answer: HttpAnswer, errors: ErrorCatalogue): unknown {
  const { bytes, mediaType, retryAfterMs, status, text } = answer
  const { int64 } = operation
  const isResult = isSuccess(operation, status)
  const graph = isResult ? int64?.result : failureInt64(operation, status)
  const placeOf: Int64PlaceOf = (path, value) => {
    if (graph !== undefined) return { graph, path }
    return isResult ? undefined : placeInProblem(path, value, errors)
  }
  const json = answeredJson(answer, {
    isDeclared: isDeclaredJson(operation, answer),
    placeOf: isResult && int64 === undefined ? undefined : placeOf,
  })
  const value = int64 === undefined ? json?.value : nativeInt64(json?.value, int64.as, graph)
  if (isResult) {
    if (bytes !== undefined) return bytes
    if (isEmpty(operation, status)) return null
    const media = answeredMedia(mediaType, operation.rest.answers)
    if (media !== undefined && media.kind !== 'json' && json === undefined) return text
    if (text === '') return null
    if (json !== undefined) return value
    throw unexpected(operation.name, answer, 'the answer is not JSON')
  }
  const isProblem = mediaType === 'application/problem+json' && isJsonObject(json?.value)
  const origin = { operation: operation.name, errors, retryAfterMs }
  const hasOwnFormat = operation.failures !== undefined || answer.problemCode !== null
  if (status >= 400 && hasOwnFormat && mediaType !== 'application/problem+json' && json !== undefined)
    throw toApiError(codeless(operation, answer, errors), { ...origin, body: value })
  const problem =
    readProblem(json?.value, status) ??
    (isProblem ? readProblem({ ...json?.value, code: unknownError }, status) : undefined) ??
    (operation.rest.method === 'HEAD' ? bodilessProblem(operation, answer, errors) : undefined)
  if (problem === undefined) throw unexpected(operation.name, answer, 'the answer is no problem object')
  throw toApiError(problem, origin)
}

/** Whether the document has JSON under the media type of an answer, as a success or as the body of an error. */
function isDeclaredJson({ rest, failures = {} }: Operation, { mediaType }: HttpAnswer): boolean {
  const isFailure = Object.values(failures).some((failure) => failure && failure.type === mediaType)
  return isFailure || rest.jsonType === mediaType || answeredMedia(mediaType, rest.answers)?.kind === 'json'
}

/**
 * The problem of an answer to HEAD, which has no body. Undefined where something else than a problem would have been
 * the body.
 */
function bodilessProblem(
  operation: Operation,
  answer: HttpAnswer,
  errors: ErrorCatalogue,
): Problem | undefined {
  const { mediaType, problemCode, status } = answer
  const isOther = mediaType !== '' && mediaType !== 'application/problem+json'
  if (status < 400 || (isOther && problemCode === null)) return undefined
  return codeless(operation, answer, errors)
}

/**
 * The problem of an answer whose body does not tell it: by its header `Problem-Code`, else by the only code of the
 * operation that has its status.
 */
function codeless(
  operation: Operation,
  { problemCode, status }: HttpAnswer,
  errors: ErrorCatalogue,
): Problem {
  const declared = operation.errors.filter(
    (code) => Object.hasOwn(errors, code) && errors[code]?.status === status,
  )
  const code = problemCode ?? (declared.length === 1 ? declared[0] : undefined) ?? unknownError
  const title = Object.hasOwn(errors, code) ? errors[code]?.title : undefined
  return { type: `urn:problem-type:${code}`, title: title ?? code, status, code }
}

/** Whether a status is that of a success. */
export function isSuccess({ rest }: Operation, status: number): boolean {
  if (status >= 200 && status < 300) return true
  return status === rest.status || rest.statuses?.includes(status) === true
}
