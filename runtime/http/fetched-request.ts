import type { IncomingHttpHeaders } from 'node:http'
import type { ReadableRequest } from '../contract/http-request.js'

/** Gives a Web-standard request the interface of a node:http request. */
export class FetchedRequest implements ReadableRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly socket: { readonly remoteAddress: string | undefined; readonly encrypted?: true }
  complete = false
  destroyed = false
  readableEnded = false
  /** True from the start if other code has read the body. */
  readableDidRead: boolean
  readonly #source: Request
  #take: ((chunk: Buffer) => void) | undefined
  #end: (() => void) | undefined
  #close: (() => void) | undefined

  constructor(source: Request, remoteAddress: string | undefined) {
    const { url, method, body } = source
    const headers: Record<string, string> = {}
    const lines: string[] = []
    source.headers.forEach((value, name) => {
      headers[name] = value
      lines.push(name, value)
    })
    // A body without a length: HTTP/2, or a request that was created in this process.
    const isUnannounced = body !== null && headers['content-length'] === undefined
    if (isUnannounced) headers['transfer-encoding'] ??= 'chunked'
    this.method = method
    this.url = targetOf(url)
    this.headers = headers
    this.rawHeaders = lines
    this.socket = url.startsWith('https:') ? { remoteAddress, encrypted: true } : { remoteAddress }
    this.readableDidRead = source.bodyUsed || body?.locked === true
    this.#source = source
  }

  /** Requests of this process have no header `Host`. */
  get host(): string {
    return new URL(this.#source.url).host
  }

  /** Reading begins when `data` gets a listener. */
  on(event: 'data' | 'end' | 'close', listener: ((chunk: Buffer) => void) & (() => void)): void {
    if (event === 'end') this.#end = listener
    else if (event === 'close') this.#close = listener
    else {
      this.#take = listener
      this.readableDidRead = true
      void this.#read()
    }
  }

  off(): void {
    this.#take = undefined
  }

  /** Stops reading for good: the rest is not needed. */
  pause(): void {
    this.destroyed = true
  }

  async #read(): Promise<void> {
    try {
      await this.#pieces()
    } catch {
      this.destroyed = true
    }
    this.#close?.()
  }

  async #pieces(): Promise<void> {
    const announced = Number(this.headers['content-length'])
    const isEmpty = announced <= SHORT_BYTES ? !(await this.#whole()) : !(await this.#streamed())
    // A body was announced but is missing: `Request` has none for GET.
    if (this.destroyed || (isEmpty && announced > 0)) return
    this.complete = true
    this.readableEnded = true
    this.#end?.()
  }

  /** Reads a body at once, which takes Bun half the time of its stream. False: it is empty. */
  async #whole(): Promise<boolean> {
    const bytes = await this.#source.arrayBuffer()
    if (bytes.byteLength > 0) this.#take?.(Buffer.from(bytes))
    return bytes.byteLength > 0
  }

  /** Reads a body as it arrives, until it is paused. False: it is empty. */
  async #streamed(): Promise<boolean> {
    const reader = this.#source.body?.getReader()
    let hasBytes = false
    for (;;) {
      const piece = await reader?.read()
      if (piece === undefined || piece.done) return hasBytes
      hasBytes = true
      const { buffer, byteOffset, byteLength } = piece.value
      this.#take?.(Buffer.from(buffer, byteOffset, byteLength))
      if (this.destroyed) {
        await reader?.cancel()
        return hasBytes
      }
    }
  }
}

/** Bodies up to this announced length are read at once. A longer body than announced does no harm at this size. */
const SHORT_BYTES = 16_384

/** Path and query of an absolute URL that the platform has written. */
function targetOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const end = url.indexOf('#')
  return start === -1 ? '/' : url.slice(start, end === -1 ? undefined : end)
}
