import type { OutgoingCall } from '../../client/transport.js'
import type { HttpRequest } from '../../client/transport-exchange.js'
import { encodeBinaries } from '../../contract/binaries.js'
import { jsonText } from '../../values/json-text.js'
import { isJsonObject } from '../../values/object.js'

/**
 * The request object of a call (JSON-RPC 2.0 section 4). Without an id it is a notification.
 *
 * @throws TypeError for an operation that the document does not offer over JSON-RPC
 */
export function requestEnvelope({ operation, params }: OutgoingCall, id?: number): object {
  if (operation.rpc === false) throw new TypeError(`${operation.name} is not offered over JSON-RPC`)
  return { jsonrpc: '2.0', ...(id !== undefined && { id }), method: operation.rpc, params }
}

/** The call with its binaries as base64 text. */
export async function withoutBinaries(call: OutgoingCall): Promise<OutgoingCall> {
  const { binaries } = call.operation
  const params = binaries === undefined ? call.params : await encodeBinaries(call.params, binaries)
  return isJsonObject(params) && params !== call.params ? { ...call, params } : call
}

/** @param content a request object, or those of a batch */
export function httpRequest(url: string, content: object, accept = 'application/json'): HttpRequest {
  return {
    method: 'POST',
    url,
    headers: { accept, 'content-type': 'application/json' },
    body: jsonText(content),
  }
}
