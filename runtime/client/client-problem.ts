import { builtInErrors, type ErrorCatalogue } from '../contract/catalogue.js'
import { type Int64Place, nativeInt64 } from '../contract/int64.js'
import { type ProblemError, toProblem } from '../contract/problem.js'
import type { Problem, Violation } from '../contract/problem-details.js'
import { isJsonObject } from '../values/object.js'
import { ApiError } from './client-error.js'

/** Code of an answer that is an error and names no code. */
export const unknownError = 'unknown_error'

/** Where an error came from, for the fields that the problem object itself lacks. */
export interface ErrorOrigin {
  readonly operation: string
  readonly errors: ErrorCatalogue
  /** `error.code` of a JSON-RPC answer. */
  readonly rpcCode?: number
  readonly retryAfterMs: number | undefined
  /** What was answered in the place of a problem. */
  readonly body?: unknown
}

/** The error of a problem object; its RPC code is the catalogue's, else the answer's. */
export function toApiError(given: Problem, origin: ErrorOrigin): ApiError {
  const listed = Object.hasOwn(origin.errors, given.code) ? origin.errors[given.code] : undefined
  const int64 = listed?.int64
  const problem = int64 === undefined ? given : (nativeInt64(given, int64.as, int64.graph) as typeof given)
  const rpcCode = listed?.rpc ?? origin.rpcCode
  const { operation, body, retryAfterMs = waitOf(problem) } = origin
  return new ApiError(problem, { operation, body, rpcCode, retryAfterMs })
}

/** The error of a problem that the client finds before anything is sent, as the service would answer it. */
export function ownError(error: ProblemError, operation: string, errors: ErrorCatalogue): ApiError {
  const catalogue = { ...builtInErrors, ...errors }
  return toApiError(toProblem(error, catalogue), { operation, errors: catalogue, retryAfterMs: undefined })
}

/** Where an int64 stands that keys lead to in a problem, whose code tells its extension members. */
export function placeInProblem(
  path: readonly string[],
  problem: unknown,
  errors: ErrorCatalogue,
): Int64Place | undefined {
  const code = isJsonObject(problem) ? String(problem.code) : ''
  const graph = Object.hasOwn(errors, code) ? errors[code]?.int64?.graph : undefined
  return graph && { graph, path }
}

/**
 * Reads a problem object (RFC 9457) that someone else wrote: members of a wrong type count as absent
 * (section 3.1), extension members stay.
 *
 * @param status HTTP status that stands in for a missing `status`
 * @returns undefined where the value is no object or names no `code`
 */
export function readProblem(value: unknown, status: number): Problem | undefined {
  if (!isJsonObject(value)) return undefined
  const { type, title, status: stated, code, detail, errors, requestId, ...extensions } = value
  if (typeof code !== 'string' || code === '') return undefined
  return {
    ...extensions,
    type: typeof type === 'string' ? type : `urn:problem-type:${code}`,
    title: typeof title === 'string' ? title : code,
    status: isStatus(stated) ? stated : status,
    code,
    ...(typeof detail === 'string' && { detail }),
    ...(Array.isArray(errors) && { errors: errors.filter(isViolation) }),
    ...(typeof requestId === 'string' && { requestId }),
  }
}

/**
 * Whether an error body is a problem, where a document has a format of its own that may have a `code` as well: then a
 * problem is what says all that a Duet service says of one.
 */
export function isProblem(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    [value.type, value.title, value.code].every((text) => typeof text === 'string') &&
    isStatus(value.status)
  )
}

/** Milliseconds that a problem asks to wait, as one of a batch does, which no header can speak for. */
function waitOf({ retryAfter }: Problem): number | undefined {
  return typeof retryAfter === 'number' && retryAfter >= 0 ? retryAfter * 1000 : undefined
}

function isStatus(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 100 && value <= 599
}

function isViolation(value: unknown): value is Violation {
  return (
    isJsonObject(value) &&
    typeof value.path === 'string' &&
    typeof value.keyword === 'string' &&
    typeof value.message === 'string'
  )
}
