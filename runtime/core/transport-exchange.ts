import { TransportError } from './client-error.js'
import { retryAfter } from './retry.js'
import type { Delivery, Fetch, FetchRequest } from './transport.js'

export interface HttpRequest {
  readonly method: string
  readonly url: string
  /** Headers of the protocol and of the params; those of the delivery go over them. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** A whole HTTP answer. */
export interface HttpAnswer {
  readonly status: number
  /** Lower case, without parameters; empty where the answer has no Content-Type. */
  readonly mediaType: string
  readonly text: string
  readonly retryAfterMs: number | undefined
}

/**
 * Sends one HTTP request and reads the whole answer, whatever its status.
 *
 * @param operation name for messages
 * @throws TransportError `network`, `timeout` or `aborted`; TypeError for a header that cannot be sent
 */
export async function exchange(
  fetch: Fetch,
  operation: string,
  request: HttpRequest,
  delivery: Delivery,
): Promise<HttpAnswer> {
  const { method, url, body } = request
  const headers = mergeHeaders([request.headers, ...delivery.headers])
  const controller = new AbortController()
  const init: FetchRequest = { method, headers, redirect: 'manual', signal: controller.signal }
  const send = async (): Promise<HttpAnswer> => {
    try {
      const response = await fetch(url, body === undefined ? init : { ...init, body })
      return {
        status: response.status,
        mediaType: (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '',
        retryAfterMs: retryAfter(response.headers.get('retry-after'), Date.now()),
        text: await response.text(),
      }
    } catch (cause) {
      throw networkError(operation, cause)
    }
  }
  try {
    return await bounded(send, operation, delivery)
  } finally {
    controller.abort()
  }
}

/** The error of a call that its caller gave up; the signal's reason is its cause. */
function abortError(operation: string, signal: AbortSignal): TransportError {
  return new TransportError('aborted', 'aborted by the caller', { operation, cause: signal.reason })
}

/**
 * Settles with the work, or rejects as soon as the signal aborts, even where the work heeds no signal.
 *
 * @throws TransportError `aborted`, before the work starts if the signal is aborted already
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

async function bounded<T>(work: () => Promise<T>, operation: string, delivery: Delivery): Promise<T> {
  const { signal, timeout } = delivery
  let timer: ReturnType<typeof setTimeout> | undefined
  const timed = () =>
    new Promise<T>((resolve, reject) => {
      const expire = () => reject(new TransportError('timeout', `no answer in ${timeout} ms`, { operation }))
      if (timeout > 0) timer = setTimeout(expire, timeout)
      work().then(resolve, reject)
    })
  try {
    return await abortable(timed, operation, signal)
  } finally {
    clearTimeout(timer)
  }
}

function networkError(operation: string, cause: unknown): TransportError {
  const error = cause instanceof Error ? cause : undefined
  const inner = error?.cause instanceof Error ? error.cause.message : ''
  const message = inner || error?.message || 'no connection'
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

/** Checked here, since `fetch` reports a bad header in the same way as a broken connection. */
function checkedHeader(name: string, value: string): string {
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) throw new TypeError(`Not a header name: ${JSON.stringify(name)}`)
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
    throw new TypeError(`The header ${name} has characters that a header cannot carry`)
  }
  return value
}
