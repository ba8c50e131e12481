import type { ClientProtocol } from 'duet-runtime'
import { isJson } from '../diff/facts/parts/media.js'
import type { HttpRequest } from '../diff/proof/calls/exchange.js'
import { parsed } from '../diff/proof/calls/refusal.js'
import type { Json } from '../document/document.js'
import { envelopeOf, problemCode } from './judge-rpc.js'
import type { Answer } from './target.js'

/** A call that was sent, and its answer. */
export interface Outcome {
  readonly protocol: ClientProtocol
  /** Without credentials. */
  readonly request: HttpRequest
  readonly answer: Answer
  /**
   * `accepted`: a success. `refused`: the server says that the call is invalid (400, 422, -32602). `elsewhere`: it refuses for
   * what it knows and the document does not: nothing has this id, a conflict, a missing right.
   */
  readonly verdict: 'accepted' | 'refused' | 'elsewhere'
  /** The result, if it is JSON. */
  readonly result?: Json
  /** The code of the problem that it answers with. */
  readonly code?: string
}

export function outcomeOf(protocol: ClientProtocol, request: HttpRequest, answer: Answer): Outcome {
  const sent = { protocol, request, answer }
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
  if (typeof envelope === 'string') return { ...sent, verdict: 'elsewhere' }
  if (envelope.error === undefined) return { ...sent, verdict: 'accepted', result: envelope.result }
  const code = problemCode(envelope.error.data)
  const verdict = envelope.error.code === invalidParams ? 'refused' : 'elsewhere'
  return { ...sent, verdict, ...(code !== undefined && { code }) }
}

const refusing: ReadonlySet<number> = new Set([400, 422])

/** -32602 (JSON-RPC 2.0, section 5.1). */
const invalidParams = -32_602

/** `404`, or over JSON-RPC `not_found`, else `result`. */
export function answerText({ protocol, answer, code, verdict }: Outcome): string {
  if (protocol === 'rest') return code === undefined ? String(answer.status) : `${answer.status} ${code}`
  return verdict === 'accepted' ? 'a result' : (code ?? 'an error')
}
