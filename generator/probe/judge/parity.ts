import { protocolNames } from '../../diff/change/protocol.js'
import type { Operation } from '../../model/model.js'
import { fingerprint } from '../../schema/canonical.js'
import type { Case } from '../cases/case.js'
import type { Declarations } from './declarations.js'
import type { Fault } from './fault.js'
import { answerText, type Outcome } from './outcome.js'

/**
 * How the answers of two protocols to one call differ.
 *
 * @param again the same call over the first protocol once more. A result that is not the same twice is not compared
 */
export async function parityFaults(
  declarations: Declarations,
  operation: Operation,
  { what }: Case,
  one: Outcome,
  other: Outcome,
  again: () => Promise<Outcome | undefined>,
): Promise<Fault[]> {
  const statuses = [one, other].map(({ answer }) => answer.status)
  // A not-modified or an answer of HTTP itself has no counterpart.
  if (statuses.some((status) => [304, 429, 503].includes(status))) return []
  const at = declarations.position(operation.source.pointer)
  const fault = (detail: string, message: string): Fault[] => [
    { kind: 'protocols-differ', detail, at, message },
  ]
  const [name, otherName] = [one, other].map(({ protocol }) => protocolNames[protocol])
  if ((one.verdict === 'accepted') !== (other.verdict === 'accepted')) {
    if (isUnread(one.verdict === 'accepted' ? other : one)) return []
    const message = `A call ${what} gets ${answerText(one)} over ${name} and ${answerText(other)} over ${otherName}`
    return fault('verdict', message)
  }
  if (one.verdict !== 'accepted') {
    if (one.code === undefined || other.code === undefined || one.code === other.code) return []
    return fault(
      `${one.code} ${other.code}`,
      `A call ${what} gets ${one.code} over ${name} and ${other.code} over ${otherName}`,
    )
  }
  if (sameResult(one, other)) return []
  const second = await again()
  if (second === undefined || !sameResult(one, second)) return []
  return fault('result', `A call ${what} has different results over ${name} and over ${otherName}`)
}

/** Whether an outcome says nothing of the call: the server failed, or answered with no envelope. */
function isUnread({ answer, isUnread: isNoEnvelope = false }: Outcome): boolean {
  return answer.status >= 500 || isNoEnvelope
}

function sameResult(one: Outcome, other: Outcome): boolean {
  const [a, b] = [one, other].map(
    ({ result, answer }) => result ?? (answer.isWhole && answer.body === '' ? null : undefined),
  )
  // A result that is no JSON, or a stream, which is not read, is not compared.
  return a === undefined || b === undefined || fingerprint(a) === fingerprint(b)
}
