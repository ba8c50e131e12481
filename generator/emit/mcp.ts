import { bytesOf, toolsOf } from '../mcp/tool-list.js'
import type { Model } from '../model/model.js'
import { OperationPieces } from '../model/operation-pieces.js'

/** `mcp.json`: the tools that agents call over MCP. */
export function emitMcp(model: Model, pieces: OperationPieces = new OperationPieces(model)): string {
  const tools = toolsOf(model, pieces)
  const mode = bytesOf(tools) > (model.toolBytes ?? Number.POSITIVE_INFINITY) ? 'search' : 'each'
  return `${JSON.stringify({ mode, tools }, null, 2)}\n`
}

/** Whether a version has a tool, and so an address for MCP. */
export function hasTools({ operations }: Model): boolean {
  return operations.some(({ tool }) => tool !== undefined)
}
