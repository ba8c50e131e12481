import { setTimeout as delay } from 'node:timers/promises'
import type { HttpRequest } from '../diff/proof/calls/exchange.js'

/** What a server answered. */
export interface Answer {
  readonly status: number
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Whether the body is complete: it is not, if it is too long or a stream. */
  readonly isWhole: boolean
  /** Milliseconds until the response's head. */
  readonly ms: number
}

/** Why there is no response, in words. */
export interface NoAnswer {
  readonly reason: string
  readonly isTimeout: boolean
}

export interface TargetOptions {
  /** Calls in a second. */
  readonly rate: number
  /** Milliseconds that one response may take. */
  readonly timeoutMs: number
}

/**
 * A running server. Sends requests one after another, to its own origin alone, and follows no redirect. A request may
 * have to wait for the rate, and for the time that a 429 or 503 asks for.
 */
export class Target {
  readonly origin: string
  /** The requests that were sent. */
  sent = 0
  /** The requests that the server asked to send later (429, 503). */
  deferred = 0
  #next = 0

  constructor(
    url: URL,
    readonly options: TargetOptions,
  ) {
    this.origin = url.origin
  }

  /** @param request with a path in place of its URL */
  async send(request: HttpRequest): Promise<Answer | NoAnswer> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#sendOnce(request)
      const isBusy = 'status' in answer && (answer.status === 429 || answer.status === 503)
      if (!isBusy || attempt === attempts) return answer
      this.deferred += 1
      const seconds = Number(answer.headers['retry-after'] ?? '1')
      await delay(1000 * Math.min(mostWait, Number.isFinite(seconds) ? Math.max(seconds, 0.1) : 1))
    }
  }

  async #sendOnce({ method, url, headers, body }: HttpRequest): Promise<Answer | NoAnswer> {
    const address = new URL(this.origin + url)
    // A path that begins with two slashes, or with an authority, would lead elsewhere.
    if (address.origin !== this.origin) return { reason: 'it would go to another server', isTimeout: false }
    const now = performance.now()
    const start = Math.max(now, this.#next)
    this.#next = start + 1000 / this.options.rate
    if (start > now) await delay(start - now)
    const signal = AbortSignal.timeout(this.options.timeoutMs)
    const began = performance.now()
    this.sent += 1
    try {
      const response = await fetch(address, {
        ...{ method, headers: { ...headers }, redirect: 'manual', signal },
        ...(body !== undefined && { body }),
      })
      const ms = performance.now() - began
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        ms,
        ...(await read(response)),
      }
    } catch (error) {
      return { reason: reasonOf(error), isTimeout: signal.aborted }
    }
  }
}

/** For one request to a server that asks to wait. */
const attempts = 3

/** Seconds that one request waits for a server that asks for more. */
const mostWait = 10

/** Bytes of a body that are read. */
const mostBytes = 4 * 1024 * 1024

async function read(response: Response): Promise<Pick<Answer, 'body' | 'isWhole'>> {
  const isStream = /^(text\/event-stream|application\/(x-ndjson|jsonl|json-seq))\b/i.test(
    response.headers.get('content-type') ?? '',
  )
  const reader = response.body?.getReader()
  if (reader === undefined) return { body: '', isWhole: true }
  const chunks: Uint8Array[] = []
  let size = 0
  let isWhole = false
  while (!isStream && size <= mostBytes) {
    const { done, value } = await reader.read()
    if (done) {
      isWhole = true
      break
    }
    chunks.push(value)
    size += value.length
  }
  if (!isWhole) await reader.cancel().catch(() => undefined)
  return { body: Buffer.concat(chunks).toString('utf8'), isWhole }
}

/** Why a request has no response, in words. */
function reasonOf(error: unknown): string {
  const { cause = error } = error instanceof Error ? error : {}
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (error instanceof Error && error.name === 'TimeoutError') return 'no response in time'
  const known = reasons.get(code)
  if (known !== undefined) return `${known} (${code})`
  return cause instanceof Error ? cause.message : String(cause)
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'nothing listens at its port'],
  ['ENOTFOUND', 'its host is unknown'],
  ['EAI_AGAIN', 'its host cannot be looked up'],
  ['ECONNRESET', 'the server closed the connection'],
  ['UND_ERR_SOCKET', 'the server closed the connection'],
  [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'its certificate is self-signed; NODE_EXTRA_CA_CERTS names the file of an authority',
  ],
  [
    'SELF_SIGNED_CERT_IN_CHAIN',
    'its certificate is self-signed; NODE_EXTRA_CA_CERTS names the file of an authority',
  ],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'it does not speak https'],
])
