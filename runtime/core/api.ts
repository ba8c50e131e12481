// CONTRACT SKETCH: the runtime helper completes this file.
import type { IncomingMessage, ServerResponse } from 'node:http'

/** Params, result and error codes of each operation, by name; the generated `OperationTypes`. */
export type OperationTypeMap = { readonly [name: string]: { params: unknown; result: unknown; errors: string } }

/** What a handler is told about the call beside its params. */
export interface Context<Principal> {
  readonly principal: Principal
  readonly operation: string
  readonly protocol: 'rest' | 'jsonrpc' | 'local'
  readonly requestId: string
  /** Aborts when the caller has gone. */
  readonly signal: AbortSignal
  /** IANA name of the zone that this call's datetimes are answered in. */
  readonly timezone: string
}

/** Credentials the request carries for one security alternative, by scheme name. */
export type Credentials<Scheme extends string = string> = { readonly [S in Scheme]?: string }

export interface ApiOptions<Handlers, Principal, Scheme extends string = string> {
  readonly handlers: Handlers
  /** Turns credentials into a principal, or throws a ProblemError (`invalid_api_key`, `invalid_token`). */
  readonly authenticate?: (credentials: Credentials<Scheme>, call: AuthenticationCall) => Principal | Promise<Principal>
  /** Zone of a principal, where it has one (seed section 1, timezone rule 2). */
  readonly timezone?: (principal: Principal) => string | undefined
  /** Zone of the system (rule 3). Default: UTC. */
  readonly systemTimezone?: string
  /** Validates results before they leave. Default: true. */
  readonly validateResponses?: boolean
  readonly limits?: Partial<Limits>
  /** Told of every finished call, for logs and metrics. */
  readonly onCall?: (event: CallEvent<Principal>) => void
}

export interface AuthenticationCall {
  readonly operation: string
  readonly requestId: string
  readonly signal: AbortSignal
}

export interface Limits {
  /** Bytes of a request body. Default: 1 MiB. */
  readonly bodyBytes: number
  /** Calls in one JSON-RPC batch. Default: 100. */
  readonly batchLength: number
  /** Calls of one batch that run at the same time. Default: 10. */
  readonly batchParallel: number
}

export interface CallEvent<Principal> {
  readonly operation: string | undefined
  readonly protocol: 'rest' | 'jsonrpc' | 'local'
  readonly requestId: string
  readonly principal: Principal | undefined
  readonly durationMs: number
  /** Absent: the call succeeded. */
  readonly code?: string
  /** The unexpected error behind an `internal_error`. */
  readonly error?: unknown
}

export interface Api<Types, Principal> {
  /** Both protocols as an Express 5 middleware. Unknown paths answer 404, or go on with `fallthrough`. */
  express(options?: { fallthrough?: boolean }): (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void
  /** Both protocols as a `node:http` request listener; `fallback` gets what no route knows. */
  node(options?: { fallback?: (request: IncomingMessage, response: ServerResponse) => void }): (request: IncomingMessage, response: ServerResponse) => void
  /** One call in process: validated like any other, not authenticated. Throws ProblemError. */
  call<Name extends keyof Types & string>(
    name: Name,
    params: Types[Name] extends { params: infer P } ? P : never,
    options?: { principal?: Principal; timezone?: string; signal?: AbortSignal; requestId?: string },
  ): Promise<Types[Name] extends { result: infer R } ? R : never>
}
