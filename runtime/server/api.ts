import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { BuiltInErrorCode } from '../contract/catalogue.js'
import type { HttpRequest } from '../contract/http-request.js'
import type { Logger } from '../contract/logger.js'
import type { ProblemError } from '../contract/problem.js'
import type { Reply } from '../contract/reply.js'
import type { ErrorMapping } from './error-body.js'
import type { FastifyPlugin } from './fastify.js'
import type { WorkMeter } from './work.js'

/**
 * What the types of one operation are, by its name; the generated `OperationTypes` has this shape. `params`
 * are as sent, `input` as a handler sees them with defaults filled in.
 */
export type OperationTypeMap = {
  readonly [name: string]: { params: unknown; input: unknown; result: unknown; errors: string }
}

export type Protocol = 'rest' | 'jsonrpc' | 'local'

/** Codes that an operation may answer with, and the extension members of each problem; `ErrorsOf` of an operation is one. */
export type ErrorTypes = { readonly [code: string]: object }

/**
 * What a handler is told about the call beside its params.
 *
 * @typeParam State what {@link AroundOption.around} gives to `run`
 */
export interface Context<Principal, State = unknown, Errors = ErrorTypes, Status extends number = number> {
  readonly principal: Principal
  /** What `around` passed to `run`, such as a transaction or a tenant. */
  readonly state: State
  /** The HTTP request, which calls of a batch share. A getter, as `signal` is. Undefined in process. */
  readonly request: CallRequest | undefined
  readonly operation: string
  readonly protocol: Protocol
  /** The caller's `X-Request-Id`, else a fresh one. */
  readonly requestId: string
  /** Aborts when the caller has gone, or the call's time is up. A getter: reading it late is fine, copying the context loses it. */
  readonly signal: AbortSignal
  /** IANA name of the zone that this call's datetimes are answered in. */
  readonly timezone: string
  /** Status and headers of the HTTP answer. A getter, as `signal` is. */
  readonly reply: Reply<Status>
  /**
   * Creates what a handler throws to answer with a code that its operation declares, or a built-in one:
   * `throw context.problem('not_found', 'No client 7.')`.
   */
  problem<Code extends (keyof Errors & string) | BuiltInErrorCode>(
    code: Code,
    detail?: string,
    ...members: ProblemMembers<Errors, Code>
  ): ProblemError<Code>
}

/** The extension members of a problem as an argument: left out where none is required. */
export type ProblemMembers<Errors, Code> = Code extends keyof Errors
  ? Record<never, never> extends Errors[Code]
    ? [members?: Errors[Code]]
    : [members: Errors[Code]]
  : []

/** What a handler may ask of the HTTP request that a call came by. */
export interface CallRequest {
  /** Over JSON-RPC always POST. */
  readonly method: string
  /** By name in lower case, whether parameters declare them or not. Their values have not been validated. */
  readonly headers: Readonly<IncomingHttpHeaders>
  /** IP address of the connection's other end: the proxy's, if there is one. */
  readonly address: string | undefined
}

/** Credentials the request carries for one security alternative, by scheme name. */
export type Credentials<Scheme extends string = string> = { readonly [S in Scheme]?: string }

export type ApiOptions<
  Handlers,
  Principal,
  Scheme extends string = string,
  State = unknown,
  Body = unknown,
> = BasicOptions<Handlers, Principal, Scheme, Body> &
  (unknown extends State ? Partial<AroundOption<Principal, State>> : AroundOption<Principal, State>)

/** Required if handlers expect a state. */
interface AroundOption<Principal, State> {
  /**
   * Runs each call whose caller is known: awaits `run`, which binds and validates the params and has the handler
   * called, and answers what it resolves to. What it throws, or throws in its place, the call is answered with. What
   * `run` is given is the handler's `context.state`. Default: none, and nothing is spent on it.
   */
  readonly around: <Result>(
    call: Call<Principal>,
    run: (...state: unknown extends State ? [state?: State] : [state: State]) => Promise<Result>,
  ) => Promise<Result>
}

