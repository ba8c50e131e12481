import type { IncomingHttpHeaders } from 'node:http'
import type { ReadableRequest } from '../contract/http-request.js'

/** A request that has been read, for reading it again. */
export class ReplayedRequest implements ReadableRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly socket: { readonly remoteAddress?: string | undefined }
  readonly complete = true
  readonly destroyed = false
  readonly readableDidRead = true
  readonly readableEnded = true
  /** Where `readBytes` and `readJson` find the bytes of a body that is consumed. */
  readonly rawBody: Buffer

  constructor(request: ReadableRequest, bytes: Buffer) {
    this.method = request.method ?? ''
    this.url = request.url ?? ''
    this.headers = request.headers
    this.rawHeaders = request.rawHeaders
    this.socket = request.socket
    this.rawBody = bytes
  }

  on(): void {}

  off(): void {}

  pause(): void {}
}
