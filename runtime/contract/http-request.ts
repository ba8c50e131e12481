import type { IncomingHttpHeaders } from 'node:http'

/**
 * The HTTP request that hooks receive: under node:http its `IncomingMessage`, under `api.fetch` the same parts of a
 * `Request`.
 */
export interface HttpRequest {
  readonly method?: string | undefined
  /** The request target: path and query. */
  readonly url?: string | undefined
  /** By name in lower case. */
  readonly headers: IncomingHttpHeaders
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[]
  readonly httpVersion?: string
  /** The peer of the connection: the client, or the last proxy. */
  readonly socket: { readonly remoteAddress?: string | undefined }
}

/** A request with a readable body. Has a node stream's events, and the methods that reading needs. */
export interface ReadableRequest extends HttpRequest {
  /** Whether all of the body has arrived. */
  readonly complete: boolean
  readonly destroyed: boolean
  readonly readableDidRead: boolean
  readonly readableEnded: boolean
  on(event: 'data', listener: (chunk: Buffer) => void): unknown
  on(event: 'end' | 'close', listener: () => void): unknown
  off(event: 'data', listener: (chunk: Buffer) => void): unknown
  pause(): unknown
}
