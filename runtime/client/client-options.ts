import type { ErrorCatalogue } from '../contract/catalogue.js'
import type { Operation } from '../contract/operation.js'
import type { Auth } from './client-auth.js'
import type { SecuritySchemes } from './client-security.js'
import type { RetryOptions } from './retry.js'
import type { ClientResponse, JsonRpcTransport, RestTransport } from './transport.js'

/** What a client has to know of one version of one document. */
export interface ClientContract {
  readonly operations: Readonly<Record<string, Operation>>
  readonly errors: ErrorCatalogue
  readonly securitySchemes: SecuritySchemes
}

/** How a client reaches its service, and the defaults of its calls. */
export interface ClientOptions<Transport extends RestTransport | JsonRpcTransport, Own extends Auth = Auth> {
  readonly transport: Transport
  /**
   * Credentials by the name of their security scheme. A call sends those of the first alternative of its security that
   * is wholly configured, and none if no alternative is. Without a name a credential is for all schemes of its kind.
   */
  readonly auth?: Own | undefined
  /** IANA zone sent as `__tz` with every call (seed section 1). Default: none, the user's zone counts. */
  readonly timezone?: string | undefined
  /** Milliseconds for one attempt, from sending to the answer's last byte. Default: 30000; 0: no limit. */
  readonly timeout?: number | undefined
  /** Retries of calls that are idempotent or have an idempotency key. Default: 2. Others are never retried. */
  readonly retry?: false | RetryOptions | undefined
  /**
   * Headers of every request. A param, credentials, or a header of the call goes before one of the same name.
   *
   * @throws TypeError from createClient, for a name or value that cannot stand in a header
   */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /**
   * Runs each call: for logs, traces, or headers that are known late. A call is what its caller sees as one, with
   * all its retries. What it answers or throws is what the caller receives. To see each HTTP request, give the
   * transport a `fetch`.
   */
  readonly around?: ((call: AroundCall, run: RunCall) => Promise<ClientResponse>) | undefined
}

/** The first argument of `around`: one call. */
export interface AroundCall {
  /** Name of the operation; `batch` for several at once. */
  readonly operation: string
  readonly protocol: 'rest' | 'jsonrpc'
  /** Params as sent, those of each call for a batch. */
  readonly params: unknown
}

/**
 * Sends the call, with these headers over all but its own. The data of a stream is its pieces, of a batch its outcomes, of
 * a notification undefined.
 *
 * @throws what the call throws, and TypeError for a name or value that cannot stand in a header
 */
export type RunCall = (more?: {
  readonly headers?: Readonly<Record<string, string>>
}) => Promise<ClientResponse>

/** What one call does differently from its client's defaults. */
export interface CallOptions<Own extends Auth = Auth> {
  /** IANA zone sent as `__tz`. */
  readonly timezone?: string | undefined
  /** Ends the call, its retries and its waits with a TransportError `aborted`. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for one attempt, of a stream until it begins; 0: no limit. */
  readonly timeout?: number | undefined
  readonly retry?: false | RetryOptions | undefined
  /** Laid over all other headers, names compared without regard to case. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Credentials of this call in place of the client's; `false` sends none. */
  readonly auth?: Own | false | undefined
}

/** Options of a call whose answer is read as it comes in. */
export interface StreamOptions<Own extends Auth = Auth> extends CallOptions<Own> {
  readonly as: 'stream'
}
