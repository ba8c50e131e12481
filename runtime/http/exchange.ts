import { type IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ApiOptions, AuthenticationCall, Protocol } from '../core/api.js'
import { Authentication } from '../core/authenticate.js'
import type { Caller } from '../core/dispatch.js'
import { type Eventual, whenKnown } from '../core/eventual.js'
import type { SecurityRequirement } from '../core/operation.js'
import type { Failure } from '../core/outcome.js'
import type { Procedure } from '../core/procedure.js'
import { requestIdOf } from '../core/request-id.js'
import { measured } from '../core/work.js'
import { anonymousRule, type BodyRule, type BodyRules, isLong } from './body.js'
import { endConnection } from './last-answer.js'
import { endUnread, isUnread } from './unread.js'

type ExchangeOptions<Principal> = Pick<ApiOptions<unknown, Principal>, 'authenticate' | 'scopes' | 'work'>

/** One HTTP request and its answer, as a caller of operations. */
export class Exchange<Principal> implements Caller<Principal> {
  readonly protocol: Protocol
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  /** The request target below the base path. */
  readonly url: string
  readonly #options: ExchangeOptions<Principal>
  readonly #authentication: Authentication<Principal>
  /** Most that a body may have. */
  readonly #bodyBytes: number
  #controller: AbortController | undefined

  constructor(
    protocol: Protocol,
    request: IncomingMessage,
    response: ServerResponse,
    options: ExchangeOptions<Principal>,
    bodyBytes: number,
    url = request.url ?? '',
  ) {
    this.protocol = protocol
    this.request = request
    this.response = response
    this.#bodyBytes = bodyBytes
    this.url = url
    this.requestId = requestIdOf(request.headers['x-request-id'])
    this.#options = options
    this.#authentication = new Authentication(request, options)
  }

  /** Of a caller that is to come back later the connection ends: it goes on asking meanwhile, and others wait. */
  failed({ problem }: Failure): void {
    if (problem.status === 429 || problem.status === 503) endConnection(this.request)
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

  /** How the body of this request is read: only of somebody a long one. */
  bodyRule(rules: BodyRules): Eventual<BodyRule> {
    const { request } = this
    if (!isLong(request, rules) || this.#authentication.isKnown) return rules.known
    // Whoever asks for an operation by the same credentials has to ask the hook again, which may tell operations apart.
    const authentication = new Authentication(request, this.#options)
    const refusal = authentication.refusal(
      rules.credentials.keys(),
      (alternative) => new ExchangeCall(rules.credentials.get(alternative) ?? '', alternative.scopes, this),
    )
    return whenKnown(refusal, (nobody) => (nobody === undefined ? rules.known : anonymousRule(rules, nobody)))
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
    const length = body === undefined ? 0 : Buffer.byteLength(body)
    if (body !== undefined) headers['Content-Length'] = String(length)
    const content = body === undefined || request.method === 'HEAD' ? '' : body
    writeHead(response, status, headers)
    if (unread) {
      response.flushHeaders()
      response.write(content)
      endUnread(request, response, this.#bodyBytes)
    } else if (content === '') response.end()
    else endWith(response, content, length)
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
    writeHead(response, status, headers)
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

/**
 * A list of names and values is what node writes with the least work, unless headers have been set before. A middleware
 * that listens in may not know what a list means.
 */
function writeHead(response: ServerResponse, status: number, headers: Record<string, string>): void {
  const isPlain = response.writeHead === ServerResponse.prototype.writeHead
  if (!isPlain || response.getHeaderNames().length > 0) {
    response.writeHead(status, headers)
    return
  }
  const list: string[] = []
  for (const name in headers) list.push(name, headers[name] ?? '')
  response.writeHead(status, list)
}

/**
 * Ends an answer with its whole content. `end` alone writes twice, the second time nothing; the two are then one vector
 * for the kernel, which costs more than one text.
 */
function endWith(response: ServerResponse, content: string, length: number): void {
  const { socket } = response
  // ASCII is the same in both, and sooner written as Latin-1.
  const encoding = length === content.length ? 'latin1' : 'utf8'
  if (socket === null || socket.writableCorked > 0) {
    response.end(content, encoding)
    return
  }
  socket.cork()
  response.write(content, encoding)
  socket.uncork()
  response.end()
}

/** What an authenticate hook is told; its signal is made only when it is asked for. */
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

  get request(): IncomingMessage {
    return this.#exchange.request
  }
}
