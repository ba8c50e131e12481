import type { ErrorCatalogue } from './catalogue.js'
import { exactInt64 } from './int64.js'
import type { Problem, Violation } from './problem-details.js'
import { cut, shortened, withinBytes } from './problem-size.js'

/** What a handler or a hook throws to answer with a code of the catalogue. */
export class ProblemError<Code extends string = string> extends Error {
  override readonly name = 'ProblemError'
  readonly code: Code
  readonly detail: string | undefined
  readonly violations: readonly Violation[] | undefined
  /** Whole seconds. */
  readonly retryAfter: number | undefined
  /** Extension members of the problem. */
  readonly members: object | undefined
  /** `WWW-Authenticate` of the answer over HTTP. */
  readonly challenge: string | undefined
  /** What the call was answered with; only on errors that `api.call` throws. */
  readonly problem: Problem | undefined

  constructor(code: Code, options: ProblemErrorOptions = {}) {
    super(options.detail ?? code, { cause: options.cause })
    this.code = code
    this.detail = options.detail
    this.violations = options.violations
    this.retryAfter = options.retryAfter
    this.members = options.members
    this.challenge = options.challenge
    this.problem = options.problem
  }
}

export interface ProblemErrorOptions {
  readonly detail?: string | undefined
  readonly violations?: readonly Violation[] | undefined
  /** Whole seconds after which the same call may succeed. */
  readonly retryAfter?: number | undefined
  /** Extension members of the problem (RFC 9457, section 3.2); none takes the place of a member that every problem has. */
  readonly members?: object | undefined
  /** `WWW-Authenticate` of the answer over HTTP (RFC 9110, section 11.6.1); absent: on a 401 that of the operation. */
  readonly challenge?: string | undefined
  readonly problem?: Problem | undefined
  readonly cause?: unknown
}

/**
 * The problem object of an error; a code that the catalogue lacks is an `internal_error`. However much an error has to
 * say, the problem is short enough for an answer to what is refused.
 */
export function toProblem(error: ProblemError, errors: ErrorCatalogue, requestId?: string): Problem {
  const known = Object.hasOwn(errors, error.code)
  const code = known ? error.code : 'internal_error'
  const definition = errors[code]
  if (definition === undefined) throw new Error(`The error catalogue lacks ${code}`)
  const { int64 } = definition
  const members = int64 === undefined ? error.members : exactInt64(error.members, int64.as, int64.graph)
  return withinBytes({
    ...(known && (members as object | undefined)),
    type: `urn:problem-type:${code}`,
    title: definition.title,
    status: definition.status,
    code,
    ...(known && error.detail !== undefined && { detail: cut(error.detail, MAX_DETAIL) }),
    ...(known && error.violations !== undefined && { errors: error.violations.map(shortened) }),
    ...(known && error.retryAfter !== undefined && { retryAfter: error.retryAfter }),
    ...(requestId !== undefined && { requestId }),
  })
}

/** Characters of a detail: a handler may repeat in it what a caller sent. */
const MAX_DETAIL = 1024
