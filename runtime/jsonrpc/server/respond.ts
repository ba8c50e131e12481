import { withinBytes } from '../../contract/problem-size.js'
import type { Exchange } from '../../http/exchange.js'
import type { Failure } from '../../server/outcome/outcome.js'
import { jsonText } from '../../values/json-text.js'
import type { Id } from './bind.js'

/** The response object for a result in JSON text (JSON-RPC 2.0, section 5). */
export function resultText(id: Id, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`
}

/**
 * The response object for a failure; `data` is the object that REST would send. In a batch, `bytes` limits
 * the violations; the first one always stays.
 */
export function errorText(id: Id, { problem, definition, bodyOf }: Failure, bytes?: number): string {
  const sentProblem = bytes === undefined ? problem : withinBytes(problem, bytes)
  const data = bodyOf?.(sentProblem)?.text ?? jsonText(sentProblem)
  const error = `{"code":${definition.rpc},"message":${JSON.stringify(problem.title)},"data":${data}}`
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":${error}}`
}

/** Sends one response object, or the array of them. */
export function sendAnswer<P>(
  exchange: Exchange<P>,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  exchange.send(status, { 'Content-Type': 'application/json', ...headers }, text)
}

/**
 * Sends 204, since there is no response object. JSON-RPC forbids a response to a notification, but HTTP needs
 * a status, and an invalid API key is 401 (seed section 5), without a body.
 */
export function sendNothing<P>(
  exchange: Exchange<P>,
  failure: Failure | undefined,
  headers: Readonly<Record<string, string>>,
): void {
  const status = failure?.definition.rpcStatus
  if (status === undefined) exchange.send(204, {})
  else exchange.send(status, headers, '')
}
