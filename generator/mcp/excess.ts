import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import type { Model } from '../model/model.js'
import { ToolSchemas } from './tool-schema.js'

/** Tools whose schemas accept calls that their operations refuse, each with such a call. */
export function excessOf(model: Model): Diagnostic[] {
  const schemas = new ToolSchemas(model)
  return model.operations.flatMap((operation) => {
    if (operation.tool === undefined) return []
    const { excess } = schemas.input(operation)
    if (excess.verdict === 'contained') return []
    const shown =
      excess.verdict === 'unknown' ? excess.reason : `such as ${JSON.stringify(excess.witness).slice(0, 200)}`
    const message = `The tool ${operation.tool.name} accepts arguments that ${operation.name} refuses, ${shown}`
    return [diagnose('mcp-schema-wider', message, operation.source)]
  })
}