/** Options that do not depend on the state of a call. */
interface BasicOptions<Handlers, Principal, Scheme extends string = string, Body = unknown> {
  /** By namespace (the operation's name without its last part, `default` where it has no dot), then by member. */
  readonly handlers: Handlers
  /**
   * Turns the credentials of one security alternative into a principal, or refuses them by a ProblemError
   * (`invalid_api_key`, `invalid_token`); then the next alternative is tried. For `http` schemes the credential is
   * what follows the scheme: the token, or the base64 text. A batch asks once for each alternative. Needed where any
   * operation has security.
   */
  readonly authenticate?: (
    credentials: Credentials<Scheme>,
    call: AuthenticationCall,
  ) => Principal | Promise<Principal>
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
   * Zone of a principal, where it has one (seed section 1, timezone rule 2). One that the database of zones
   * lacks gives way to the system's, with a `warning` to `onCall`.
   */
  readonly timezone?: (principal: Principal) => string | undefined
  /** Zone of the system (rule 3). Default: UTC. */
  readonly systemTimezone?: string
  /** Validates results before they leave. Default: true. */
  readonly validateResponses?: boolean
  readonly limits?: Partial<Limits>
  /**
   * Takes JSON that a body parser before the api has parsed and whose bytes it has dropped. A number that the
   * parser may have rounded (no safe integer, or more than 15 significant digits) is refused then, but digits
   * that rounding left no trace of are lost: 100.00000000000000001 arrives as 100. Default: false, such a body
   * is answered with an `internal_error` that tells what to do.
   */
  readonly acceptParsedBodies?: boolean
  /**
   * Path below which everything stands, REST and JSON-RPC alike; '' for none. Default: that of the
   * document's first server. Under Express a mount at this path, or at one that ends so, takes its place.
   */
  readonly basePath?: string
  /**
   * Where the api says what its callers are not told: a handler that throws, a result that is invalid, a stream that
   * breaks. pino, `console`, or anything with `error` and `warn`; `false` for nothing. Default: lines of JSON on standard error.
   */
  readonly logger?: Logger | false
  /**
   * Told of every finished call, for logs and metrics; once more where a stream fails that a call has been
   * answered with. What it throws is logged.
   */
  readonly onCall?: (event: CallEvent<Principal>) => void
  /** The OpenRPC document that `rpc.discover` answers. Default: read from the package, which a Worker cannot. */
  readonly openrpc?: object
  /** Measures the work of each request. Default: none, and nothing is spent on it. */
  readonly work?: WorkMeter
}

/** One call, as {@link AroundOption.around} is told of it. */
export interface Call<Principal> {
  readonly operation: string
  readonly protocol: Protocol
  readonly requestId: string
  readonly principal: Principal | undefined
  /** Calls of a batch share it; undefined in process. */
  readonly request: HttpRequest | undefined
}

export interface AuthenticationCall {
  /**
   * Before a long body over JSON-RPC is read, which tells what is called, it is the first operation that takes these
   * credentials; the hook is asked again for the one that is called.
   */
  readonly operation: string
  /** Scopes that the alternative asks for, by scheme name; empty where it asks for none. */
  readonly scopes: Readonly<Record<string, readonly string[]>>
  readonly requestId: string
  readonly signal: AbortSignal
  readonly request: HttpRequest
}

