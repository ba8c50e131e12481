import type { Violation } from 'duet-runtime'
import type { Json, JsonObject } from '../../../document/document.js'
import { isObject } from '../../../document/json.js'
import type { HttpRequest, HttpResponse } from './exchange.js'

/** The result of a request. */
export interface Reception {
  /** The operation whose handler was called, if any. */
  readonly reached: string | undefined
  /** The params of that handler. */
  readonly params: unknown
  /** The operation that validated the params, if any. */
  readonly taker: string | undefined
  readonly answer: HttpResponse
}

/** The outcome of a handler's result. */
export interface Delivery {
  /** Why the result was refused. Undefined if it was accepted. */
  readonly violations: readonly Violation[] | undefined
  readonly rest: HttpResponse
  readonly jsonrpc: HttpResponse
  /** Undefined if agents cannot call the operation. */
  readonly mcp: HttpResponse | undefined
}

/** The request that carries a call over JSON-RPC. */
export function rpcRequest(
  method: string,
  params: Json,
  address = '/',
): HttpRequest & { readonly body: string } {
  return posted({ jsonrpc: '2.0', id: 1, method, params }, address)
}

/** The request that carries an envelope. */
export function posted(envelope: Json, address: string): HttpRequest & { readonly body: string } {
  const headers = { 'content-type': 'application/json' }
  return { method: 'POST', url: address, headers, body: JSON.stringify(envelope) }
}

/**
 * The same message of MCP as the revision 2026-07-28 sends it. Older ones receive a problem only as text if the tool has
 * an output schema.
 */
export function inCurrentRevision({ headers, body = '', ...request }: HttpRequest): HttpRequest {
  const envelope: JsonObject = JSON.parse(body)
  const params = isObject(envelope.params) ? envelope.params : {}
  const meta = { [`${metaPrefix}protocolVersion`]: revision, [`${metaPrefix}clientCapabilities`]: {} }
  const stated = {
    ...{ 'mcp-protocol-version': revision, 'mcp-method': String(envelope.method) },
    ...(typeof params.name === 'string' && { 'mcp-name': headerText(params.name) }),
  }
  return {
    ...{ ...request, headers: { ...headers, ...stated } },
    body: JSON.stringify({ ...envelope, params: { ...params, _meta: meta } }),
  }
}

/** A text that a header may not be able to carry (MCP 2026-07-28, Transports). */
function headerText(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`
}

const revision = '2026-07-28'
const metaPrefix = 'io.modelcontextprotocol/'
