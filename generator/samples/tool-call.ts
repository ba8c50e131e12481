import type { ToolBinding } from 'duet-runtime'
import { objectOf } from '../document/cursor.js'
import type { Json, JsonObject } from '../document/document.js'
import type { Operation, Tool } from '../model/model.js'

/** The address of MCP below the base path. */
export const toolPath = '/mcp'

/** The media types of a response (MCP 2025-03-26, Streamable HTTP: a client must list both). */
export const toolAccept = 'application/json, text/event-stream'

/** The tool that calls every operation, if agents do not see each. */
export const callTool = 'call_operation'

/**
 * A call of an operation's tool, as agents send it (MCP, `tools/call`): without the params that its tool hides or gives
 * a value. `search`: through the tool that calls every operation. It states no revision, so servers take it for one of 2025-03-26,
 * which needs no headers. Undefined: agents cannot call the operation.
 */
export function toolCall(
  { tool }: Pick<Operation, 'tool'>,
  params: Readonly<Record<string, Json>>,
  mode: 'each' | 'search' = 'each',
): JsonObject | undefined {
  if (tool === undefined) return undefined
  const { name, fixed = {}, hidden = [] } = tool
  const unseen = new Set([...Object.keys(fixed), ...hidden])
  const args = objectOf(Object.entries(params).filter(([param]) => !unseen.has(param)))
  return toolMessage(name, args, mode)
}

/** The message that calls a tool. `search`: through the tool that calls every operation. */
export function toolMessage<Args extends object>(name: string, args: Args, mode: 'each' | 'search') {
  const call = { name, arguments: args }
  const params = mode === 'each' ? call : { name: callTool, arguments: call }
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params } as const
}

/** A tool in the table of operations, without its texts. */
export function toolBinding({ name, fixed, hidden, structured }: Tool): ToolBinding {
  return {
    name,
    ...(Object.keys(fixed).length > 0 && { fixed }),
    ...(hidden.length > 0 && { hidden }),
    ...(structured !== undefined && { structured }),
  }
}
