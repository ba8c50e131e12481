import { builtInErrors, type ErrorCatalogue } from '../contract/catalogue.js'
import { type Int64Place, nativeInt64 } from '../contract/int64.js'
import { type ProblemError, toProblem } from '../contract/problem.js'
import type { Problem, Violation } from '../contract/problem-details.js'
import { isJsonObject } from '../values/object.js'
import { ApiError } from './client-error.js'

/** Code of an error response without a code. */
export const unknownError = 'unknown_error'

/** The origin of an error, for fields that are missing in the problem object. */
export interface ErrorOrigin {
  readonly operation: string
  readonly errors: ErrorCatalogue
  /** `error.code` of a JSON-RPC answer. */
  readonly rpcCode?: number
  readonly retryAfterMs: number | undefined
  /** The error body, if it is not a problem. */
  readonly body?: unknown
}

/** Creates the error of a problem object. The RPC code comes from the catalogue, else from the response. */
export function toApiError(given: Problem, origin: ErrorOrigin): ApiError {
  const listed = Object.hasOwn(origin.errors, given.code) ? origin.errors[given.code] : undefined
  const int64 = listed?.int64
  const problem = int64 === undefined ? given : (nativeInt64(given, int64.as, int64.graph) as typeof given)
  const rpcCode = listed?.rpc ?? origin.rpcCode
  const { operation, body, retryAfterMs = waitOf(problem) } = origin
  return new ApiError(problem, { operation, body, rpcCode, retryAfterMs })
}

/**
 * The error of a problem that the client finds before it sends anything, in the form that the service would
 * send.
 */
export function ownError(error: ProblemError, operation: string, errors: ErrorCatalogue): ApiError {
  const catalogue = { ...builtInErrors, ...errors }
  return toApiError(toProblem(error, catalogue), { operation, errors: catalogue, retryAfterMs: undefined })
}

/**
 * The int64 position that keys lead to in a problem. The problem's code decides which extension members it
 * has.
 */
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
 * Reads a problem object (RFC 9457) of any service: members of a wrong type count as absent (section 3.1),
 * extension members stay.
 *
 * @param status HTTP status, used if the problem has no `status`
 * @returns undefined if the value is not an object or has no `code`
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
 * Whether an error body is a problem. The document's own format may have a `code` as well, so this asks for
 * every member that a Duet service writes.
 */
export function isProblem(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    [value.type, value.title, value.code].every((text) => typeof text === 'string') &&
    isStatus(value.status)
  )
}

/** Milliseconds to wait, from the problem itself: problems in a batch have no headers of their own. */
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
