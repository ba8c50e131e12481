import type { ClientProtocol } from 'duet-runtime'
import { type FetchRequest, jsonrpc, type Operation, rest, type Transports } from 'duet-runtime/client'
import { jsonText, parseJson } from 'duet-runtime/json'
import { neededHeaders } from '../../../generator/reference/samples/needed-headers.js'
import { toolAccept, toolMessage } from '../../../generator/samples/tool-call.js'
import type { Connection } from './connection.js'
import { isSchema, type Tried } from './page.js'
import { isUnsent } from './unsent.js'

/** An HTTP request that has not been sent. */
export interface Prepared {
  readonly url: string
  readonly request: FetchRequest
  /** Whether the browser adds its cookies for the page's own origin. */
  readonly withCookies: boolean
}

export interface Call {
  readonly operation: Operation
  readonly params: Readonly<Record<string, unknown>>
  readonly tool?: Tried['tool']
}

/** What a call goes over. */
export type Over = ClientProtocol | 'mcp'

/**
 * The request of a call, built by the generated client's transport, so that the page sends what programs
 * send, with the headers of samples. Throws an Error that says why the protocol cannot carry the call.
 */
export function prepared(protocol: Over, call: Call, connection: Connection): Promise<Prepared> {
  if (protocol === 'mcp') return preparedTool(call, connection)
  return captured(connection, [call], (fetch, delivery) =>
    transports[protocol](connection, { fetch }).call(call, delivery),
  )
}

/** The message that calls a tool, with the params that agents send. */
export function toolMessageOf<Value>(
  { name, left, mode }: NonNullable<Tried['tool']>,
  params: Readonly<Record<string, Value>>,
) {
  const args = Object.entries(params).filter(([param]) => !left.includes(param))
  return toolMessage(name, Object.fromEntries(args), mode)
}

/** A value in JSON: files are base64, as the client sends them over JSON-RPC. */
export async function asJson(value: unknown): Promise<unknown> {
  if (value instanceof Blob) {
    const bytes = new Uint8Array(await value.arrayBuffer())
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  }
  if (Array.isArray(value)) return Promise.all(value.map(asJson))
  if (!isSchema(value)) return value
  const members = Object.entries(value).map(async ([name, member]) => [name, await asJson(member)] as const)
  return Object.fromEntries(await Promise.all(members))
}

/** The request that calls a tool (MCP 2025-03-26, Streamable HTTP, without a session). */
async function preparedTool({ operation, params, tool }: Call, connection: Connection): Promise<Prepared> {
  const args = tool && (await asJson(toolMessageOf(tool, params)))
  const { headers, query, isByCookie } = connection.credentials([operation])
  const url = `${connection.address()}/mcp`
  return {
    url: query === '' ? url : `${url}?${query}`,
    request: {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        accept: toolAccept,
      },
      body: jsonText(args),
      redirect: 'manual',
      signal: new AbortController().signal,
    },
    withCookies: isByCookie,
  }
}

const transports: {
  readonly [protocol in ClientProtocol]: (
    connection: Connection,
    options: { readonly fetch: Fetch },
  ) => Transports[ClientProtocol]
} = {
  rest: (connection, options) => rest(connection.address(), options),
  jsonrpc: (connection, options) => jsonrpc(rpcOf(connection), options),
}

/** The request of several calls in one JSON-RPC batch. */
export function preparedBatch(calls: readonly Call[], connection: Connection): Promise<Prepared> {
  return captured(connection, calls, (fetch, delivery) =>
    jsonrpc(rpcOf(connection), { fetch }).batch(calls, delivery),
  )
}

function rpcOf(connection: Connection): string {
  return connection.address() + connection.rpcPath
}

type Fetch = (url: string, request: FetchRequest) => Promise<never>

interface Delivery {
  readonly errors: Readonly<Record<string, never>>
  readonly defaults: Readonly<Record<string, string>>
  readonly headers: readonly Readonly<Record<string, string>>[]
  readonly signal: undefined
  readonly timeout: number
}

async function captured(
  connection: Connection,
  calls: readonly Call[],
  send: (fetch: Fetch, delivery: Delivery) => Promise<unknown>,
): Promise<Prepared> {
  const { headers, query, isByCookie } = connection.credentials(calls.map(({ operation }) => operation))
  let found: Prepared | undefined
  const fetch: Fetch = (url, request) => {
    const target = query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`
    const headers = neededHeaders(request.headers)
    found = { url: target, request: { ...request, headers }, withCookies: isByCookie }
    return Promise.reject(new Error('Not sent yet'))
  }
  const failed: unknown = await send(fetch, {
    errors: {},
    defaults: {},
    headers: [headers],
    signal: undefined,
    timeout: 0,
  }).catch((error: unknown) => error)
  if (found === undefined) throw failed
  return found
}

/** A request as the reader sees it; shows only the first characters of credentials. */
export function requestText({ url, request }: Prepared, secrets: readonly string[]): string {
  const { pathname, search, host } = new URL(url)
  const hidden = (text: string): string =>
    secrets.reduce((shown, secret) => (secret === '' ? shown : shown.replaceAll(secret, '••••')), text)
  const lines = [
    `${request.method} ${pathname}${hidden(search)}`,
    `host: ${host}`,
    ...Object.entries(request.headers)
      .filter(([name]) => !isUnsent(name))
      .map(([name, value]) => `${name}: ${hidden(value)}`),
    ...bodyLines(request.body),
  ]
  return lines.join('\n')
}

function bodyLines(body: FetchRequest['body']): string[] {
  if (body === undefined) return []
  if (body instanceof FormData)
    return [
      '',
      ...Array.from(body, ([name, value]) => `${name}: ${typeof value === 'string' ? value : value.name}`),
    ]
  if (body instanceof Blob) return ['', `${body.size} bytes`]
  return ['', pretty(body)]
}

/** Formats JSON. Other text stays, and so does JSON with a number that a double does not hold. */
export function pretty(text: string): string {
  try {
    for (const _ of parseJson(text).inexact) return text
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
