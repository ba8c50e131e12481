import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http'
import type { OutgoingHeaders } from '../contract/reply.js'
import type { Failure } from '../server/outcome/outcome.js'
import { Exchange, type ExchangeLimits, type ExchangeOptions, type ExchangeTarget } from './exchange.js'
import { endConnection } from './last-answer.js'
import { sendPieces } from './send-pieces.js'
import { endUnread, isUnread } from './unread.js'

/** An exchange of `node:http`, or of a framework on top of it. */
export class NodeExchange<Principal> extends Exchange<Principal> {
  declare readonly request: IncomingMessage
  readonly #response: ServerResponse
  #controller: AbortController | undefined

  constructor(
    target: ExchangeTarget,
    request: IncomingMessage,
    response: ServerResponse,
    options: ExchangeOptions<Principal>,
    limits: ExchangeLimits,
  ) {
    super(target, request, options, limits)
    this.#response = response
  }

  /**
   * Closes the connection of a caller that must retry later: it may keep asking meanwhile, at others' cost.
   */
  failed({ problem }: Failure): void {
    if (problem.status === 429 || problem.status === 503) endConnection(this.request)
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController()
      const response = this.#response
      const close = () => {
        if (!response.writableEnded) controller.abort(new Error('The caller has disconnected'))
      }
      if (response.destroyed) close()
      else response.once('close', close)
      this.#controller = controller
    }
    return this.#controller.signal
  }

  send(status: number, headers: OutgoingHeaders, body?: string): void {
    const { request } = this
    const response = this.#response
    this.complete(headers, response.hasHeader('Cache-Control'))
    const { bodyBytes } = this.limits
    const unread = isUnread(request, bodyBytes)
    if (unread) headers.Connection = 'close'
    const length = body === undefined ? 0 : Buffer.byteLength(body)
    if (body !== undefined) headers['Content-Length'] = String(length)
    const content = body === undefined || request.method === 'HEAD' ? '' : body
    writeHead(response, status, headers)
    if (unread) {
      response.flushHeaders()
      response.write(content)
      endUnread(request, response, bodyBytes)
    } else if (content === '') response.end()
    else endWith(response, content, length)
    this.sent()
  }

  async stream(
    status: number,
    headers: OutgoingHeaders,
    content: Blob | AsyncIterable<Uint8Array>,
  ): Promise<void> {
    const response = this.#response
    this.complete(headers, response.hasHeader('Cache-Control'))
    if (content instanceof Blob) headers['Content-Length'] = String(content.size)
    const pieces = content instanceof Blob ? chunksOf(content) : content
    writeHead(response, status, headers)
    if (this.request.method === 'HEAD') {
      await pieces[Symbol.asyncIterator]().return?.()
      response.end()
    } else {
      response.flushHeaders()
      await sendPieces(pieces, response, this.limits.streamStallMs)
    }
    this.sent()
  }

  destroy(): void {
    this.#response.destroy()
    this.sent()
  }

  whenOver(listener: (status: number) => void): void {
    const response = this.#response
    response.once('close', () => listener(response.statusCode))
  }
}

/**
 * A flat list of names and values is the fastest for node, unless headers have been set before. Middlewares
 * that intercept writeHead may not understand a list. What the answer varies by is not overwritten but completed.
 */
function writeHead(response: ServerResponse, status: number, headers: OutgoingHeaders): void {
  const isPlain = response.writeHead === ServerResponse.prototype.writeHead
  if (!isPlain || response.getHeaderNames().length > 0) {
    const known = response.getHeader('vary')
    const { vary } = headers
    const all =
      known === undefined || vary === undefined ? headers : { ...headers, vary: `${known}, ${vary}` }
    response.writeHead(status, all as OutgoingHttpHeaders)
    return
  }
  const list: OutgoingHttpHeader[] = []
  for (const name in headers) list.push(name, (headers[name] ?? '') as OutgoingHttpHeader)
  response.writeHead(status, list)
}

/**
 * Ends a response with its whole content. `end` alone writes twice, the second time nothing; both then become
 * one vector for the kernel, which costs more than one text.
 */
function endWith(response: ServerResponse, content: string, length: number): void {
  const { socket } = response
  // ASCII is the same in both encodings, and Latin-1 is faster to write.
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

async function* chunksOf(blob: Blob): AsyncGenerator<Uint8Array> {
  const reader = blob.stream().getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel()
  }
}
