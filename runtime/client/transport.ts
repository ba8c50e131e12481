import type { ErrorCatalogue } from '../contract/catalogue.js'
import type { Operation } from '../contract/operation.js'
import type { SentCredentials } from './client-security.js'

/** Calls over HTTP methods and paths. Made by `rest`. */
export interface RestTransport {
  readonly protocol: 'rest'
  call(call: OutgoingCall, delivery: Delivery): Promise<ClientResponse>
  /** The content of a success as it comes in. The delivery's timeout bounds the wait for its head alone. */
  stream(call: OutgoingCall, delivery: Delivery): Promise<ClientResponse<ReadableStream<Uint8Array>>>
}

/** Calls over JSON-RPC 2.0. Made by `jsonrpc`. */
export interface JsonRpcTransport {
  readonly protocol: 'jsonrpc'
  call(call: OutgoingCall, delivery: Delivery): Promise<ClientResponse>
  /** The outcome of each call, in the order of the calls: its result, or its error as a value. */
  batch(calls: readonly OutgoingCall[], delivery: Delivery): Promise<readonly CallAnswer[]>
  notify(call: OutgoingCall, delivery: Delivery): Promise<void>
}

export type CallAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: Error }

/** A success, and what HTTP says beside its data. */
export interface ClientResponse<Data = unknown, Status = number | undefined, Headers = object> {
  readonly data: Data
  /** Over JSON-RPC the only status that the document has for a success, and undefined where it has several. */
  readonly status: Status
  /**
   * The headers that the document declares, by its names for them, read by their schemas. Absent: not sent, or not what
   * the schema allows. Over JSON-RPC there are none.
   */
  readonly headers: Headers
  /** The headers of the HTTP answer as they came, whichever protocol it carried. */
  readonly rawHeaders: HeaderReader
}

/** Headers by name, in any case. The platform's `Headers` are such. */
export interface HeaderReader {
  get(name: string): string | null
}

/** An operation and its params, `__tz` among them where one is sent. */
export interface OutgoingCall {
  readonly operation: Operation
  readonly params: Readonly<Record<string, unknown>>
}

/** How one attempt is sent. */
export interface Delivery {
  readonly errors: ErrorCatalogue
  /** Headers that give way to those of the protocol, of params and of credentials. */
  readonly defaults: Readonly<Record<string, string>>
  /** Absent: none are sent. */
  readonly credentials?: SentCredentials
  /** The caller's own headers, which lie over all others. */
  readonly headers: readonly Readonly<Record<string, string>>[]
  readonly signal: AbortSignal | undefined
  /** Milliseconds until the attempt is given up; 0: never. */
  readonly timeout: number
}

/** The part of `fetch` that a transport needs; the platform's own fits, and so does a hand-written one. */
export type Fetch = (url: string, request: FetchRequest) => Promise<FetchResponse>

export interface FetchRequest {
  method: string
  headers: Record<string, string>
  /** Text, but for operations that take files: a form, or the file. */
  body?: string | Blob | FormData
  /** Redirects are answers like any other: following one would carry credentials elsewhere. */
  redirect: 'manual'
  signal: AbortSignal
}

export interface FetchResponse {
  readonly status: number
  readonly headers: HeaderReader
  text(): Promise<string>
  /** Needed where an operation answers bytes. */
  arrayBuffer?(): Promise<ArrayBuffer>
  /** Needed where an answer is to be read as it comes in; else it is whole before there is a stream. */
  readonly body?: ReadableStream<Uint8Array> | null
}

/** The platform's `fetch`, looked up at each call so that instrumentation added later counts. */
export const platformFetch: Fetch = (url, request) => globalThis.fetch(url, request)

/**
 * Checks the address of a service, which may be relative to the page in a browser.
 *
 * @returns the absolute address
 * @throws TypeError where it is no http(s) URL, or has credentials, a query or a fragment
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
