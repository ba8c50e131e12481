import type { OperationValidators } from '../../contract/contract.js'
import { exactInt64 } from '../../contract/int64.js'
import type { AnswerMedia, Operation } from '../../contract/operation.js'
import { checkEvent } from '../../contract/piece.js'
import type { Violation } from '../../contract/problem-details.js'
import { mapDatetimes } from '../../contract/time/datetimes.js'
import { toZone } from '../../contract/time/timezone.js'
import { violationsOf } from '../../contract/violations.js'
import type { Procedure } from '../procedure.js'
import { isPieces, wholeResult } from './media-result.js'

/**
 * A handler's result as it is sent: datetimes in the caller's zone, and valid. Pieces of a stream are
 * converted one by one, as they are read.
 *
 * @param validates whether results are validated
 * @throws InvalidResultError at once, or from the stream
 */
export function checkedResult(
  procedure: Procedure,
  given: unknown,
  timezone: string,
  validates: boolean,
): unknown {
  const { operation, validators } = procedure
  const { rest } = operation
  const isPlain = rest.answers === undefined
  if (!isPlain && isPieces(given)) {
    const validator = validates ? validators.piece : undefined
    const hasEvents = rest.answers?.some(({ kind, data }) => kind === 'events' && data !== undefined) === true
    return eachPiece(given, (piece) => {
      const answer = outgoing(piece, operation, 'piece', timezone)
      if (validator?.(answer) === false) {
        throw new InvalidResultError(procedure, 'piece', violationsOf(validator, []))
      }
      if (hasEvents) checkEvent(answer)
      return answer
    })
  }
  const answer = outgoing(isPlain ? given : wholeResult(given, operation), operation, 'result', timezone)
  if (validates && !validators.result(answer)) {
    const form = formOf(rest.answers, answer)
    const violations = form === undefined ? violationsOf(validators.result, []) : [form]
    throw new InvalidResultError(procedure, 'result', violations)
  }
  return answer
}

/**
 * The violation of a result that is neither a stream nor a file, of an operation that returns nothing else. The
 * validator would describe what is sent.
 */
function formOf(answers: readonly AnswerMedia[] = [], result: unknown): Violation | undefined {
  const returnsOnly = (...kinds: AnswerMedia['kind'][]) =>
    answers.length > 0 && answers.every(({ kind }) => kinds.includes(kind))
  if (returnsOnly('events', 'lines') && typeof result !== 'string')
    return { path: '', keyword: 'type', message: 'must be an async iterable of pieces' }
  if (returnsOnly('binary') && !(result instanceof Blob))
    return { path: '', keyword: 'type', message: 'must be a Blob, a Uint8Array or a ReadableStream' }
  return undefined
}

/**
 * The JSON text of a result in the caller's zone, checked while it is written. Undefined if the result may
 * not match the schema; then {@link checkedResult} decides.
 */
export function checkedText({ text }: OperationValidators, answer: unknown): string | undefined {
  return text === undefined || isPolluted() ? undefined : text(answer)
}

/** A handler's result or piece in the form to validate: datetimes in a zone, int64 integers exact. */
export function outgoing(
  given: unknown,
  { datetimes, int64 }: Operation,
  part: 'result' | 'piece',
  timezone: string,
): unknown {
  const value = int64 === undefined ? given : exactInt64(given, int64.as, int64[part])
  const graph = datetimes[part]
  return graph === undefined ? value : mapDatetimes(value, graph, (text) => toZone(text, timezone))
}

/** A handler returned a result that its operation's schema does not allow. */
export class InvalidResultError extends Error {
  override readonly name = 'InvalidResultError'
  readonly violations: readonly Violation[]

  constructor(
    { operation: { name }, origin }: Procedure,
    what: 'result' | 'piece',
    violations: readonly Violation[],
  ) {
    const [first] = violations
    const about = origin === undefined ? '' : ` (called as ${origin.version}, handled by ${origin.handledBy})`
    super(
      `${name} returned an invalid ${what}: ${`${first?.path ?? ''} ${first?.message ?? ''}`.trim()}${about}`,
    )
    this.violations = violations
  }
}

/**
 * Whether Object.prototype has enumerable members. Loops over members would take them for the object's own.
 */
function isPolluted(): boolean {
  for (const _ in Object.prototype) return true
  return false
}

/** Bytes are sent unchanged. */
async function* eachPiece(
  pieces: AsyncIterable<unknown>,
  check: (piece: unknown) => unknown,
): AsyncGenerator<unknown> {
  for await (const piece of pieces) {
    yield piece instanceof Uint8Array ? piece : check(piece)
  }
}
