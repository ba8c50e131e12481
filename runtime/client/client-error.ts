import type { Problem, Violation } from '../contract/problem-details.js'

/**
 * A call ended with a problem: the same class and fields over both protocols. The service answered with it, or
 * the client found, before anything was sent, a `validation_failed`: params that are no JSON, or that REST cannot carry.
 */
export class ApiError<Code extends string = string, Body = unknown, Members = unknown> extends Error {
  override readonly name = 'ApiError'
  /** Code of the error catalogue; `unknown_error` where the answer names none. */
  readonly code: Code
  /** HTTP status that the problem has over REST, whichever protocol carried it. */
  readonly status: number
  /** JSON-RPC error code of {@link code}; undefined where neither catalogue nor answer tells it. */
  readonly rpcCode: number | undefined
  readonly title: string
  readonly detail: string | undefined
  /** What each invalid value violates; empty unless the code is `validation_failed`. */
  readonly violations: readonly Violation[]
  /** The id that the service's log knows this call by. */
  readonly requestId: string | undefined
  /** Name of the operation called. */
  readonly operation: string
  /** The problem object (RFC 9457), extension members included: as it was answered, or made of what else was. */
  readonly problem: Problem & Members
  /** The error body as it was answered, where it was no problem: that of the document's own format. */
  readonly body: Body | undefined
  /** Milliseconds to wait before another try, where the answer has `Retry-After`. */
  readonly retryAfterMs: number | undefined

  constructor(
    problem: Problem & Members & { readonly code: Code },
    call: {
      operation: string
      rpcCode?: number | undefined
      retryAfterMs?: number | undefined
      body?: Body | undefined
    },
  ) {
    super(`${call.operation}: ${problem.detail ?? problem.title} (${problem.code})`)
    this.code = problem.code
    this.status = problem.status
    this.rpcCode = call.rpcCode
    this.title = problem.title
    this.detail = problem.detail
    this.violations = problem.errors ?? []
    this.requestId = problem.requestId
    this.operation = call.operation
    this.problem = problem
    this.retryAfterMs = call.retryAfterMs
    this.body = call.body
  }

  /** Whether the error has this code; narrows the type to it. */
  is<Wanted extends Code>(code: Wanted): this is ApiError<Wanted, Body, Members> {
    return this.code === code
  }
}

/** Whether something caught is an {@link ApiError}: with `code` one of that code, with `operation` one of its calls. */
export function isApiError<Code extends string>(
  error: unknown,
  code?: Code,
  operation?: string,
): error is ApiError<Code> {
  return (
    error instanceof ApiError &&
    (code === undefined || error.code === code) &&
    (operation === undefined || error.operation === operation)
  )
}

/**
 * Why a call ended without an answer of the service: `network`, no connection or a broken one;
 * `timeout`, no whole answer in time; `aborted`, by the caller's signal; `unexpected_response`, an
 * answer that is neither a result nor a problem (a proxy's page, a redirect, malformed JSON).
 */
export type TransportFailure = 'network' | 'timeout' | 'aborted' | 'unexpected_response'

/** A call ended without an answer of the service. Whether the service carried it out is not known. */
export class TransportError extends Error {
  override readonly name = 'TransportError'
  readonly reason: TransportFailure
  /** Name of the operation called; `batch` for several at once. */
  readonly operation: string
  /** HTTP status; only with `unexpected_response`. */
  readonly status: number | undefined
  /** The start of the body, at most 500 characters; only with `unexpected_response`. */
  readonly excerpt: string | undefined
  /** Milliseconds to wait before another try, where the answer has `Retry-After`. */
  readonly retryAfterMs: number | undefined

  constructor(
    reason: TransportFailure,
    message: string,
    call: {
      operation: string
      status?: number | undefined
      body?: string | undefined
      retryAfterMs?: number | undefined
      cause?: unknown
    },
  ) {
    super(`${call.operation}: ${message}`, { cause: call.cause })
    this.reason = reason
    this.operation = call.operation
    this.status = call.status
    this.excerpt = call.body?.slice(0, excerptLength)
    this.retryAfterMs = call.retryAfterMs
  }
}

const excerptLength = 500
