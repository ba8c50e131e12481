import type { Json } from '../../document/document.js'
import { isArray, isObject, own } from '../../document/json.js'
import type { Operation } from '../../model/model.js'
import type { TargetResponse } from '../target.js'
import { type Envelope, envelopeOf, problemCode } from './judge-rpc.js'

/** The response to a call of a tool (MCP 2026-07-28, `CallToolResult`). */
export type ToolResponse =
  /** `result`: the operation's result. Undefined if it is not JSON, or missing. */
  | { readonly kind: 'result'; readonly result: Json | undefined }
  /** The tool failed. `problem`: its structured content. */
  | { readonly kind: 'failure'; readonly problem: Json | undefined }
  /** An error of the protocol. */
  | { readonly kind: 'error'; readonly error: NonNullable<Envelope['error']> }
  /** It needs more messages. */
  | { readonly kind: 'unread' }

/**
 * Reads the response to a call of an operation's tool. A sentence if it is none.
 *
 * @param read a reader of JSON
 */
export function toolAnswerOf(
  { tool }: Pick<Operation, 'tool'>,
  answer: TargetResponse,
  read?: (text: string) => Json | undefined,
): ToolResponse | string {
  const envelope = envelopeOf(answer, 'MCP', read)
  if (typeof envelope === 'string') return envelope
  if (envelope.error !== undefined) return { kind: 'error', error: envelope.error }
  const { result } = envelope
  const content = isObject(result) ? (own(result, 'content') ?? null) : null
  if (!isObject(result) || !isArray(content)) return 'The result over MCP has no list as content'
  const type = own(result, 'resultType')
  if (typeof type !== 'string') return 'The result over MCP has no resultType'
  if (type !== 'complete') return { kind: 'unread' }
  const structured = own(result, 'structuredContent')
  if (own(result, 'isError') === true) return { kind: 'failure', problem: structured }
  if (tool?.structured === undefined)
    return { kind: 'result', result: content.length === 0 ? null : undefined }
  const isWhole = tool.structured === 'whole'
  const inner = isObject(structured ?? null)
    ? own(structured as { [name: string]: Json }, 'result')
    : undefined
  return { kind: 'result', result: isWhole ? structured : inner }
}

/** The code of the problem in an answer. An unknown tool is an error of the protocol, unlike wrong arguments. */
export function toolCode(answer: ToolResponse): string | undefined {
  if (answer.kind === 'failure') return problemCode(answer.problem)
  if (answer.kind !== 'error') return undefined
  const { code, data } = answer.error
  return (
    problemCode(data) ?? (code === invalidParams || code === methodNotFound ? 'unknown_operation' : undefined)
  )
}

/** The status of a failed call's problem. */
export function toolStatus(answer: ToolResponse): number | undefined {
  const problem = answer.kind === 'failure' ? answer.problem : undefined
  const status = isObject(problem ?? null) ? own(problem as { [name: string]: Json }, 'status') : undefined
  return typeof status === 'number' ? status : undefined
}

/** JSON-RPC 2.0, section 5.1. */
const invalidParams = -32_602
const methodNotFound = -32_601
