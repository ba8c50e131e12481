import { canonical } from '../contains/values/value.js'
import type { Operation } from '../model/model.js'
import type { Case } from './case.js'
import type { Declarations } from './declarations.js'
import type { Fault } from './fault.js'
import { answerText, type Outcome } from './outcome.js'

/**
 * How the answers of two protocols to one call differ.
 *
 * @param again the same call over REST once more. A result that is not the same twice is not compared
 */
export async function parityFaults(
  declarations: Declarations,
  operation: Operation,
  { what }: Case,
  rest: Outcome,
  rpc: Outcome,
  again: () => Promise<Outcome | undefined>,
): Promise<Fault[]> {
  const { status } = rest.answer
  // A not-modified or an answer of HTTP itself has no counterpart.
  if (status === 304 || [429, 503].includes(status) || [429, 503].includes(rpc.answer.status)) return []
  const at = declarations.position(operation.source.pointer)
  const fault = (detail: string, message: string): Fault[] => [
    { kind: 'protocols-differ', detail, at, message },
  ]
  if ((rest.verdict === 'accepted') !== (rpc.verdict === 'accepted')) {
    if (rest.verdict === 'accepted' ? rpc.code === undefined && isUnread(rpc) : isUnread(rest)) return []
    const message = `A call ${what} gets ${answerText(rest)} over REST and ${answerText(rpc)} over JSON-RPC`
    return fault('verdict', message)
  }
  if (rest.verdict !== 'accepted') {
    if (rest.code === undefined || rpc.code === undefined || rest.code === rpc.code) return []
    return fault(
      `${rest.code} ${rpc.code}`,
      `A call ${what} gets ${rest.code} over REST and ${rpc.code} over JSON-RPC`,
    )
  }
  if (sameResult(rest, rpc)) return []
  const second = await again()
  if (second === undefined || !sameResult(rest, second)) return []
  return fault('result', `A call ${what} has different results over REST and over JSON-RPC`)
}

/** Whether an outcome says nothing of the call: the server failed, or answered with no envelope. */
function isUnread({ protocol, answer, code }: Outcome): boolean {
  return answer.status >= 500 || (protocol === 'jsonrpc' && code === undefined)
}

function sameResult(one: Outcome, other: Outcome): boolean {
  const [a, b] = [one, other].map(({ result, answer }) => result ?? (answer.body === '' ? null : undefined))
  // A result that is no JSON is not compared.
  return a === undefined || b === undefined || canonical(a) === canonical(b)
}
