import {
  isProblem as isDuetProblem,
  placeInProblem,
  readProblem,
  toApiError,
  unknownError,
} from '../../client/client-problem.js'
import { answeredJson, roundedResult, unexpected } from '../../client/transport-answer.js'
import type { HttpResponse } from '../../client/transport-exchange.js'
import { answeredMedia } from '../../contract/answered-media.js'
import { type ErrorCatalogue, responseOf } from '../../contract/catalogue.js'
import { failureInt64, type Int64PlaceOf, nativeInt64 } from '../../contract/int64.js'
import type { Operation } from '../../contract/operation.js'
import type { Problem } from '../../contract/problem-details.js'
import { isJsonObject } from '../../values/object.js'

/**
 * Whether to read a response as bytes: its media type is a file of the operation, or all its media types are
 * files.
 */
export function isFile(operation: Operation, mediaType: string, status: number): boolean {
  const { answers = [] } = operation.rest
  const isOnlyFile = answers.length > 0 && answers.every(({ kind }) => kind === 'binary')
  const kind = answeredMedia(mediaType, answers)?.kind ?? (isOnlyFile ? 'binary' : undefined)
  return isSuccess(operation, status) && !isEmpty(operation, status) && kind === 'binary'
}

/**
 * Whether a success has no content: by its status in HTTP or in the document, or because another status has
 * the content.
 */
function isEmpty({ rest }: Operation, status: number): boolean {
  if (status === 204 || status === 205 || rest.bare?.includes(status) === true) return true
  return status >= 300 && status !== rest.status
}

/**
 * The result of a REST response: a Blob for a file, a text for text and events. A response without a body is
 * the result null, as over JSON-RPC.
 *
 * @throws ApiError for a problem (RFC 9457), with the code `unknown_error` if neither its body nor, for HEAD,
 * its headers tell the code; TransportError `unexpected_response` for any other response that is not the JSON
 * of a success
 */
export function restResult(operation: Operation, answer: HttpResponse, errors: ErrorCatalogue): unknown {
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
    const error = roundedResult(operation, value, answer)
    if (error !== undefined) throw error
    if (json !== undefined) return value
    throw unexpected(operation.name, answer, 'the response is not JSON')
  }
  const isProblem = mediaType === 'application/problem+json' && isJsonObject(json?.value)
  const origin = { operation: operation.name, errors, retryAfterMs }
  const hasOwnFormat = operation.failures !== undefined || answer.problemCode !== null
  const isOwn =
    mediaType !== 'application/problem+json' || (declaresProblem(operation, status) && !isDuetProblem(value))
  if (status >= 400 && hasOwnFormat && isOwn && json !== undefined)
    throw toApiError(codeless(operation, answer, errors), { ...origin, body: value })
  const problem =
    readProblem(json?.value, status) ??
    (isProblem ? readProblem({ ...json?.value, code: unknownError }, status) : undefined) ??
    (operation.rest.method === 'HEAD' ? bodilessProblem(operation, answer, errors) : undefined)
  if (problem === undefined) throw unexpected(operation.name, answer, 'the response is not a problem object')
  throw toApiError(problem, origin)
}

/** Whether the document declares a body of its own for a status, with the media type of problems. */
function declaresProblem({ failures = {} }: Operation, status: number): boolean {
  const failure = failures[responseOf((key) => Object.hasOwn(failures, key), status) ?? '']
  return failure !== undefined && failure !== false && failure.type === 'application/problem+json'
}

/** Whether the document declares a response's media type as JSON, for a success or an error body. */
function isDeclaredJson({ rest, failures = {} }: Operation, { mediaType }: HttpResponse): boolean {
  const isFailure = Object.values(failures).some((failure) => failure && failure.type === mediaType)
  const isResult = rest.jsonType === mediaType || rest.jsonTypes?.includes(mediaType) === true
  return isFailure || isResult || answeredMedia(mediaType, rest.answers)?.kind === 'json'
}

/** The problem of a response to HEAD, which has no body. Undefined if GET's body would not be a problem. */
function bodilessProblem(
  operation: Operation,
  answer: HttpResponse,
  errors: ErrorCatalogue,
): Problem | undefined {
  const { mediaType, problemCode, status } = answer
  const isOther = mediaType !== '' && mediaType !== 'application/problem+json'
  if (status < 400 || (isOther && problemCode === null)) return undefined
  return codeless(operation, answer, errors)
}

/**
 * The problem of a response whose body has no code: the code in its header `Problem-Code`, else the
 * operation's only code with its status.
 */
function codeless(
  operation: Operation,
  { problemCode, status }: HttpResponse,
  errors: ErrorCatalogue,
): Problem {
  const declared = operation.errors.filter(
    (code) => Object.hasOwn(errors, code) && errors[code]?.status === status,
  )
  const code = problemCode ?? (declared.length === 1 ? declared[0] : undefined) ?? unknownError
  const title = Object.hasOwn(errors, code) ? errors[code]?.title : undefined
  return { type: `urn:problem-type:${code}`, title: title ?? code, status, code }
}

/** Whether a status means success for this operation. */
export function isSuccess({ rest }: Operation, status: number): boolean {
  if (status >= 200 && status < 300) return true
  return status === rest.status || rest.statuses?.includes(status) === true
}
