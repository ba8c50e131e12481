/**
 * A problem details object (RFC 9457): the body of every REST error and, unchanged, `error.data`
 * of every JSON-RPC error.
 */
export interface Problem {
  /** `urn:problem-type:` and the code. */
  readonly type: string
  readonly title: string
  readonly status: number
  /** Code of the error catalogue; the stable thing to act on. */
  readonly code: string
  readonly detail?: string
  /** What each invalid value violates; only with `validation_failed`. */
  readonly errors?: readonly Violation[]
  /** Seconds after which the same call may succeed; over REST `Retry-After` says the same. */
  readonly retryAfter?: number
  /** The id that the service's log knows this call by. */
  readonly requestId?: string
}

/** One violation: where (JSON pointer into the params), which keyword, what it asks for. */
export interface Violation {
  readonly path: string
  readonly keyword: string
  readonly message: string
}
