/**
 * A problem details object (RFC 9457): the body of every REST error and, unchanged, `error.data`
 * of every JSON-RPC error.
 */
export interface Problem {
  /** `urn:problem-type:` followed by the code. */
  readonly type: string
  readonly title: string
  readonly status: number
  /** Code of the error catalogue. It is stable: programs can rely on it. */
  readonly code: string
  readonly detail?: string
  /** What each invalid value violates; only with `validation_failed`. */
  readonly errors?: readonly Violation[]
  /** Seconds after which the same call may succeed, as in the header `Retry-After` over REST. */
  readonly retryAfter?: number
  /** The id of this call in the service's log. */
  readonly requestId?: string
}

/** One violation: a JSON pointer into the params, the keyword, and its requirement. */
export interface Violation {
  readonly path: string
  readonly keyword: string
  readonly message: string
}
