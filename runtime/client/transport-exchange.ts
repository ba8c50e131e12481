import { TransportError } from './client-error.js'
import { retryAfter } from './retry.js'
import type { Delivery, Fetch, FetchRequest, FetchResponse, HeaderReader } from './transport.js'

export interface HttpRequest {
  readonly method: string
  readonly url: string
  /** Headers of the protocol and of the params; those of the delivery override them. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Blob | FormData
}

/** A response without its content. */
export interface ResponseHead {
  readonly status: number
  readonly headers: HeaderReader
  /** Lower case, without parameters; empty where the answer has no Content-Type. */
  readonly mediaType: string
  readonly retryAfterMs: number | undefined
  /** The header `Problem-Code`; null if there is none. */
  readonly problemCode: string | null
}

/** A complete HTTP response. */
export interface HttpResponse extends ResponseHead {
  readonly text: string
  /** The body, if it is read as bytes; `text` is then empty. */
  readonly bytes?: Blob
}

/** An HTTP response whose content is still arriving. */
export interface OpenResponse extends ResponseHead {
  readonly content: ReadableStream<Uint8Array>
}

/**
 * Sends one HTTP request and reads the complete response, whatever its status.
 *
 * @param operation name for messages
 * @param isBytes whether to read a response as bytes. Default: read all as text.
 * @throws TransportError `network`, `timeout` or `aborted`; TypeError for an invalid header
 */
export async function exchange(
  fetch: Fetch,
  operation: string,
  request: HttpRequest,
  delivery: Delivery,
  isBytes: (mediaType: string, status: number) => boolean = () => false,
): Promise<HttpResponse> {
  const controller = new AbortController()
  const { url, init, reveals } = prepared(request, delivery, controller.signal)
  const send = async (): Promise<HttpResponse> => {
    try {
      const response = await fetch(url, init)
      const head = headOf(response)
      if (!isBytes(head.mediaType, head.status)) return { ...head, text: await response.text() }
      const content = (await response.arrayBuffer?.()) ?? (await response.text())
      return { ...head, text: '', bytes: new Blob([content], { type: typeOf(response) }) }
    } catch (cause) {
      throw networkError(operation, cause, reveals)
    }
  }
  try {
    const answer = await bounded(send, operation, delivery)
    delivery.answered?.(answer.headers)
    return answer
  } finally {
    controller.abort()
  }
}

/**
 * Sends one HTTP request and streams the content of its response. Reads a response that is not `isSuccess`
 * completely. The timeout bounds the wait for the response's head. The stream fails with a TransportError:
 * `network` if the connection breaks, `aborted` if the caller's signal aborts.
 *
 * @throws what {@link exchange} throws
 */
export async function openStream(
  fetch: Fetch,
  operation: string,
  request: HttpRequest,
  delivery: Delivery,
  isSuccess: (status: number) => boolean,
): Promise<OpenResponse | HttpResponse> {
  const controller = new AbortController()
  const { url, init, reveals } = prepared(request, delivery, controller.signal)
  const send = async (): Promise<OpenResponse | HttpResponse> => {
    try {
      const response = await fetch(url, init)
      const head = headOf(response)
      if (!isSuccess(head.status)) return { ...head, text: await response.text() }
      return { ...head, content: arriving(response, operation, delivery.signal, controller) }
    } catch (cause) {
      throw networkError(operation, cause, reveals)
    }
  }
  try {
    const answer = await bounded(send, operation, delivery)
    delivery.answered?.(answer.headers)
    return answer
  } catch (error) {
    controller.abort()
    throw error
  }
}

/** The content of a response. The exchange ends when the content ends, is cancelled or fails. */
function arriving(
  response: FetchResponse,
  operation: string,
  signal: AbortSignal | undefined,
  controller: AbortController,
): ReadableStream<Uint8Array> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  const content = async () => response.body ?? new Blob([await contentOf(response)]).stream()
  return new ReadableStream({
    async pull(sink) {
      try {
        reader ??= (await content()).getReader()
        const { done, value } = await abortable(reader.read.bind(reader), operation, signal)
        if (done) sink.close()
        else sink.enqueue(value)
      } catch (cause) {
        controller.abort()
        throw cause instanceof TransportError ? cause : networkError(operation, cause)
      }
    },
    cancel: () => controller.abort(),
  })
}

/** The content of a complete response; empty if its body is null, as for 204. */
async function contentOf(response: FetchResponse): Promise<ArrayBuffer | string> {
  if (response.body === null) return ''
  return (await response.arrayBuffer?.()) ?? (await response.text())
}

