import { compareText } from '../document/cursor.js'
import type { JsonObject } from '../document/document.js'
import type { Model, Operation } from '../model/model.js'
import { OperationPieces } from '../model/operation-pieces.js'
import { ToolSchemas } from './tool-schema.js'
import { visibleText } from './visible-text.js'

/** The tools of a version, sorted by name. */
export function toolsOf(model: Model, pieces: OperationPieces = new OperationPieces(model)): JsonObject[] {
  const offered = model.operations.filter(({ tool }) => tool !== undefined)
  if (offered.length === 0) return []
  const schemas = new ToolSchemas(model)
  return offered
    .sort((a, b) => compareText(a.tool?.name ?? '', b.tool?.name ?? ''))
    .map((operation) => pieces.of('tool', operation, '', () => toolOf(operation, schemas)))
}

/** The size of tools in a response of `tools/list`. */
export function bytesOf(tools: readonly JsonObject[]): number {
  return tools.reduce((sum, tool) => sum + Buffer.byteLength(JSON.stringify(tool)), 0)
}

/** As `tools/list` returns it (MCP 2026-07-28, `Tool`). */
function toolOf(operation: Operation, schemas: ToolSchemas): JsonObject {
  const { tool, deprecation } = operation
  if (tool === undefined) throw new Error(`${operation.name} is not a tool`)
  const { title, description = operation.name, hints } = tool
  const output = schemas.output(operation)
  return {
    name: tool.name,
    ...(title !== undefined && { title: visibleText(title) }),
    description: visibleText(deprecation === undefined ? description : `Deprecated. ${description}`),
    inputSchema: schemas.input(operation).schema,
    ...(output !== undefined && { outputSchema: output.schema }),
    annotations: {
      readOnlyHint: hints.readOnly,
      destructiveHint: hints.destructive,
      idempotentHint: hints.idempotent,
    },
  }
}
