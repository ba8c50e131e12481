import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ApiOptions, Protocol } from '../core/api.js'
import { Authentication } from '../core/authenticate.js'
import type { Caller } from '../core/dispatch.js'
import type { Procedure } from '../core/procedure.js'
import { requestIdOf } from '../core/request-id.js'

/** One HTTP request and its answer, as a caller of operations. */
export class Exchange<Principal> implements Caller<Principal> {
  readonly protocol: Protocol
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  readonly #authentication: Authentication<Principal>
  #controller: AbortController | undefined

  constructor(
    protocol: Protocol,
    request: IncomingMessage,
    response: ServerResponse,
    authenticate: ApiOptions<unknown, Principal>['authenticate'],
  ) {
    this.protocol = protocol
    this.request = request
    this.response = response
    this.requestId = requestIdOf(request.headers['x-request-id'])
    this.#authentication = new Authentication(request, authenticate)
  }

  principal({ alternatives, operation }: Procedure): Principal | undefined | Promise<Principal> {
    if (alternatives.length === 0) return undefined
    return this.#authentication.principal(alternatives, new ExchangeCall(operation.name, this))
  }

  /** Aborts when the connection closes before the answer is done. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController()
      const { response } = this
      const close = () => {
        if (!response.writableEnded) controller.abort(new Error('The caller has gone'))
      }
      if (response.destroyed) close()
      else response.once('close', close)
      this.#controller = controller
    }
    return this.#controller.signal
  }

  /**
   * Answers and ends. `body` is the text of the body, undefined for none. To HEAD goes the length of the
   * body, not the body.
   */
  send(status: number, headers: Record<string, string>, body?: string): void {
    const { request, response } = this
    headers['X-Request-Id'] = this.requestId
    // The rest of a body that is far too large is not worth reading: the connection ends with the answer.
    if (status === 413 && !request.complete) headers.Connection = 'close'
    if (body !== undefined) headers['Content-Length'] = String(Buffer.byteLength(body))
    response.writeHead(status, headers)
    if (body === undefined || request.method === 'HEAD') response.end()
    else response.end(body)
  }
}

/** What an authenticate hook is told; its signal is made only when it is asked for. */
class ExchangeCall<Principal> {
  readonly operation: string
  readonly requestId: string
  readonly #exchange: Exchange<Principal>

  constructor(operation: string, exchange: Exchange<Principal>) {
    this.operation = operation
    this.requestId = exchange.requestId
    this.#exchange = exchange
  }

  get signal(): AbortSignal {
    return this.#exchange.signal
  }
}
