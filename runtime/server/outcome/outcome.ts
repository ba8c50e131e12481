import type { ErrorCatalogue, ErrorDefinition } from '../../contract/catalogue.js'
import { ProblemError, toProblem } from '../../contract/problem.js'
import type { Problem } from '../../contract/problem-details.js'
import type { HandlerReply } from '../../contract/reply.js'
import type { WrittenErrorBody } from './error-body.js'

/** How a call ended. */
export type Outcome<Result> = Success<Result> | Failure

export interface Success<Result> {
  readonly problem?: undefined
  readonly result: Result
  /** The handler's reply; undefined if it set nothing. */
  readonly reply: HandlerReply | undefined
}

export interface Failure {
  readonly problem: Problem
  readonly definition: ErrorDefinition
  /** The thrown error, if it was not a problem of the catalogue; only for the log. */
  readonly error?: unknown
  /** `WWW-Authenticate` that replaces the operation's. */
  readonly challenge?: string
  /** The body to send instead of the problem; undefined for the problem. Absent: always the problem. */
  readonly bodyOf?: (problem: Problem) => WrittenErrorBody | undefined
}

/**
 * Turns an error into a failure. An error that is not a ProblemError, or whose code the catalogue does not
 * have, becomes a bare `internal_error`: its message is only for the log.
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
  // An absent error means that there is nothing to log.
  const cause = error === undefined ? new Error('undefined was thrown') : error
  const internal = new ProblemError('internal_error', { cause })
  return { problem: toProblem(internal, errors, requestId), definition: internalError(errors), error: cause }
}

function internalError(errors: ErrorCatalogue): ErrorDefinition {
  const definition = errors.internal_error
  if (definition === undefined) throw new Error('The error catalogue has no internal_error')
  return definition
}
