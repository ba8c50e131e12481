import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { BuiltInErrorCode } from '../contract/catalogue.js'
import type { HttpRequest } from '../contract/http-request.js'
import type { Logger } from '../contract/logger.js'
import type { CallProtocol } from '../contract/operation.js'
import type { ProblemError } from '../contract/problem.js'
import type { Reply } from '../contract/reply.js'
import type { ShadowOptions } from '../usage/shadow-options.js'
import type { FastifyPlugin } from './fastify.js'
import type { ErrorMapping } from './outcome/error-body.js'
import type { Port } from './port-call.js'
import type { WorkMeter } from './work.js'

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
 * @typeParam State the value that {@link AroundOption.around} passes to `run`
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

export interface Limits {
  /** Bytes of a request body. Default: 1 MiB. */
  readonly bodyBytes: number
  /**
   * Bytes of a request body without valid credentials, whatever the operation: otherwise anonymous callers
   * could make the server parse long ones. Default: 16 KiB, or `bodyBytes` if that is less or no operation
   * has security.
   */
  readonly anonymousBodyBytes: number
  /**
   * Values and names in a request body's JSON, counted by its brackets, commas and colons before it is
   * parsed. Default: 20,000, some 130 KB of ordinary records.
   */
  readonly bodyValues: number
  /** Parts of a `multipart/form-data` body, files and fields together. Default: 1,000. */
  readonly bodyParts: number
  /** Bytes of a file or stream in a response over JSON-RPC or in process. Default: 16 MiB. */
  readonly answerBytes: number
  /** Calls in one JSON-RPC batch. Default: 100. */
  readonly batchLength: number
  /** Calls of one batch that run concurrently. Default: 10. */
  readonly batchParallel: number
  /**
   * Milliseconds for authentication and the handler together. Then the handler's signal aborts and the call
   * fails with `unavailable`. All calls of a batch share the time; those that have not begun by then never
   * run. A stream that has begun continues. Default: no limit.
   */
  readonly callMs: number | undefined
  /** Milliseconds of a whole stream. Default: no limit. */
  readonly streamMs: number | undefined
  /** Milliseconds that a stream may have nothing to send. Default: no limit. */
  readonly streamIdleMs: number | undefined
  /** Milliseconds of silence after which a stream of events gets a comment, for proxies. Default: 15,000. */
  readonly streamKeepAliveMs: number
  /** Milliseconds that a caller may leave a stream unread before its connection is closed. Default: 120,000. */
  readonly streamStallMs: number
}

export interface CallEvent<Principal> {
  /** Undefined: the request matched no known operation. */
  readonly operation: string | undefined
  /** The version of the api that answered. Absent: the request did not reach one. */
  readonly version?: string
  /** `local`: in process. */
  readonly protocol: CallProtocol
  readonly requestId: string
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

/** Receives requests to paths outside the api's routes. */
export type Fallback = (request: IncomingMessage, response: ServerResponse) => void

/** The ways to serve an api. */
export interface Faces {
  /**
   * Both protocols as an Express 5 middleware: REST at its paths, JSON-RPC at `POST /`, both relative to the
   * mount. Unknown paths get 404, or the next middleware with `fallthrough`; so do GET and HEAD of `/`.
   *
   * Mount it before any body parser. If a parser must come first, let it keep the bytes for the api:
   * `express.json({ verify: keepRawBody })`. JSON that a parser has parsed without keeping them fails with an
   * `internal_error`, since its numbers may have been rounded, unless {@link BasicOptions.acceptParsedBodies}
   * is set.
   */
  express(options?: {
    fallthrough?: boolean
  }): (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void
  /**
   * Both protocols as a `node:http` request listener. Unknown paths get 404, or go to `fallback`; so do GET
   * and HEAD of the JSON-RPC address. `Allow` lists both there, so a fallback must serve them.
   */
  node(options?: { fallback?: Fallback }): (request: IncomingMessage, response: ServerResponse) => void
  /**
   * Both protocols as a Fastify plugin. It answers everything below its prefix and leaves bodies to the api:
   * `app.register(api.fastify(), { prefix: '/v1' })`.
   */
  fastify(): FastifyPlugin
  /**
   * Both protocols as a Web-standard handler. Unknown paths get 404. Aborting the request's signal aborts the
   * handler's. Limits also apply to bodies without a length.
   */
  fetch(request: Request, info?: FetchInfo): Promise<Response>
}

export interface Counting {
  /**
   * Hands the ledger of `shadow` everything counted so far. Await it when the api has stopped answering, else the last
   * counts are lost.
   */
  flushUsage(): Promise<void>
}

export interface Api<Types, Principal> extends Faces, Counting {
  /**
   * MCP alone, wherever it is mounted: `app.use('/agents', api.mcp().express())`. All other faces have it at `/mcp`.
   *
   * @throws Error if no operation of the document is a tool
   */
  mcp(): Faces
  /**
   * For a protocol of your own: calls operations with the credentials, validation and handlers that the others have.
   *
   * @param protocol its name in logs and contexts, such as `x-lines`
   */
  port(protocol: `x-${string}`): Port
  /**
   * One in-process call: validated like any other, with a trusted `principal`. Copies params as JSON. Throws
   * a ProblemError whose `problem` is what a remote caller would have received.
   */
  call<Name extends keyof Types & string>(
    name: Name,
    params: Types[Name] extends { params: infer P } ? P : never,
    options?: CallOptions<Principal>,
  ): Promise<Types[Name] extends { result: infer R } ? R : never>
}

/** The origin of a `Request`, which the object itself does not tell. */
export interface FetchInfo {
  /** IP address of the connection's peer: `server.requestIP(request)?.address` under Bun. */
  readonly address?: string | undefined
}

export interface CallOptions<Principal> {
  readonly principal?: Principal
  /** IANA name, like `__tz` in a request. */
  readonly timezone?: string
  readonly signal?: AbortSignal
  readonly requestId?: string
}
