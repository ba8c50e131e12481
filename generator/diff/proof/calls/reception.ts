import type { Violation } from 'duet-runtime'
import type { Json } from '../../../document/document.js'
import type { HttpAnswer, HttpRequest } from './exchange.js'

/** What came of a request. */
export interface Reception {
  /** Name of the operation whose handler was called, if any was. */
  readonly reached: string | undefined
  /** What that handler was given. */
  readonly params: unknown
  /** Name of the operation that looked at the params, if any did. */
  readonly taker: string | undefined
  readonly answer: HttpAnswer
}

/** What came of a result that a handler gave. */
export interface Delivery {
  /** Why the result was refused; undefined where it was not. */
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
