import { credentialsOf, withCredentials } from '../diff/proof/calls/credentials.js'
import type { HttpRequest } from '../diff/proof/calls/exchange.js'
import { rpcRequest } from '../diff/proof/calls/reception.js'
import { restRequest } from '../diff/proof/calls/request.js'
import { Version } from '../diff/proof/calls/version.js'
import { curlOf, curlOfEnvelope } from '../diff/report/curl.js'
import type { Json, JsonObject } from '../document/document.js'
import { isObject } from '../document/json.js'
import { rpcBelow } from '../model/rpc-target.js'
import type { Adaptation, AdaptedOperation } from './adaptation.js'
import type { PartName } from './plan/plan.js'

/** A value that a converter fails for: the call that has it as params, or the answers that have it as a result. */
export async function counterexampleLines(
  { older, next }: Pick<Adaptation, 'older' | 'next'>,
  { before, after }: AdaptedOperation,
  part: PartName,
  value: Json,
): Promise<readonly string[]> {
  if (part !== 'params' || !isObject(value)) {
    const what = part === 'piece' ? 'sends the piece' : 'answers'
    if (part === 'error') return [`${next.version} answers the error ${JSON.stringify(value)}`]
    const status = before.rest.status
    return [
      `REST: ${next.version} ${what} ${status} ${JSON.stringify(value)}`,
      `JSON-RPC: ${next.version} ${what} ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: value })}`,
    ]
  }
  const pair = {
    old: new Version(older),
    new: new Version(next),
    before,
    after: after ?? before,
    credentials: 'old' as const,
  }
  const sent = credentialsOf(pair)
  const rest = await restRequest(before, value)
  const rpcPath = rpcBelow(older)
  return [
    typeof rest === 'string'
      ? `REST: ${rest}`
      : `REST: ${curlOf(requestValue(withCredentials(pair, rest)), sent)}`,
    before.rpc === false
      ? 'JSON-RPC: the operation is not offered over it'
      : `JSON-RPC: ${curlOfEnvelope(JSON.parse(rpcRequest(before.rpc, value).body), sent, ' ', rpcPath)}`,
  ]
}

function requestValue({ method, url, headers, body }: HttpRequest): JsonObject {
  return { method, url, headers, ...(body !== undefined && { body }) }
}
