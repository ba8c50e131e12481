import type { Violation } from 'duet-runtime'
import type { Json } from '../../../document/document.js'
import type { HttpAnswer, HttpRequest } from './exchange.js'

/** The result of a request. */
export interface Reception {
  /** The operation whose handler was called, if any. */
  readonly reached: string | undefined
  /** The params of that handler. */
  readonly params: unknown
  /** The operation that validated the params, if any. */
  readonly taker: string | undefined
  readonly answer: HttpAnswer
}

/** The outcome of a handler's result. */
export interface Delivery {
  /** Why the result was refused. Undefined if it was accepted. */
  readonly violations: readonly Violation[] | undefined
  readonly rest: HttpAnswer
  readonly jsonrpc: HttpAnswer
}

/** The request that carries a call over JSON-RPC. */
export function rpcRequest(
  method: string,
  params: Json,
  address = '/',
): HttpRequest & { readonly body: string } {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return { method: 'POST', url: address, headers: { 'content-type': 'application/json' }, body }
}
