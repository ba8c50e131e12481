import { withinBytes } from '../../contract/problem-size.js'
import type { Exchange } from '../../http/exchange.js'
import type { Failure } from '../../server/outcome.js'
import { jsonText } from '../../values/json-text.js'
import type { Id } from './bind.js'

/** The response object of a result, given as JSON text (JSON-RPC 2.0, section 5). */
export function resultText(id: Id, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`
}

/**
 * The response object of a failure; `data` is the object that REST would send. In a batch it has violations for `bytes`,
 * and one in any case.
 */
export function errorText(id: Id, { problem, definition, bodyOf }: Failure, bytes?: number): string {
  const told = bytes === undefined ? problem : withinBytes(problem, bytes)
  const data = bodyOf?.(told)?.text ?? jsonText(told)
  const error = `{"code":${definition.rpc},"message":${JSON.stringify(problem.title)},"data":${data}}`
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":${error}}`
}

/** Answers with the text of one response object, or of the array of them. */
export function sendAnswer<P>(
  exchange: Exchange<P>,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  exchange.send(status, { 'Content-Type': 'application/json', ...headers }, text)
}

/**
 * Answers where there is no response object to send: 204. JSON-RPC forbids an answer to a notification, but
 * HTTP has to have a status, and an invalid API key is 401 (seed section 5), without a body.
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
