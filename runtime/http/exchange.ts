import type { HttpRequest, ReadableRequest } from '../contract/http-request.js'
import type { Protocol, SecurityRequirement } from '../contract/operation.js'
import type { OutgoingHeaders } from '../contract/reply.js'
import type { Limits } from '../server/api/limits.js'
import type { ApiOptions, AuthenticationCall } from '../server/api/options.js'
import { Authentication } from '../server/authenticate.js'
import type { Caller } from '../server/dispatch.js'
import type { Failure } from '../server/outcome/outcome.js'
import type { Procedure } from '../server/procedure.js'
import { measured } from '../server/work.js'
import { type Eventual, whenKnown } from '../values/eventual.js'
import { requestIdOf } from '../values/request-id.js'
import { anonymousRule, type BodyRule, type BodyRules, isLong } from './body.js'
import { keptAlive } from './events.js'
import { addHeaders, type VersionChoice } from './version-headers.js'

export type ExchangeOptions<Principal> = Pick<
  ApiOptions<unknown, Principal>,
  'authenticate' | 'scopes' | 'work'
>

/** The limits of one exchange. */
export type ExchangeLimits = Pick<Limits, 'bodyBytes' | 'streamKeepAliveMs' | 'streamStallMs'>

/** What a request is sent to. */
export interface ExchangeTarget {
  readonly protocol: Protocol
  /** The request target below the base path. Undefined: the request is outside of it. */
  readonly url: string | undefined
  /** Undefined: the api serves one version. */
  readonly choice: VersionChoice | undefined
}

/** One HTTP request and its response, as a caller of operations. */
export abstract class Exchange<Principal> implements Caller<Principal> {
  readonly protocol: Protocol
  readonly request: ReadableRequest
  readonly requestId: string
  /** The request target below the base path. */
  readonly url: string
  /** Undefined: the api serves one version. */
  readonly choice: VersionChoice | undefined
  protected readonly limits: ExchangeLimits
  readonly #options: ExchangeOptions<Principal>
  readonly #authentication: Authentication<Principal>
  #sent: (() => void) | undefined

  constructor(
    { protocol, url = '', choice }: ExchangeTarget,
    request: ReadableRequest,
    options: ExchangeOptions<Principal>,
    limits: ExchangeLimits,
  ) {
    this.limits = limits
    this.protocol = protocol
    this.request = request
    this.url = url
    this.choice = choice
    this.requestId = requestIdOf(request.headers['x-request-id'])
    this.#options = options
    this.#authentication = new Authentication(request, options)
  }

  /** Aborts when the caller disconnects before the response is complete. */
  abstract get signal(): AbortSignal

  abstract failed(failure: Failure): void

  /**
   * Sends the whole response. `body` is its text, undefined for none. HEAD receives the body's length without
   * the body.
   */
  abstract send(status: number, headers: OutgoingHeaders, body?: string): void

  /**
   * Streams the response, no faster than the caller reads. If the caller disconnects, the pieces end; if a
   * piece fails, the response breaks off, since its head is already sent.
   */
  abstract stream(
    status: number,
    headers: OutgoingHeaders,
    content: Blob | AsyncIterable<Uint8Array>,
  ): Promise<void>

  /** The same for server-sent events, with comments while there are none. Proxies must not collect them. */
  events(status: number, headers: OutgoingHeaders, content: AsyncIterable<Uint8Array>): Promise<void> {
    const kept = keptAlive(content, this.limits.streamKeepAliveMs)
    return this.stream(status, { 'X-Accel-Buffering': 'no', ...headers }, kept)
  }

  /** Breaks off a response that cannot be completed. */
  abstract destroy(): void

  /** Calls the listener with the status when the response is complete. */
  abstract whenOver(listener: (status: number) => void): void

  /** Calls the listener once the response is handed to the connection, or broken off. Costs less than `whenOver`. */
  whenSent(listener: () => void): void {
    if (this.#sent === undefined) this.#sent = listener
    else {
      const earlier = this.#sent
      this.#sent = () => {
        earlier()
        listener()
      }
    }
  }

  /** For those who send responses, after that. */
  protected sent(): void {
    const listener = this.#sent
    this.#sent = undefined
    listener?.()
  }

  measured<Result>(work: () => Result): Result {
    return measured(this.#options.work, this.request, work)
  }

  principal({ alternatives, operation }: Procedure): Eventual<Principal | undefined> {
    if (alternatives.length === 0) return undefined
    return this.#authentication.principal(
      alternatives,
      ({ scopes }) => new ExchangeCall(operation.name, scopes, this),
    )
  }

  /** How to read this request's body: a long one only from an authenticated caller. */
  bodyRule(rules: BodyRules): Eventual<BodyRule> {
    const { request } = this
    if (!isLong(request, rules) || this.#authentication.isKnown) return rules.known
    // The operation itself must call the hook again, since the hook may treat operations differently.
    const authentication = new Authentication(request, this.#options)
    const refusal = authentication.refusal(
      rules.credentials.keys(),
      (alternative) => new ExchangeCall(rules.credentials.get(alternative) ?? '', alternative.scopes, this),
    )
    return whenKnown(refusal, (anonymous) =>
      anonymous === undefined ? rules.known : anonymousRule(rules, anonymous),
    )
  }

  /**
   * A response is for its caller alone. Shared caches store responses to requests with an API key, since only
   * `Authorization` prevents it (RFC 9111, section 3.5). A handler or a middleware may override this.
   *
   * @param isSet whether a middleware does
   */
  protected complete(headers: OutgoingHeaders, isSet: boolean): void {
    headers['X-Request-Id'] = this.requestId
    if (headers['cache-control'] === undefined && !isSet) headers['Cache-Control'] = 'no-store'
    if (this.choice !== undefined) addHeaders(headers, this.choice)
  }
}

/** What an authenticate hook receives; creates the signal only on access. */
class ExchangeCall<Principal> implements AuthenticationCall {
  readonly operation: string
  readonly scopes: SecurityRequirement
  readonly requestId: string
  readonly #exchange: Exchange<Principal>

  constructor(operation: string, scopes: SecurityRequirement, exchange: Exchange<Principal>) {
    this.operation = operation
    this.scopes = scopes
    this.requestId = exchange.requestId
    this.#exchange = exchange
  }

  get signal(): AbortSignal {
    return this.#exchange.signal
  }

  get request(): HttpRequest {
    return this.#exchange.request
  }
}
