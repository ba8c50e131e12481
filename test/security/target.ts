import { createHmac, hkdfSync } from 'node:crypto'
import { request } from 'node:http'
import { connect } from 'node:net'

/** A response: status, headers in lower case, and the body, parsed if it is JSON. */
export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  readonly json: Loose
}

// biome-ignore lint/suspicious/noExplicitAny: each test checks the shape of the answer
export type Loose = any

export interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Text and bytes are sent unchanged, anything else as JSON. */
  readonly body?: unknown
  /** False: uses a new connection. */
  readonly agent?: false
}

/** Sends one request by node:http, which allows more than fetch. */
export function send(
  baseUrl: string,
  path: string,
  { method = 'GET', headers = {}, body, agent }: Sent = {},
): Promise<Answered> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array
  const content = body === undefined ? undefined : Buffer.from(isRaw ? body : JSON.stringify(body))
  const typed = {
    ...(content !== undefined && {
      'content-type': 'application/json',
      'content-length': String(content.length),
    }),
    ...headers,
  }
  const { hostname, port } = new URL(baseUrl)
  return new Promise((resolve, reject) => {
    const options = { hostname, port, path, method, headers: typed, ...(agent === false && { agent }) }
    const sent = request(options, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: jsonOf(text) }),
      )
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(content)
  })
}

/** Sends one JSON-RPC body. */
export function rpc(baseUrl: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  return send(baseUrl, '/', { method: 'POST', headers, body })
}

export const call = (method: string, params: unknown, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})

/** Sends raw bytes on a new connection. Returns everything received until it closes or `ms` have passed. */
export function raw(baseUrl: string, bytes: string, ms = 400): Promise<string> {
  const { hostname, port } = new URL(baseUrl)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.setEncoding('latin1')
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
    socket.write(bytes, 'latin1')
    setTimeout(() => socket.destroy(), ms)
  })
}

/** Statuses of the responses in the bytes of a connection. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
}

/** A JWT (RFC 7519) with any header and claims, signed with HMAC-SHA-256 or by `sign`. */
export function jwt(header: object, claims: object, sign: (text: string) => Buffer): string {
  const text = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${text}.${sign(text).toString('base64url')}`
}

/** The service's key for tokens, derived from its secret. */
export function tokenKey(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'billing', 'token signature', 32))
}

export const hmac =
  (key: Buffer | string, algorithm = 'sha256') =>
  (text: string) =>
    createHmac(algorithm, key).update(text).digest()

function jsonOf(text: string): Loose {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
