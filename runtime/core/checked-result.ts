import { isPieces, wholeResult } from './answer.js'
import type { OperationValidators } from './contract.js'
import { mapDatetimes } from './datetimes.js'
import type { DatetimeGraph } from './operation.js'
import type { Violation } from './problem.js'
import type { Procedure } from './procedure.js'
import { toZone } from './timezone.js'
import { violationsOf } from './violations.js'

/**
 * A handler's result as it is answered: its datetimes in the caller's zone, and valid. The pieces of a stream
 * are made so one by one, when they are asked for.
 *
 * @param validates whether results are validated
 * @throws InvalidResultError at once, or from the stream
 */
export function checkedResult(
  { operation, validators }: Procedure,
  given: unknown,
  timezone: string,
  validates: boolean,
): unknown {
  const { name, rest, datetimes } = operation
  const isPlain = rest.answers === undefined
  if (!isPlain && isPieces(given)) {
    const validator = validates ? validators.piece : undefined
    return eachPiece(given, (piece) => {
      const answer = inZone(piece, datetimes.piece, timezone)
      if (validator?.(answer) === false) {
        throw new InvalidResultError(name, 'piece', violationsOf(validator, []))
      }
      return answer
    })
  }
  const answer = inZone(isPlain ? given : wholeResult(given, operation), datetimes.result, timezone)
  if (validates && !validators.result(answer)) {
    throw new InvalidResultError(name, 'result', violationsOf(validators.result, []))
  }
  return answer
}

/**
 * The JSON text of a result in the caller's zone, checked while it is written. Undefined where it is not plainly what
 * the schema says; then {@link checkedResult} decides.
 */
export function checkedText({ text }: OperationValidators, answer: unknown): string | undefined {
  return text === undefined || isPolluted() ? undefined : text(answer)
}

/** A result with its datetimes in a zone. */
export function inZone(value: unknown, graph: DatetimeGraph | undefined, timezone: string): unknown {
  return graph === undefined ? value : mapDatetimes(value, graph, (text) => toZone(text, timezone))
}

/** A handler gave what its operation's schema does not allow. */
export class InvalidResultError extends Error {
  override readonly name = 'InvalidResultError'
  readonly violations: readonly Violation[]

  constructor(operation: string, what: 'result' | 'piece', violations: readonly Violation[]) {
    const [first] = violations
    super(`${operation} gave an invalid ${what}: ${`${first?.path ?? ''} ${first?.message ?? ''}`.trim()}`)
    this.violations = violations
  }
}

/** Whether every object has members that none of them holds: what walks over members would take them for its own. */
function isPolluted(): boolean {
  for (const _ in Object.prototype) return true
  return false
}

/** Texts and bytes are written already. */
async function* eachPiece(
  pieces: AsyncIterable<unknown>,
  check: (piece: unknown) => unknown,
): AsyncGenerator<unknown> {
  for await (const piece of pieces) {
    yield typeof piece === 'string' || piece instanceof Uint8Array ? piece : check(piece)
  }
}
