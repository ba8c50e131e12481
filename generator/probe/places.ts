import { inCurrentRevision, posted, rpcRequest } from '../diff/proof/calls/reception.js'
import type { Document, Json } from '../document/document.js'
import { isArray, isObject } from '../document/json.js'
import { toolMode } from '../mcp/tool-mode.js'
import type { Model } from '../model/model.js'
import { callTool, toolPath } from '../samples/tool-call.js'
import { envelopeOf } from './judge/judge-rpc.js'
import { deepest, levelsOf } from './levels.js'
import type { Secrets } from './secrets.js'
import type { Target } from './target.js'
import { type ToolPlace, toolTypes } from './wire.js'

/** The path before those of the document: that of the address, if it has one, else that of the document's first server. */
export function restPlace(address: URL, { basePath }: Pick<Model, 'basePath'>): string {
  const path = address.pathname.replace(/\/+$/, '')
  return path === '' ? basePath : path
}

/**
 * The path of JSON-RPC. A server speaks it if `rpc.discover` answers, which is asked if the document names methods
 * (`x-rpc-method`), or if `isWanted`: to other servers it is a POST that nobody expects.
 */
export async function rpcPlace(
  target: Target,
  rest: string,
  document: Document,
  model: Model,
  isWanted: boolean,
): Promise<string | undefined> {
  const isNamed = isWanted || JSON.stringify(document.root.paths ?? {}).includes('"x-rpc-method"')
  if (!isNamed) return undefined
  const address = rest + model.rpcPath
  const answer = await target.send(rpcRequest('rpc.discover', {}, address))
  const envelope = 'status' in answer ? envelopeOf(answer) : 'no response'
  const found = typeof envelope === 'string' ? undefined : envelope.result
  return isObject(found) && 'openrpc' in found ? address : undefined
}

/**
 * Where a server has its tools. It speaks MCP if its address lists tools, or asks for credentials over that protocol. It is
 * asked only if the document has tools.
 */
export async function toolPlace(
  target: Target,
  rest: string,
  model: Model,
  secrets: Secrets,
): Promise<ToolPlace | undefined> {
  const offered = model.operations.filter(({ tool }) => tool !== undefined)
  if (offered.length === 0) return undefined
  const path = rest + toolPath
  const { headers, ...request } = inCurrentRevision(
    posted({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }, path),
  )
  const [authentication] = offered.flatMap((operation) => secrets.of(operation) ?? [])
  const asked = { ...request, headers: { ...headers, accept: toolTypes } }
  const answer = await target.send(secrets.signed(asked, authentication), true)
  if (!('status' in answer) || levelsOf(answer.body) > deepest) return undefined
  const envelope = envelopeOf(answer)
  if (typeof envelope === 'string') return undefined
  const listed = { request: asked, answer, authentication }
  if (envelope.error !== undefined)
    return answer.status === 401
      ? { path, mode: toolMode(model), listed: { ...listed, tools: [], isWhole: false } }
      : undefined
  const result = isObject(envelope.result) ? envelope.result : {}
  if (!isArray(result.tools ?? null)) return undefined
  const tools = (result.tools as readonly Json[]).filter(isObject)
  const isSearched = tools.some(({ name }) => name === callTool)
  const isWhole = result.nextCursor === undefined
  return { path, mode: isSearched ? 'search' : 'each', listed: { ...listed, tools, isWhole } }
}
