import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ApiOptions, Protocol } from '../core/api.js'
import { type AskingCall, Authentication } from '../core/authenticate.js'
import type { Caller } from '../core/dispatch.js'
import type { Procedure } from '../core/procedure.js'
import { requestIdOf } from '../core/request-id.js'
import { endUnread, isUnread } from './unread.js'

/** One HTTP request and its answer, as a caller of operations. */
export class Exchange<Principal> implements Caller<Principal> {
  readonly protocol: Protocol
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  /** The request target below the base path. */
  readonly url: string
  readonly #authentication: Authentication<Principal>
  /** Most that a body may have. */
  readonly #bodyBytes: number
  #controller: AbortController | undefined

  constructor(
    protocol: Protocol,
    request: IncomingMessage,
    response: ServerResponse,
    authenticate: ApiOptions<unknown, Principal>['authenticate'],
    bodyBytes: number,
    url = request.url ?? '',
  ) {
    this.protocol = protocol
    this.request = request
    this.response = response
    this.#bodyBytes = bodyBytes
    this.url = url
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
    this.#complete(headers)
    const unread = isUnread(request, this.#bodyBytes)
    if (unread) headers.Connection = 'close'
    if (body !== undefined) headers['Content-Length'] = String(Buffer.byteLength(body))
    response.writeHead(status, headers)
    const content = request.method === 'HEAD' ? '' : (body ?? '')
    if (unread) {
      response.flushHeaders()
      response.write(content)
      endUnread(request, response, this.#bodyBytes)
    } else response.end(content)
  }

  /**
   * Answers piece by piece, no faster than the caller reads. A caller that goes ends the pieces; a fault
   * among them ends the connection, since the answer is under way.
   *
   * @param length bytes of all pieces, undefined where that is not known
   */
  async stream(
    status: number,
    headers: Record<string, string>,
    pieces: AsyncIterable<Uint8Array>,
    length?: number,
  ): Promise<void> {
    const { request, response } = this
    this.#complete(headers)
    if (length !== undefined) headers['Content-Length'] = String(length)
    response.writeHead(status, headers)
    if (request.method === 'HEAD') {
      await pieces[Symbol.asyncIterator]().return?.()
      response.end()
      return
    }
    response.flushHeaders()
    await pipeline(Readable.from(pieces, { objectMode: false }), response).catch(() => response.destroy())
  }

  /**
   * What is said to one caller is not for the next: shared caches keep answers to requests with an API key,
   * since only `Authorization` protects from it (RFC 9111, section 3.5). A handler or a middleware may say otherwise.
   */
  #complete(headers: Record<string, string>): void {
    headers['X-Request-Id'] = this.requestId
    const isSaid = headers['cache-control'] !== undefined || this.response.hasHeader('Cache-Control')
    if (!isSaid) headers['Cache-Control'] = 'no-store'
  }
}

/** What an authenticate hook is told; its signal is made only when it is asked for. */
class ExchangeCall<Principal> implements AskingCall {
  readonly operation: string
  scopes: AskingCall['scopes'] = {}
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