export interface Limits {
  /** Bytes of a request body. Default: 1 MiB. */
  readonly bodyBytes: number
  /**
   * Bytes of a request body without good credentials, whatever is called: anybody could have the server parse long ones.
   * Default: 16 KiB, or `bodyBytes` where that is less or no operation has security.
   */
  readonly anonymousBodyBytes: number
  /**
   * Values and names that the JSON of a request body may hold, counted by its brackets, commas and colons before it is
   * parsed. Default: 20,000, which are some 130 KB of ordinary records.
   */
  readonly bodyValues: number
  /** Parts that a `multipart/form-data` body may have, files and fields together. Default: 1,000. */
  readonly bodyParts: number
  /** Bytes of a file or stream that a call over JSON-RPC or in process is answered with. Default: 16 MiB. */
  readonly answerBytes: number
  /** Calls in one JSON-RPC batch. Default: 100. */
  readonly batchLength: number
  /** Calls of one batch that run at the same time. Default: 10. */
  readonly batchParallel: number
  /**
   * Milliseconds that finding the caller and the handler may take together; then the handler's signal aborts and
   * the call is answered with `unavailable`. All calls of a batch share them, and those that have not begun by then
   * never do. A stream goes on. Default: no bound.
   */
  readonly callMs: number | undefined
}

export interface CallEvent<Principal> {
  /** Undefined: the request named no known operation. */
  readonly operation: string | undefined
  readonly protocol: Protocol
  readonly requestId: string
  readonly principal: Principal | undefined
  /** Calls of a batch share it; absent in process. */
  readonly request?: HttpRequest
  readonly durationMs: number
  /** Absent: the call succeeded. */
  readonly code?: string
  /** What a hook got wrong and the call did without: a principal's zone that is none. */
  readonly warning?: string
  /** The unexpected error behind an `internal_error`. */
  readonly error?: unknown
}

/** Gets what no route of the api knows. */
export type Fallback = (request: IncomingMessage, response: ServerResponse) => void

export interface Api<Types, Principal> {
  /**
   * Both protocols as an Express 5 middleware: REST at its paths, JSON-RPC at `POST /`, both relative to the
   * mount. Unknown paths answer 404, or go on to the next middleware with `fallthrough`, as do GET and HEAD
   * of `/`.
   *
   * Mount it before any body parser. Where one has to come first, have it keep the bytes,
   * `express.json({ verify: keepRawBody })`, which are then read in its stead. JSON that a parser has parsed
   * without them is refused with an `internal_error`, since its numbers may have been rounded, unless
   * {@link BasicOptions.acceptParsedBodies} is set.
   */
  express(options?: {
    fallthrough?: boolean
  }): (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void
  /**
   * Both protocols as a `node:http` request listener. Unknown paths answer 404, or go to `fallback`, as do GET
   * and HEAD of the JSON-RPC address: `Allow` names them there, so a fallback has to serve them.
   */
  node(options?: { fallback?: Fallback }): (request: IncomingMessage, response: ServerResponse) => void
  /**
   * Both protocols as a Fastify plugin, which answers everything below its prefix and leaves bodies to the api:
   * `app.register(api.fastify(), { prefix: '/v1' })`.
   */
  fastify(): FastifyPlugin
  /**
   * Both protocols as a Web-standard handler. Unknown paths answer 404. Aborting the signal of the request aborts that
   * of its handler. Limits hold for bodies without a length too.
   */
  fetch(request: Request, info?: FetchInfo): Promise<Response>
  /**
   * One call in process: validated like any other, `principal` trusted. Params are copied as JSON. Throws a
   * ProblemError whose `problem` is what a remote caller would have got.
   */
  call<Name extends keyof Types & string>(
    name: Name,
    params: Types[Name] extends { params: infer P } ? P : never,
    options?: CallOptions<Principal>,
  ): Promise<Types[Name] extends { result: infer R } ? R : never>
}

/** What a `Request` does not say about where it comes from. */
export interface FetchInfo {
  /** IP address of the connection's other end: `server.requestIP(request)?.address` under Bun. */
  readonly address?: string | undefined
}

export interface CallOptions<Principal> {
  readonly principal?: Principal
  /** IANA name, as `__tz` is over the wire. */
  readonly timezone?: string
  readonly signal?: AbortSignal
  readonly requestId?: string
}
