import type { ErrorCatalogue, ErrorDefinition } from '../contract/catalogue.js'
import { ProblemError, toProblem } from '../contract/problem.js'
import type { Problem } from '../contract/problem-details.js'
import type { HandlerReply } from '../contract/reply.js'
import type { WrittenErrorBody } from './error-body.js'

/** How a call ended. */
export type Outcome<Result> = Success<Result> | Failure

export interface Success<Result> {
  readonly problem?: undefined
  readonly result: Result
  /** What the handler said of the HTTP answer; undefined where it said nothing. */
  readonly reply: HandlerReply | undefined
}

export interface Failure {
  readonly problem: Problem
  readonly definition: ErrorDefinition
  /** The error thrown, where it was no problem of the catalogue; for the log alone. */
  readonly error?: unknown
  /** `WWW-Authenticate` in the place of the operation's. */
  readonly challenge?: string
  /** The body that the problem is answered with in its place; undefined for the problem. Absent: always the problem. */
  readonly bodyOf?: (problem: Problem) => WrittenErrorBody | undefined
}

/**
 * What an error is answered with. An error that is no ProblemError, or whose code the catalogue lacks,
 * becomes a bare `internal_error`: what it says is for the log.
 */
export function failureOf(error: unknown, errors: ErrorCatalogue, requestId: string): Failure {
  const definition =
    error instanceof ProblemError && Object.hasOwn(errors, error.code) ? errors[error.code] : undefined
  if (error instanceof ProblemError && definition !== undefined) {
    const { code, challenge } = error
    const problem = toProblem(error, errors, requestId)
    return {
      problem,
      definition,
      ...(code === 'internal_error' && { error }),
      ...(challenge !== undefined && { challenge }),
    }
  }
  const internal = new ProblemError('internal_error', { cause: error })
  return { problem: toProblem(internal, errors, requestId), definition: internalError(errors), error }
}

function internalError(errors: ErrorCatalogue): ErrorDefinition {
  const definition = errors.internal_error
  if (definition === undefined) throw new Error('The error catalogue lacks internal_error')
  return definition
}
