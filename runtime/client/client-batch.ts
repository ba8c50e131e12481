import { type CallPlan, isRefusal, perform } from './client-call.js'
import { TransportError } from './client-error.js'
import { isTransient } from './retry.js'
import type { CallOutcome, JsonRpcTransport, OutgoingCall } from './transport.js'

/**
 * Sends a batch and retries calls that may succeed later: those whose credentials were refused, and, if every
 * call of the batch is idempotent or has an idempotency key, those that failed temporarily. Keeps responses
 * that were received, whatever later attempts return.
 *
 * @returns the outcome of each call, in the order of the calls
 */
export async function performBatch(
  transport: JsonRpcTransport,
  calls: readonly OutgoingCall[],
  plan: CallPlan,
): Promise<readonly CallOutcome[]> {
  const answers: CallOutcome[] = []
  let pending = [...calls.keys()]
  const isAgain = (answer: CallOutcome | undefined) =>
    answer?.ok === false && (isRefusal(answer.error) || (plan.retry !== false && isTransient(answer.error)))
  try {
    await perform(plan, async (delivery) => {
      const sent = pending.flatMap((index) => calls[index] ?? [])
      for (const [position, answer] of (await transport.batch(sent, delivery)).entries()) {
        const index = pending[position]
        if (index !== undefined) answers[index] = answer
      }
      pending = pending.filter((index) => isAgain(answers[index]))
      const failures = pending.flatMap((index) => answers[index] ?? []).filter((answer) => !answer.ok)
      const first = failures.find((answer) => isRefusal(answer.error)) ?? failures[0]
      if (first !== undefined) throw first.error
    })
  } catch (error) {
    const isGivenUp = error instanceof TransportError && error.reason === 'aborted'
    if (isGivenUp || answers.length < calls.length) throw error
  }
  return answers
}
