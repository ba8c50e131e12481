import { rpcRequest } from '../diff/proof/calls/reception.js'
import type { Document } from '../document/document.js'
import { isObject } from '../document/json.js'
import type { Model } from '../model/model.js'
import { envelopeOf } from './judge-rpc.js'
import type { Target } from './target.js'
import type { Places } from './wire.js'

/** The path before those of the document: that of the address, if it has one, else that of the document's first server. */
export function restPlace(address: URL, { basePath }: Pick<Model, 'basePath'>): string {
  const path = address.pathname.replace(/\/+$/, '')
  return path === '' ? basePath : path
}

/**
 * Where a server has its protocols. It speaks JSON-RPC if `rpc.discover` answers, which is asked if the document names methods
 * (`x-rpc-method`), or if `isWanted`: to other servers it is a POST that nobody expects.
 */
export async function placesOf(
  target: Target,
  rest: string,
  document: Document,
  model: Model,
  isWanted: boolean,
): Promise<Places> {
  const isNamed = isWanted || JSON.stringify(document.root.paths ?? {}).includes('"x-rpc-method"')
  if (!isNamed) return { rest, jsonrpc: undefined }
  const address = rest + model.rpcPath
  const answer = await target.send(rpcRequest('rpc.discover', {}, address))
  const envelope = 'status' in answer ? envelopeOf(answer) : 'no response'
  const found = typeof envelope === 'string' ? undefined : envelope.result
  return { rest, jsonrpc: isObject(found) && 'openrpc' in found ? address : undefined }
}
