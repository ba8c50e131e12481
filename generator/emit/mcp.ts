import { hasTools } from '../mcp/has-tools.js'
import type { Model } from '../model/model.js'
import { OperationPieces } from '../model/operation-pieces.js'

/** `mcp.json`: the tools that agents call over MCP. Loads what compares schemas only for a version with tools. */
export async function emitMcp(
  model: Model,
  pieces: OperationPieces = new OperationPieces(model),
): Promise<string> {
  if (!hasTools(model)) return `${JSON.stringify({ mode: 'each', tools: [] }, null, 2)}\n`
  const [{ toolsOf }, { toolMode }, { authorizationServers }] = await Promise.all([
    import('../mcp/tool-list.js'),
    import('../mcp/tool-mode.js'),
    import('../mcp/authorization-servers.js'),
  ])
  const tools = toolsOf(model, pieces)
  const mode = toolMode(model, tools)
  const servers = authorizationServers(model)
  const list = { mode, ...(servers.length > 0 && { authorizationServers: servers }), tools }
  return `${JSON.stringify(list, null, 2)}\n`
}
