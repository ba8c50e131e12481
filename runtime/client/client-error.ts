import type { Problem, Violation } from '../contract/problem-details.js'
import { errorText } from './error-text.js'

/**
 * A call failed with a problem: the same class and fields over both protocols. Either the service answered
 * with the problem, or the client found a `validation_failed` before it sent anything: params that are not
 * JSON, or that REST cannot carry.
 */
export class ApiError<Code extends string = string, Body = unknown, Members = unknown> extends Error {
  override readonly name = 'ApiError'
  /** Code of the error catalogue; `unknown_error` if the response has none. */
  readonly code: Code
  /** HTTP status that the problem has over REST, whichever protocol carried it. */
  readonly status: number
  /** JSON-RPC error code of {@link code}. Undefined if neither the catalogue nor the response has it. */
  readonly rpcCode: number | undefined
  readonly title: string
  readonly detail: string | undefined
  /**
   * What each invalid value violates; empty unless the code is `validation_failed`, and if the error body is in the
   * document's own format.
   */
  readonly violations: readonly Violation[]
  /** The id of this call in the service's log. */
  readonly requestId: string | undefined
  /** Name of the operation called. */
  readonly operation: string
  /**
   * The problem object (RFC 9457) with its extension members: the response's own, or one built from the
   * response.
   */
  readonly problem: Problem & Members
  /** The error body, if it is in the document's own format instead of a problem. */
  readonly body: Body | undefined
  /** Milliseconds to wait before a retry, if the response has `Retry-After`. */
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
    const text = problem.detail ?? errorText(call.body) ?? problem.title
    super(`${call.operation}: ${text} (${problem.code})`)
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

/**
 * Whether a caught value is an {@link ApiError}, and has this code and is of this operation if they are
 * given.
 */
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
 * Why a call ended without a response of the service: `network`, no connection or a broken one; `timeout`, no
 * complete response in time; `aborted`, by the caller's signal; `unexpected_response`, neither a result nor a
 * problem (a proxy's page, a redirect, malformed JSON), or a result with an int64 that a number would round.
 */
export type TransportFailure = 'network' | 'timeout' | 'aborted' | 'unexpected_response'

/** A call ended without a response of the service. The service may or may not have carried it out. */
export class TransportError extends Error {
  override readonly name = 'TransportError'
  readonly reason: TransportFailure
  /** Name of the operation called; `batch` for several at once. */
  readonly operation: string
  /** HTTP status; only with `unexpected_response`. */
  readonly status: number | undefined
  /** The start of the body, at most 500 characters; only with `unexpected_response`. */
  readonly excerpt: string | undefined
  /** Milliseconds to wait before a retry, if the response has `Retry-After`. */
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
