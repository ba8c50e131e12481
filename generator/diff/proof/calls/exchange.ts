import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'

/** An HTTP request whose body, if any, is text. */
export interface HttpRequest {
  readonly method: string
  readonly url: string
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

export interface HttpResponse {
  readonly status: number
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** The response of a listener to a request, without a connection. */
export function exchanged(
  listener: Listener,
  { method, url, headers, body }: HttpRequest,
): Promise<HttpResponse> {
  const request = new IncomingMessage(new Socket())
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  Object.assign(request, { method, url, complete: true, headers: { host: 'service', ...headers, ...length } })
  if (body !== undefined) request.push(body)
  request.push(null)
  return new Promise((resolve, reject) => {
    const response = new Captured(request, resolve)
    response.once('close', () => reject(new Error('The answer ended early')))
    listener(request, response)
  })
}

/** Collects what is written instead of sending it. */
class Captured extends ServerResponse {
  readonly #chunks: Buffer[] = []
  readonly #done: (answer: HttpResponse) => void

  constructor(request: IncomingMessage, done: (answer: HttpResponse) => void) {
    super(request)
    this.#done = done
  }

  override write(chunk: unknown): boolean {
    this.#keep(chunk)
    return true
  }

  override end(chunk?: unknown): this {
    this.#keep(chunk)
    const named = Object.entries(this.getHeaders()).map(([name, value]) => [name, String(value)])
    const body = Buffer.concat(this.#chunks).toString('utf8')
    this.#done({ status: this.statusCode, headers: Object.fromEntries(named), body })
    this.emit('finish')
    return this
  }

  override writeHead(status: number, ...given: readonly unknown[]): this {
    this.statusCode = status
    for (const [name, value] of Object.entries(given.at(-1) ?? {})) this.setHeader(name, String(value))
    return this
  }

  override flushHeaders(): void {}

  #keep(chunk: unknown): void {
    if (typeof chunk === 'string') this.#chunks.push(Buffer.from(chunk))
    else if (chunk instanceof Uint8Array) this.#chunks.push(Buffer.from(chunk))
  }
}

/** Describes what the old document does not declare in a REST response, or requires and does not find. */
export type Undeclared = (answer: HttpResponse) => string | undefined
