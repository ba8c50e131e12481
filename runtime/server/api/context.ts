import type { IncomingHttpHeaders } from 'node:http'
import type { BuiltInErrorCode } from '../../contract/catalogue.js'
import type { CallProtocol } from '../../contract/operation.js'
import type { ProblemError } from '../../contract/problem.js'
import type { Reply } from '../../contract/reply.js'

/**
 * The types of each operation, by its name; the generated `OperationTypes` has this shape. `params` are as
 * sent; `input` is what a handler receives, with defaults.
 */
export type OperationTypeMap = {
  readonly [name: string]: { params: unknown; input: unknown; result: unknown; errors: string }
}

/**
 * Codes that an operation may return, and the extension members of each problem; an operation's `ErrorsOf`
 * has this shape.
 */
export type ErrorTypes = { readonly [code: string]: object }

/**
 * What a handler receives about the call besides its params.
 *
 * @typeParam State the value that the option `around` passes to `run`
 */
export interface Context<Principal, State = unknown, Errors = ErrorTypes, Status extends number = number> {
  readonly principal: Principal
  /** The value that `around` passed to `run`, such as a transaction or a tenant. */
  readonly state: State
  /** The HTTP request; calls of a batch share it. A getter, like `signal`. Undefined in process. */
  readonly request: CallRequest | undefined
  readonly operation: string
  /** `local`: in process. */
  readonly protocol: CallProtocol
  /** The caller's `X-Request-Id`, else a new one. */
  readonly requestId: string
  /**
   * Aborts when the caller disconnects or the call's time is up. A getter: you may read it late, but a copy
   * of the context loses it.
   */
  readonly signal: AbortSignal
  /** IANA name of the zone of this call's datetimes in the response. */
  readonly timezone: string
  /** Status and headers of the HTTP response. A getter, like `signal`. */
  readonly reply: Reply<Status>
  /**
   * Names the caller that the handler has found, such as the user who signs in. `onCall` and usage then count the call
   * for it. What the call may do, and `principal`, stay as they are.
   */
  identify(principal: NonNullable<Principal>): void
  /**
   * Creates the error that a handler throws to answer with a code of its operation or a built-in one: `throw
   * context.problem('not_found', 'No client 7.')`.
   */
  problem<Code extends (keyof Errors & string) | BuiltInErrorCode>(
    code: Code,
    detail?: string,
    ...members: ProblemMembers<Errors, Code>
  ): ProblemError<Code>
}

/** The argument for a problem's extension members; optional if none is required. */
export type ProblemMembers<Errors, Code> = Code extends keyof Errors
  ? Record<never, never> extends Errors[Code]
    ? [members?: Errors[Code]]
    : [members: Errors[Code]]
  : []

/** The parts of a call's HTTP request that a handler may read. */
export interface CallRequest {
  /** Over JSON-RPC always POST. */
  readonly method: string
  /**
   * By name in lower case, including headers that no parameter declares. Their values have not been
   * validated.
   */
  readonly headers: Readonly<IncomingHttpHeaders>
  /** IP address of the connection's peer: the client, or the last proxy. */
  readonly address: string | undefined
}
