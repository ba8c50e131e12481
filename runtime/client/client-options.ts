import type { ErrorCatalogue } from '../contract/catalogue.js'
import type { ClientProtocol, Operation } from '../contract/operation.js'
import type { Auth } from './credentials/client-auth.js'
import type { SecuritySchemes } from './credentials/client-security.js'
import type { RetryOptions } from './retry.js'
import type { ClientResponse, Transport } from './transport.js'

/** The parts of a contract that a client needs. */
export interface ClientContract {
  readonly operations: Readonly<Record<string, Operation>>
  readonly errors: ErrorCatalogue
  readonly securitySchemes: SecuritySchemes
  /** The version that calls choose. Absent: they choose none. */
  readonly version?: string
}

/** What a response says of the version or the operation that was called. */
export interface Deprecated {
  /** Name of the operation; `batch` for several at once. */
  readonly operation: string
  readonly protocol: ClientProtocol
  /** Undefined: it is not known since when. */
  readonly since: Date | undefined
  /** From then on it is not served. Undefined: it is not known when. */
  readonly sunset: Date | undefined
  /** The version to use instead. */
  readonly successor: string | undefined
}

/** How a client reaches its service, and the defaults of its calls. */
export interface ClientOptions<Over extends Transport, Own extends Auth = Auth> {
  readonly transport: Over
  /**
   * Credentials by security scheme name. A call sends those of the first security alternative that is fully
   * configured, and none if no alternative is. A single credential without a name is for all schemes of its
   * kind.
   */
  readonly auth?: Own | undefined
  /**
   * IANA zone sent as `__tz` with every call (seed section 1). Default: none; the service uses the user's
   * zone.
   */
  readonly timezone?: string | undefined
  /**
   * Milliseconds for one attempt, from sending the request to the response's last byte. Default: 30000. 0: no
   * limit.
   */
  readonly timeout?: number | undefined
  /** Retries of calls that are idempotent or have an idempotency key. Default: 2. Others are never retried. */
  readonly retry?: false | RetryOptions | undefined
  /**
   * Headers of every request. A param, a credential or a call's own header overrides one of the same name.
   *
   * @throws TypeError from createClient, for an invalid header name or value
   */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /**
   * The header in which every request names the client's version, for services of several versions. False: none.
   * Default: `API-Version`.
   */
  readonly versionHeader?: string | false | undefined
  /**
   * Receives each response that says that its version or operation is deprecated. Errors that this throws are the
   * call's.
   */
  readonly onDeprecated?: ((deprecated: Deprecated) => void) | undefined
  /**
   * Wraps each call: for logs, traces, or headers that are known late. One call includes all its retries. The
   * caller receives what this returns or throws. To see each HTTP request, give the transport a `fetch`.
   */
  readonly around?: ((call: AroundCall, run: RunCall) => Promise<ClientResponse>) | undefined
}

/** The first argument of `around`: one call. */
export interface AroundCall {
  /** Name of the operation; `batch` for several at once. */
  readonly operation: string
  readonly protocol: ClientProtocol
  /** Params as sent; for a batch, those of each call. */
  readonly params: unknown
}

/**
 * Sends the call. These headers override all but the call's own. The response's data is the pieces of a
 * stream, the outcomes of a batch, undefined for a notification.
 *
 * @throws what the call throws, and TypeError for an invalid header name or value
 */
export type RunCall = (more?: {
  readonly headers?: Readonly<Record<string, string>>
}) => Promise<ClientResponse>

/** Options of one call; they override the client's. */
export interface CallOptions<Own extends Auth = Auth> {
  /** IANA zone sent as `__tz`. */
  readonly timezone?: string | undefined
  /** Ends the call, its retries and its waits with a TransportError `aborted`. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for one attempt; for a stream, until it begins. 0: no limit. */
  readonly timeout?: number | undefined
  readonly retry?: false | RetryOptions | undefined
  /** These override all other headers. Names are case-insensitive. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Credentials of this call in place of the client's; `false` sends none. */
  readonly auth?: Own | false | undefined
}

/** Options of a call whose response is read as a stream. */
export interface StreamOptions<Own extends Auth = Auth> extends CallOptions<Own> {
  readonly as: 'stream'
}
