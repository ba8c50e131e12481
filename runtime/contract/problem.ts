import type { ErrorCatalogue } from './catalogue.js'
import { exactInt64 } from './int64.js'
import type { Problem, Violation } from './problem-details.js'
import { cut, shortened, withinBytes } from './problem-size.js'

/** Handlers and hooks throw this to answer with a code of the catalogue. */
export class ProblemError<Code extends string = string> extends Error {
  override readonly name = 'ProblemError'
  readonly code: Code
  readonly detail: string | undefined
  readonly violations: readonly Violation[] | undefined
  /** In whole seconds. */
  readonly retryAfter: number | undefined
  /** Extension members of the problem. */
  readonly members: object | undefined
  /** `WWW-Authenticate` of the HTTP response. */
  readonly challenge: string | undefined
  /** The problem that was sent; only on errors that `api.call` throws. */
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
  /** Extension members of the problem (RFC 9457, section 3.2). They cannot replace the standard members. */
  readonly members?: object | undefined
  /**
   * `WWW-Authenticate` of the HTTP response (RFC 9110, section 11.6.1). Absent: a 401 has the operation's.
   */
  readonly challenge?: string | undefined
  readonly problem?: Problem | undefined
  readonly cause?: unknown
}

/**
 * Turns an error into a problem object; a code outside the catalogue becomes `internal_error`. Shortens the
 * problem to the size limit of refusals.
 */
export function toProblem(error: ProblemError, errors: ErrorCatalogue, requestId?: string): Problem {
  const known = Object.hasOwn(errors, error.code)
  const code = known ? error.code : 'internal_error'
  const definition = errors[code]
  if (definition === undefined) throw new Error(`The error catalogue has no ${code}`)
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

/** Longest detail, in characters: a handler may quote the caller's input. */
const MAX_DETAIL = 1024
