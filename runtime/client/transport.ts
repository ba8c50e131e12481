import type { ErrorCatalogue } from '../contract/catalogue.js'
import type { ClientProtocol, Operation } from '../contract/operation.js'
import type { SentCredentials } from './credentials/client-security.js'

/** The client side of each protocol. */
export interface Transports {
  readonly rest: RestTransport
  readonly jsonrpc: JsonRpcTransport
}

export type Transport = Transports[ClientProtocol]

/** What every protocol's transport has. */
interface AnyTransport {
  readonly protocol: ClientProtocol
  call(call: OutgoingCall, delivery: Delivery): Promise<ClientResponse>
}

/** Calls over HTTP methods and paths. Created by `rest`. */
export interface RestTransport extends AnyTransport {
  readonly protocol: 'rest'
  /**
   * Streams the content of a successful response. The delivery's timeout bounds only the wait for its head.
   */
  stream(call: OutgoingCall, delivery: Delivery): Promise<ClientResponse<ReadableStream<Uint8Array>>>
}

/** Calls over JSON-RPC 2.0. Created by `jsonrpc`. */
export interface JsonRpcTransport extends AnyTransport {
  readonly protocol: 'jsonrpc'
  /** The outcome of each call, in the order of the calls: its result, or its error as a value. */
  batch(calls: readonly OutgoingCall[], delivery: Delivery): Promise<readonly CallOutcome[]>
  notify(call: OutgoingCall, delivery: Delivery): Promise<void>
  /**
   * The pieces of a stream as they arrive, or those of a whole result if the service does not stream. The delivery's
   * timeout bounds only the wait for the head of the response.
   */
  pieces(call: OutgoingCall, delivery: Delivery): Promise<ClientResponse<AsyncGenerator>>
}

export type CallOutcome =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: Error }

/** The data of a success, and its HTTP status and headers. */
export interface ClientResponse<Data = unknown, Status = number | undefined, Headers = object> {
  readonly data: Data
  /** Over JSON-RPC: the document's only success status, and undefined if it has several. */
  readonly status: Status
  /**
   * The headers that the document declares, by their names in it, read by their schemas. Absent: the response
   * has no such header, or a value that the schema does not allow. Empty over JSON-RPC.
   */
  readonly headers: Headers
  /** All headers of the HTTP response, over either protocol. */
  readonly rawHeaders: HeaderReader
}

/** Reads headers by name, case-insensitively. The platform's `Headers` does. */
export interface HeaderReader {
  get(name: string): string | null
}

/** An operation and its params, `__tz` included if it is sent. */
export interface OutgoingCall {
  readonly operation: Operation
  readonly params: Readonly<Record<string, unknown>>
}

/** How to send one attempt. */
export interface Delivery {
  readonly errors: ErrorCatalogue
  /** Default headers. Those of the protocol, params and credentials override them. */
  readonly defaults: Readonly<Record<string, string>>
  /** Absent: sends none. */
  readonly credentials?: SentCredentials
  /** The caller's own headers, which override all others. */
  readonly headers: readonly Readonly<Record<string, string>>[]
  readonly signal: AbortSignal | undefined
  /** Milliseconds until the attempt times out; 0: never. */
  readonly timeout: number
  /** Receives the headers of the response. */
  readonly answered?: ((headers: HeaderReader) => void) | undefined
}

/** The part of `fetch` that a transport needs; the platform's `fetch` fits. */
export type Fetch = (url: string, request: FetchRequest) => Promise<FetchResponse>

export interface FetchRequest {
  method: string
  headers: Record<string, string>
  /** Text, except for operations that take files: a form, or the file. */
  body?: string | Blob | FormData
  /** The client treats a redirect as a response. Following one would send the credentials elsewhere. */
  redirect: 'manual'
  signal: AbortSignal
}

export interface FetchResponse {
  readonly status: number
  readonly headers: HeaderReader
  text(): Promise<string>
  /** Required for operations whose responses are bytes. */
  arrayBuffer?(): Promise<ArrayBuffer>
  /** Required to stream a response; without it the stream begins when the response is complete. */
  readonly body?: ReadableStream<Uint8Array> | null
}

/** The platform's `fetch`, looked up at each call so that instrumentation added later counts. */
export const platformFetch: Fetch = (url, request) => globalThis.fetch(url, request)

/**
 * Checks the URL of a service; in a browser it may be relative to the page.
 *
 * @returns the absolute URL
 * @throws TypeError if it is not an http(s) URL, or has credentials, a query or a fragment
 */
export function serviceAddress(address: string): string {
  const page = (globalThis as { location?: { href?: string } }).location?.href
  const url = URL.canParse(address, page) ? new URL(address, page) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new TypeError(`The service address must be an http or https URL: ${JSON.stringify(address)}`)
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError('The service address must have no credentials, query or fragment')
  }
  return url.href
}
