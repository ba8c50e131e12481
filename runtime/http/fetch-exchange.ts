import type { OutgoingHeaders } from '../contract/reply.js'
import { Exchange, type ExchangeLimits, type ExchangeOptions, type ExchangeTarget } from './exchange.js'
import type { FetchedRequest } from './fetched-request.js'

/** An exchange of Web-standard requests and responses. */
export class FetchExchange<Principal> extends Exchange<Principal> {
  /** Never rejects. */
  readonly answer: Promise<Response>
  readonly #aborted: AbortSignal
  #answer: (response: Response) => void = () => undefined
  #controller: AbortController | undefined
  #breakOff: ((reason: Error) => void) | undefined
  #over: ((status: number) => void) | undefined
  #isOver = false

  /** @param aborted the request's signal */
  constructor(
    target: ExchangeTarget,
    request: FetchedRequest,
    aborted: AbortSignal,
    options: ExchangeOptions<Principal>,
    limits: ExchangeLimits,
  ) {
    super(target, request, options, limits)
    this.#aborted = aborted
    this.answer = new Promise((resolve) => {
      this.#answer = resolve
    })
  }

  /** The platform manages the connection. */
  failed(): void {}

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#aborted.aborted) this.#abort()
      else this.#aborted.addEventListener('abort', () => this.#abort(), { once: true })
    }
    return this.#controller.signal
  }

  send(status: number, headers: OutgoingHeaders, body?: string): void {
    this.complete(headers, false)
    if (body !== undefined) headers['Content-Length'] = String(Buffer.byteLength(body))
    const isBare = !body || this.request.method === 'HEAD'
    this.#end(new Response(isBare ? null : body, { status, headers: headersOf(headers) }))
  }

  async stream(
    status: number,
    headers: OutgoingHeaders,
    content: Blob | AsyncIterable<Uint8Array>,
  ): Promise<void> {
    this.complete(headers, false)
    if (content instanceof Blob) headers['Content-Length'] = String(content.size)
    const init = { status, headers: headersOf(headers) }
    if (this.request.method === 'HEAD') {
      if (!(content instanceof Blob)) await content[Symbol.asyncIterator]().return?.()
      this.#end(new Response(null, init))
    } else if (content instanceof Blob) this.#end(new Response(content, init))
    else this.#answer(new Response(this.#streamed(content, status), init))
  }

  #streamed(pieces: AsyncIterable<Uint8Array>, status: number): ReadableStream {
    const iterator = pieces[Symbol.asyncIterator]()
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#breakOff = (reason) => controller.error(reason)
        },
        pull: async (controller) => {
          try {
            const { done, value } = await iterator.next()
            if (!done) {
              controller.enqueue(value)
              return
            }
            controller.close()
          } catch (error) {
            controller.error(error)
          }
          this.#finish(status)
        },
        cancel: async () => {
          this.#abort()
          this.#finish(status)
          await iterator.return?.()
        },
      },
      { highWaterMark: 0 },
    )
  }

  destroy(): void {
    this.#breakOff?.(new Error('The response broke off'))
    this.#end(new Response(null, { status: 500 }))
  }

  whenOver(listener: (status: number) => void): void {
    this.#over = listener
  }

  /** A platform may abort the signal of a request after its response. */
  #abort(): void {
    if (!this.#isOver) this.#controller?.abort(new Error('The caller has disconnected'))
  }

  #end(response: Response): void {
    this.#answer(response)
    this.#finish(response.status)
  }

  #finish(status: number): void {
    this.#isOver = true
    this.#over?.(status)
    this.#over = undefined
    this.sent()
  }
}

function headersOf(headers: OutgoingHeaders): Headers {
  const sent = new Headers()
  for (const name in headers) for (const value of [headers[name] ?? []].flat()) sent.append(name, value)
  return sent
}
