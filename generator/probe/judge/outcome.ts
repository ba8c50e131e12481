import type { Protocol } from 'duet-runtime'
import { isJson } from '../../diff/facts/parts/media.js'
import type { HttpRequest } from '../../diff/proof/calls/exchange.js'
import type { Json } from '../../document/document.js'
import { parsed } from '../../document/json.js'
import type { Operation } from '../../model/model.js'
import type { TargetResponse } from '../target.js'
import { envelopeOf, problemCode } from './judge-rpc.js'
import { toolAnswerOf, toolCode, toolStatus } from './tool-answer.js'

/** A call that was sent, and its answer. */
export interface Outcome {
  readonly protocol: Protocol
  /** Without credentials. */
  readonly request: HttpRequest
  readonly answer: TargetResponse
  /**
   * `accepted`: a success. `refused`: the server says that the call is invalid (400, 422, -32602). `elsewhere`: it refuses for
   * what it knows and the document does not: nothing has this id, a conflict, a missing right.
   */
  readonly verdict: 'accepted' | 'refused' | 'elsewhere'
  /** The result, if it is JSON. */
  readonly result?: Json
  /** The code of the problem that it answers with. */
  readonly code?: string
  /** It says nothing of the call: it is no envelope, or an error without a problem. */
  readonly isUnread?: boolean
}

export function outcomeOf(
  operation: Operation,
  protocol: Protocol,
  request: HttpRequest,
  answer: TargetResponse,
): Outcome {
  const sent = { protocol, request, answer }
  if (protocol === 'mcp') return { ...sent, ...toolOutcome(operation, answer) }
  if (protocol === 'rest') {
    const { status, headers, body } = answer
    const value = isJson(headers['content-type'] ?? '') ? parsed(body) : undefined
    const isFine = status >= 200 && status < 300
    const code = problemCode(value)
    if (isFine) return { ...sent, verdict: 'accepted', ...(value !== undefined && { result: value }) }
    const verdict = refusing.has(status) ? 'refused' : 'elsewhere'
    return { ...sent, verdict, ...(code !== undefined && { code }) }
  }
  const envelope = envelopeOf(answer)
  if (typeof envelope === 'string') return { ...sent, verdict: 'elsewhere', isUnread: true }
  if (envelope.error === undefined) return { ...sent, verdict: 'accepted', result: envelope.result }
  const code = problemCode(envelope.error.data)
  const verdict = envelope.error.code === invalidParams ? 'refused' : 'elsewhere'
  return { ...sent, verdict, ...(code === undefined ? { isUnread: true } : { code }) }
}

function toolOutcome(
  operation: Operation,
  answer: TargetResponse,
): Pick<Outcome, 'verdict' | 'result' | 'code' | 'isUnread'> {
  const read = toolAnswerOf(operation, answer)
  if (typeof read === 'string' || read.kind === 'unread') return { verdict: 'elsewhere', isUnread: true }
  if (read.kind === 'result')
    return { verdict: 'accepted', ...(read.result !== undefined && { result: read.result }) }
  const code = toolCode(read)
  const verdict = refusing.has(toolStatus(read) ?? 0) ? 'refused' : 'elsewhere'
  return { verdict, ...(code === undefined ? { isUnread: read.kind === 'error' } : { code }) }
}

const refusing: ReadonlySet<number> = new Set([400, 422])

/** -32602 (JSON-RPC 2.0, section 5.1). */
const invalidParams = -32_602

/** `404`, or over others `not_found`, else `result`. */
export function answerText({ protocol, answer, code, verdict }: Outcome): string {
  if (protocol === 'rest') return code === undefined ? String(answer.status) : `${answer.status} ${code}`
  return verdict === 'accepted' ? 'a result' : (code ?? 'an error')
}
