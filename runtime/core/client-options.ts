import type { Auth } from './client-auth.js'
import type { RetryOptions } from './retry.js'
import type { JsonRpcTransport, RestTransport } from './transport.js'

/** How a client reaches its service, and the defaults of its calls. */
export interface ClientOptions<Transport extends RestTransport | JsonRpcTransport> {
  readonly transport: Transport
  /** Credentials; without them every call is sent as a public one. */
  readonly auth?: Auth | undefined
  /** IANA zone sent as `__tz` with every call (seed section 1). Default: none, the user's zone counts. */
  readonly timezone?: string | undefined
  /** Milliseconds for one attempt, from sending to the answer's last byte. Default: 30000; 0: no limit. */
  readonly timeout?: number | undefined
  /** Retries of calls that are idempotent or have an idempotency key. Default: 2. Others are never retried. */
  readonly retry?: false | RetryOptions | undefined
}

/** What one call does differently from its client's defaults. */
export interface CallOptions {
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
  readonly auth?: Auth | false | undefined
}

/** Options of a call whose answer is read as it comes in. */
export interface StreamOptions extends CallOptions {
  readonly as: 'stream'
}
