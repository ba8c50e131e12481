import type { HttpRequest } from '../../contract/http-request.js'
import type { Logger } from '../../contract/logger.js'
import type { CallProtocol } from '../../contract/operation.js'
import type { ShadowOptions } from '../../usage/shadow-options.js'
import type { ErrorMapping } from '../outcome/error-body.js'
import type { Limits } from './limits.js'

/** The request's credentials for one security alternative, by scheme name. */
export type Credentials<Scheme extends string = string> = { readonly [S in Scheme]?: string }

export type ApiOptions<
  Handlers,
  Principal,
  Scheme extends string = string,
  State = unknown,
  Body = unknown,
> = BasicOptions<Handlers, Principal, Body> &
  Partial<AuthenticateOption<Principal, Scheme>> &
  (unknown extends State ? Partial<AroundOption<Principal, State>> : AroundOption<Principal, State>)

/** The options of a document with an operation that has security. */
export type SecuredApiOptions<
  Handlers,
  Principal,
  Scheme extends string = string,
  State = unknown,
  Body = unknown,
> = ApiOptions<Handlers, Principal, Scheme, State, Body> & AuthenticateOption<Principal, Scheme>

/** Required if any operation has security. */
interface AuthenticateOption<Principal, Scheme extends string> {
  /**
   * Turns the credentials of one security alternative into a principal. To refuse them, throw a ProblemError
   * (`invalid_api_key`, `invalid_token`); then the next alternative is tried. For `http` schemes the
   * credential is the text after the scheme: the token, or the base64 text. A batch asks once per
   * alternative.
   */
  readonly authenticate: (
    credentials: Credentials<Scheme>,
    call: AuthenticationCall,
  ) => Principal | Promise<Principal>
}

/** Required if handlers expect a state. */
interface AroundOption<Principal, State> {
  /**
   * Wraps each authenticated call. Await `run`, which validates the params and calls the handler. Return what `run`
   * returns: any other value fails the call with `internal_error`. If `run` or this throws, the call fails with that
   * error. The argument of `run` is the handler's `context.state`. Default: none, at no cost.
   */
  readonly around: <Result>(
    call: Call<Principal>,
    run: (...state: unknown extends State ? [state?: State] : [state: State]) => Promise<Result>,
  ) => Promise<Result>
}

/** Options that do not depend on the state of a call. */
interface BasicOptions<Handlers, Principal, Body> {
  /** By namespace (the operation's name without its last part; `default` without a dot), then by member. */
  readonly handlers: Handlers
  /**
   * The scopes of a principal. A call whose security alternative requires another scope receives `forbidden` (403).
   * Default: `authenticate` checks scopes.
   */
  readonly scopes?: (principal: Principal) => Iterable<string>
  /**
   * Answers errors in the document's own format: turns a problem into the declared body, which is `error.data` over
   * JSON-RPC. If the declared schema refuses the body, the api logs that and answers the problem. Default: problems
   * (RFC 9457), and one warning in the log if the document declares bodies.
   */
  readonly errors?: ErrorMapping<Body>
  /**
   * Zone of a principal, if it has one (seed section 1, timezone rule 2). If it is not in the time zone
   * database, the system zone applies, with a `warning` in `onCall`.
   */
  readonly timezone?: (principal: Principal) => string | undefined
  /** Zone of the system (rule 3). Default: UTC. */
  readonly systemTimezone?: string
  /** Validates results before they are sent. Default: true. */
  readonly validateResponses?: boolean
  readonly limits?: Partial<Limits>
  /**
   * Accepts JSON and forms that an earlier body parser has parsed without keeping the bytes; a comma in a form then
   * divides a list. Refuses a number that the parser may have rounded (not a safe integer, or more than 15
   * significant digits), but digits that rounding removed without a trace are lost: 100.00000000000000001 arrives as
   * 100. Default: false; such a body fails with an `internal_error`, and the log says what to do.
   */
  readonly acceptParsedBodies?: boolean
  /**
   * Base path of all addresses, REST and JSON-RPC; '' for none. Default: that of the document's first server.
   * Under Express, a mount at this path, or one that ends with it, replaces it.
   */
  readonly basePath?: string
  /**
   * Receives what the api does not tell its callers: a handler that throws, an invalid result, a stream that
   * breaks; and each call that timed out. pino, `console`, or any object with `error` and `warn`; `false` for no log.
   * Default: lines of JSON on standard error.
   */
  readonly logger?: Logger | false
  /**
   * Receives every finished call, for logs and metrics, and a second event if the stream of its response
   * fails. Errors that this throws are logged.
   */
  readonly onCall?: (event: CallEvent<Principal>) => void
  /**
   * The OpenRPC document that `rpc.discover` returns. Default: read from the package, which a Worker cannot
   * do.
   */
  readonly openrpc?: object
  readonly mcp?: McpOptions
  /** Measures the work of each request. Default: none, at no cost. */
  readonly work?: WorkMeter
  /**
   * Counts who calls what, and tries calls on the next version once they are answered. Default: none, at no cost.
   */
  readonly shadow?: ShadowOptions<Principal>
}

