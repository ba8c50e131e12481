import { builtInErrors, type ErrorCatalogue } from 'duet-runtime/catalogue'
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import { quoted } from '../document/json.js'
import type { Model } from '../model/model.js'
import { membersOf } from '../schema/alternative-members.js'
import { ToolSchemas } from './tool-schema.js'

/** What a document with tools should say better. */
export function adviceOn(model: Model): Diagnostic[] {
  return [...widerSchemas(model), ...oddArguments(model), ...reservedCodes(model)]
}

/** Tools with arguments whose names some clients refuse, and with them the whole list. */
function oddArguments({ operations, schemas }: Model): Diagnostic[] {
  return operations.flatMap(({ tool, params, source }) => {
    if (tool === undefined) return []
    const unseen = new Set([...tool.hidden, ...Object.keys(tool.fixed)])
    const odd = [...membersOf(schemas, params).keys()].filter(
      (name) => !unseen.has(name) && !/^[a-zA-Z0-9_.-]{1,64}$/.test(name),
    )
    if (odd.length === 0) return []
    const message = `Some clients refuse names of arguments of the tool ${tool.name}: ${odd.map(quoted).join(', ')}`
    return [diagnose('mcp-argument-name', message, source)]
  })
}

/** Tools whose schemas accept calls that their operations refuse, each with such a call. */
function widerSchemas(model: Model): Diagnostic[] {
  const schemas = new ToolSchemas(model)
  return model.operations.flatMap((operation) => {
    if (operation.tool === undefined) return []
    const excess = schemas.input(operation).excess()
    if (excess.verdict === 'contained') return []
    const { tool, name } = operation
    const message =
      excess.verdict === 'unknown'
        ? `The schema of the tool ${tool.name} may accept arguments that ${name} refuses: ${excess.reason}`
        : `The tool ${tool.name} accepts arguments that ${name} refuses, such as ${JSON.stringify(excess.witness).slice(0, 200)}`
    return [diagnose('mcp-schema-wider', message, operation.source)]
  })
}

/** Codes of the document's own that MCP has for itself (MCP 2026-07-28, Base Protocol). */
function reservedCodes({ errors, origins }: Model): Diagnostic[] {
  const builtIn: ErrorCatalogue = builtInErrors
  return [...origins.errors].flatMap(([code, source]) => {
    const rpc = errors.get(code)?.rpc ?? 0
    if (rpc > -32020 || rpc < -32099 || builtIn[code]?.rpc === rpc) return []
    return [diagnose('mcp-code-reserved', `The code ${rpc} of ${code} belongs to MCP`, source)]
  })
}