/** Adds the credentials to a request; `reveals` tells whether a text shows a credential of its URL, if it has one. */
function prepared(
  request: HttpRequest,
  { credentials, defaults, headers: own }: Delivery,
  signal: AbortSignal,
): { url: string; init: FetchRequest; reveals?: (text: string) => boolean } {
  const { method, url, body } = request
  const { query = [], cookies = [], headers = {} } = credentials ?? {}
  const sent = [...(request.headers.cookie === undefined ? [] : [request.headers.cookie]), ...cookies]
  const cookie = sent.length === 0 ? {} : { cookie: sent.join('; ') }
  const merged = mergeHeaders([defaults, request.headers, headers, cookie, ...own])
  return {
    url: query.length === 0 ? url : `${url}${url.includes('?') ? '&' : '?'}${query.join('&')}`,
    init: {
      method,
      headers: merged,
      ...(body !== undefined && { body }),
      redirect: 'manual',
      signal,
    },
    ...(query.length > 0 && { reveals: (text: string) => query.some((pair) => text.includes(pair)) }),
  }
}

function headOf(response: FetchResponse): ResponseHead {
  const { headers, status } = response
  return {
    status,
    headers,
    mediaType: typeOf(response).split(';', 1)[0]?.trim().toLowerCase() ?? '',
    retryAfterMs: retryAfter(headers.get('retry-after'), Date.now()),
    problemCode: headers.get('problem-code'),
  }
}

function typeOf({ headers }: FetchResponse): string {
  return headers.get('content-type') ?? ''
}

/** The error of a call that its caller aborted; the signal's reason is its cause. */
function abortError(operation: string, signal: AbortSignal): TransportError {
  return new TransportError('aborted', 'aborted by the caller', { operation, cause: signal.reason })
}

/**
 * Settles with the work, or rejects as soon as the signal aborts, even if the work ignores the signal.
 *
 * @throws TransportError `aborted`; if the signal is aborted already, before the work starts
 */
export async function abortable<T>(
  work: () => Promise<T>,
  operation: string,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal === undefined) return await work()
  if (signal.aborted) throw abortError(operation, signal)
  return await new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(abortError(operation, signal))
    signal.addEventListener('abort', onAbort, { once: true })
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/**
 * Settles with the work, or rejects after the timeout's milliseconds (0: no limit), even if the work ignores
 * the signal.
 *
 * @param late message of a timeout
 * @throws TransportError `timeout`, and what {@link abortable} throws
 */
export async function bounded<T>(
  work: () => Promise<T>,
  operation: string,
  { signal, timeout }: Pick<Delivery, 'signal' | 'timeout'>,
  late = `no response in ${timeout} ms`,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timed = () =>
    new Promise<T>((resolve, reject) => {
      const expire = () => reject(new TransportError('timeout', late, { operation }))
      if (timeout > 0) timer = setTimeout(expire, timeout)
      work().then(resolve, reject)
    })
  try {
    return await abortable(timed, operation, signal)
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Errors end up in logs, and the error of `fetch` may contain the URL: omits a text that shows a credential.
 */
function networkError(
  operation: string,
  cause: unknown,
  reveals?: (text: string) => boolean,
): TransportError {
  const error = cause instanceof Error ? cause : undefined
  const inner = error?.cause instanceof Error ? error.cause : undefined
  // A stack becomes a text when it is first read, which takes longer than the rest.
  const texts = () => [error, inner].flatMap((one) => [one?.message ?? '', one?.stack ?? ''])
  if (reveals !== undefined && texts().some(reveals))
    return new TransportError('network', 'no connection', { operation })
  const message = inner?.message || error?.message || 'no connection'
  return new TransportError('network', message, { operation, cause })
}

function mergeHeaders(layers: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  const merged = new Map<string, string>()
  for (const layer of layers) {
    for (const [name, value] of Object.entries(layer))
      merged.set(name.toLowerCase(), checkedHeader(name, value))
  }
  return Object.fromEntries(merged)
}

/**
 * Checked here, since `fetch` reports a bad header like a broken connection.
 *
 * @throws TypeError for an invalid header name or value
 */
export function checkedHeader(name: string, value: string): string {
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) throw new TypeError(`Not a header name: ${JSON.stringify(name)}`)
  if (typeof value !== 'string') throw new TypeError(`The header ${name} takes a text`)
  if (!isHeaderText(value)) {
    throw new TypeError(`The header ${name} has characters that a header cannot carry`)
  }
  return value
}

/** Whether a text is a valid header value (RFC 9110 section 5.5). */
export function isHeaderText(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text)
}
