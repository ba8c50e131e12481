import type { Validator } from 'duet-runtime'
import { childPointer } from '../../document/cursor.js'
import { essenceOf } from '../../document/media-type.js'
import type { Model, Operation } from '../../model/model.js'
import type { TargetResponse } from '../target.js'
import type { Declarations } from './declarations.js'
import { exactly } from './exact.js'
import { type Fault, faultsAt, serverFails, unknownCode } from './fault.js'
import { bodyFaults } from './judge-rest.js'
import { internalError, problemCode } from './judge-rpc.js'
import { toolAnswerOf, toolStatus } from './tool-answer.js'

/**
 * What a response over MCP contradicts in the document, whatever its call was. The operation's schema of results is
 * stricter than the tool's output schema, which agents check.
 */
export function mcpFaults(
  model: Model,
  declarations: Declarations,
  operation: Operation,
  result: Validator,
  what: string,
  answer: TargetResponse,
): Fault[] {
  const { status, headers } = answer
  const at = declarations.position(childPointer(operation.source.pointer, 'responses'))
  const fault = faultsAt(at)
  if (status >= 500 && status !== 503) return fault('server-error', String(status), serverFails(status, what))
  const read = toolAnswerOf(operation, answer, exactly)
  if (typeof read === 'string') {
    // Authentication and limits may answer before the protocol does.
    return [401, 403, 429, 503].includes(status) ? [] : fault('envelope-invalid', read, read)
  }
  if (read.kind === 'unread') return []
  const type = essenceOf(headers['content-type'] ?? '')
  if (status < 300 && type !== 'application/json' && type !== 'text/event-stream')
    return fault('wrong-content-type', type, `The response over MCP has ${type || 'no media type'}`)
  if (read.kind === 'result') {
    if (operation.tool?.structured === undefined) return []
    if (read.result !== undefined) return bodyFaults(result, read.result, 'The result over MCP', 'result', at)
    const message = 'The result over MCP has no structured content, although its tool has an output schema'
    return fault('body-invalid', 'structured', message)
  }
  if ((read.kind === 'error' && read.error.code === internalError) || toolStatus(read) === 500)
    return fault('server-error', '500', `The server fails over MCP, on a call ${what}`)
  const code = problemCode(read.kind === 'error' ? read.error.data : read.problem)
  if (code === undefined || model.errors.has(code) || operation.errors.includes(code)) return []
  return fault('undeclared-code', code, unknownCode(code))
}
