import http from 'node:http'
import https from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import type { HttpRequest } from '../diff/proof/calls/exchange.js'
import { essenceOf } from '../document/media-type.js'
import { InvalidTarget } from './cases/invalid-target.js'
import { messageOf } from './judge/message-event.js'

/** What a server answered. */
export interface TargetResponse {
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
export interface NoResponse {
  readonly reason: string
  /** Nothing was sent. */
  readonly isUnsent?: true
}

export interface TargetOptions {
  /** Calls in a second. */
  readonly rate: number
  /** Milliseconds that one response may take. */
  readonly timeoutMs: number
  /** When the run ends, by `performance.now()`. No request waits longer for a busy server. */
  readonly endsAt: number
}

/**
 * A running server. Sends requests one after another, to its own origin alone, and follows no redirect. A request may
 * have to wait for the rate, and for the time that a 429 or 503 asks for.
 */
export class Target {
  readonly origin: string
  /** The requests that were sent. */
  sent = 0
  #next = 0

  constructor(
    url: URL,
    readonly options: TargetOptions,
  ) {
    this.origin = url.origin
  }

  /**
   * @param request with a path in place of its URL
   * @param isMessage whether its response is one message, which may come among events
   * @throws InvalidTarget if the first request of a run has no response, and a GET of the root neither
   */
  async send(request: HttpRequest, isMessage = false): Promise<TargetResponse | NoResponse> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#sendOnce(request, isMessage)
      const isBusy = 'status' in answer && (answer.status === 429 || answer.status === 503)
      if (!isBusy || attempt === attempts) return answer
      const seconds = Number(answer.headers['retry-after'] ?? '1')
      const wait = 1000 * Math.min(mostWait, Number.isFinite(seconds) ? Math.max(seconds, 0.1) : 1)
      if (performance.now() + wait > this.options.endsAt) return answer
      await delay(wait)
    }
  }

  async #sendOnce(
    { method, url, headers, body }: HttpRequest,
    isMessage: boolean,
  ): Promise<TargetResponse | NoResponse> {
    const address = new URL(this.origin + url)
    // A path that begins with two slashes, or with an authority, would lead elsewhere.
    if (address.origin !== this.origin) return { reason: 'it would go to another server', isUnsent: true }
    const now = performance.now()
    const start = Math.max(now, this.#next)
    this.#next = start + 1000 / this.options.rate
    if (start > now) await delay(start - now)
    this.sent += 1
    try {
      return await exchanged(address, { method, headers, body }, this.options.timeoutMs, isMessage)
    } catch (error) {
      const reason = reasonOf(error)
      // A header that HTTP cannot carry.
      if (error instanceof TypeError) return { reason, isUnsent: true }
      if (this.sent === 1 && !(await this.#isAlive()))
        throw new InvalidTarget(`${this.origin} does not answer: ${reason}.`)
      return { reason }
    }
  }

  /** Whether any other request has a response: one operation that hangs does not end a run. */
  async #isAlive(): Promise<boolean> {
    const root = { method: 'GET', headers: {}, body: undefined }
    return exchanged(new URL(this.origin), root, this.options.timeoutMs).then(
      () => true,
      () => false,
    )
  }
}

/** For one request to a server that asks to wait. */
const attempts = 3

/** Seconds that one request waits for a server that asks for more. */
const mostWait = 10

/** Bytes of a body that are read. */
const mostBytes = 4 * 1024 * 1024

/** One request over a connection of its own: a server may close one that waits just when the next request arrives. */
function exchanged(
  address: URL,
  { method, headers, body }: Omit<HttpRequest, 'url'>,
  timeoutMs: number,
  isMessage = false,
): Promise<TargetResponse> {
  const began = performance.now()
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const signal = AbortSignal.timeout(timeoutMs)
  return new Promise((resolve, reject) => {
    const { request: open } = address.protocol === 'https:' ? https : http
    const request = open(address, { method, headers: { ...headers, ...length }, agent: false, signal })
    const fail = (error: unknown) => reject(signal.aborted ? signal.reason : error)
    request.once('error', fail)
    request.once('response', (response) => {
      const ms = performance.now() - began
      const head = { status: response.statusCode ?? 0, headers: fieldsOf(response), ms }
      read(response, isMessage).then((found) => resolve({ ...head, ...found }), fail)
    })
    request.end(body)
  })
}

function fieldsOf({ headers }: http.IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  )
}

async function read(
  response: http.IncomingMessage,
  isMessage: boolean,
): Promise<Pick<TargetResponse, 'body' | 'isWhole'>> {
  const type = response.headers['content-type'] ?? ''
  if (isMessage && essenceOf(type) === 'text/event-stream') {
    const body = await messageOf(response, mostBytes)
    response.destroy()
    return { body, isWhole: true }
  }
  const isStream = /^(text\/event-stream|application\/(x-ndjson|jsonl|json-seq))\b/i.test(type)
  const chunks: Buffer[] = []
  let size = 0
  if (!isStream)
    for await (const chunk of response) {
      chunks.push(chunk)
      size += chunk.length
      if (size > mostBytes) break
    }
  const isWhole = response.complete
  if (!isWhole) response.destroy()
  return { body: Buffer.concat(chunks).toString('utf8'), isWhole }
}

/** Why a request has no response, in words. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'there was no response in time'
  const code = 'code' in error ? String(error.code) : ''
  const known = reasons.get(code)
  return known === undefined ? error.message : `${known} (${code})`
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'nothing listens at its port'],
  ['ENOTFOUND', 'its host is unknown'],
  ['EAI_AGAIN', 'its host cannot be looked up'],
  ['ECONNRESET', 'the server closed the connection'],
  [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'its certificate is self-signed; NODE_EXTRA_CA_CERTS names the file of an authority',
  ],
  [
    'SELF_SIGNED_CERT_IN_CHAIN',
    'its certificate is self-signed; NODE_EXTRA_CA_CERTS names the file of an authority',
  ],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'it does not speak https'],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'it does not speak https'],
  ['EPROTO', 'TLS failed, so it may not speak https'],
])