/** How agents may reach an api over MCP. */
export interface McpOptions {
  /**
   * Origins of web pages that may call tools: `https://app.example.com`. Default: only pages of this machine, such as
   * `http://localhost:3000`. Requests of other programs have no origin.
   */
  readonly origins?: readonly string[]
  /**
   * The public address of MCP: `https://api.example.com/mcp`. Only for documents with OAuth 2 or OpenID Connect, whose
   * clients compare it with the address that they use. Default: the host that a request names.
   */
  readonly url?: string
  /**
   * The issuers of tokens, for such documents (RFC 9728). Default: from the document's `openIdConnectUrl`,
   * `oauth2MetadataUrl` or `tokenUrl`.
   */
  readonly authorizationServers?: readonly string[]
}

/** One call, as {@link AroundOption.around} receives it. */
export interface Call<Principal> {
  readonly operation: string
  /** The version of the api that the caller uses. */
  readonly version: string
  /** `local`: in process. */
  readonly protocol: CallProtocol
  readonly requestId: string
  readonly principal: Principal | undefined
  /** Calls of a batch share it; undefined in process. */
  readonly request: HttpRequest | undefined
}

export interface AuthenticationCall {
  /**
   * The operation that is called. A long JSON-RPC body is read only from an authenticated caller, and the
   * operation is unknown before that: then this is the first operation that accepts these credentials, and
   * the hook is called again for the real one.
   */
  readonly operation: string
  /** Scopes that the alternative requires, by scheme name; empty if it requires none. */
  readonly scopes: Readonly<Record<string, readonly string[]>>
  readonly requestId: string
  readonly signal: AbortSignal
  readonly request: HttpRequest
}

export interface CallEvent<Principal> {
  /** Undefined: the request matched no known operation. */
  readonly operation: string | undefined
  /** The version of the api that answered. Absent: the request did not reach one. */
  readonly version?: string
  /** `local`: in process. */
  readonly protocol: CallProtocol
  readonly requestId: string
  /** The caller: what `authenticate` returned, or whom the handler named by `context.identify`. */
  readonly principal: Principal | undefined
  /** Calls of a batch share it; absent in process. */
  readonly request?: HttpRequest
  readonly durationMs: number
  /** Absent: the call succeeded. */
  readonly code?: string
  /** A hook's mistake that the call survived, such as an unknown time zone. */
  readonly warning?: string
  /** The unexpected error behind an `internal_error`. */
  readonly error?: unknown
}

/** Receives the processor time of requests, and may stop them: for limits of each caller's processor time. */
export interface WorkMeter {
  /**
   * Called before a body is read, and again before it is parsed. If it throws, the request fails with that
   * error; a ProblemError `rate_limited` says when to retry.
   */
  readonly admit?: (request: HttpRequest) => void
  /**
   * Receives the processor time of each synchronous stretch of a request's work: reading its head, parsing,
   * validating, the handler up to its first wait, writing the response. Errors that this throws are dropped.
   */
  readonly spent: (request: HttpRequest, milliseconds: number) => void
}
