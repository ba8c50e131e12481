import { randomUUID } from 'node:crypto'
import { isBinary, mapBinaries } from '../contract/binaries.js'
import { type Bound, takeTimezone } from '../contract/bound.js'
import { exactInt64, nativeInt64, withExactInt64 } from '../contract/int64.js'
import { parseJson } from '../contract/json.js'
import type { BinaryGraph, Operation } from '../contract/operation.js'
import { ProblemError } from '../contract/problem.js'
import type { Violation } from '../contract/problem-details.js'
import { reportInexact } from '../contract/violations.js'
import { jsonText } from '../values/json-text.js'
import { isJsonObject } from '../values/object.js'
import { requestIdOf } from '../values/request-id.js'
import type { CallOptions } from './api/api.js'
import type { Caller, Dispatcher } from './dispatch.js'
import type { Procedure } from './procedure.js'
import { mediaResultOf, wholeMediaResult } from './result/media-result.js'

/**
 * Calls an operation in process. Throws a ProblemError whose `problem` is what a remote caller would have
 * received; its `cause` is the unexpected error behind an `internal_error`.
 */
export async function callLocally<Principal>(
  dispatcher: Dispatcher<Principal>,
  procedure: Procedure | undefined,
  params: unknown,
  options: CallOptions<Principal>,
  answerBytes: number,
): Promise<unknown> {
  const caller = new LocalCaller(options)
  const outcome =
    procedure === undefined
      ? dispatcher.refuse(new ProblemError('unknown_operation'), caller)
      : await dispatcher.dispatch(procedure, caller, {
          bind: () => bindCopy(params, procedure.operation, options.timezone),
          encode: async (result) =>
            native(await wholeOf(result, procedure.operation, answerBytes), procedure),
        })
  const { problem } = outcome
  if (problem === undefined) return outcome.result
  const { code, detail, errors: violations } = problem
  throw new ProblemError(code, { detail, violations, problem, cause: outcome.error })
}

class LocalCaller<Principal> implements Caller<Principal> {
  readonly protocol = 'local'
  readonly requestId: string
  readonly #options: CallOptions<Principal>

  constructor(options: CallOptions<Principal>) {
    this.#options = options
    this.requestId = requestIdOf(options.requestId)
  }

  get signal(): AbortSignal {
    return this.#options.signal ?? new AbortController().signal
  }

  /** The given principal is trusted, but a secured operation requires one. */
  principal({ secured }: Procedure): Principal | undefined {
    const { principal } = this.#options
    if (secured && (principal === undefined || principal === null)) throw new ProblemError('unauthenticated')
    return principal
  }

  failed(): void {}

  measured<Result>(work: () => Result): Result {
    return work()
  }
}

/**
 * A copy of the params as a remote caller would have sent them; validation fills in its defaults. Binaries
 * are shared.
 */
function bindCopy(params: unknown = {}, operation: Operation, timezone: string | undefined): Bound {
  const { binaries } = operation
  const violations: Violation[] = []
  const copy = (given: unknown) => copyOf(given, operation, violations)
  const value = binaries === undefined ? copy(params) : copyWithBinaries(params, binaries, copy)
  if (!isJsonObject(value)) {
    throw new ProblemError('validation_failed', {
      violations: [{ path: '', keyword: 'type', message: 'must be object' }],
    })
  }
  const sent = takeTimezone(value)
  return { params: value, timezone: timezone ?? sent, violations }
}

function jsonOf(params: unknown, stringify: (value: unknown) => string): string {
  try {
    return stringify(params) ?? 'null'
  } catch (cause) {
    throw new ProblemError('validation_failed', { detail: 'The params are not JSON.', cause })
  }
}

/** Collects bytes and streams; returns any other result as it is. */
function wholeOf(result: unknown, operation: Operation, limit: number): unknown {
  const answer = operation.rest.answers === undefined ? undefined : mediaResultOf(result, operation)
  return answer === undefined ? result : wholeMediaResult(answer, operation, limit)
}

function copyOf(params: unknown, { int64 }: Operation, violations: Violation[]): unknown {
  if (int64 === undefined) return parseJson(jsonOf(params, JSON.stringify)).value
  const { as, params: graph } = int64
  const json = parseJson(jsonOf(exactInt64(params, as, graph), jsonText))
  const { value, inexact } = withExactInt64(json, (path) => graph && { graph, path })
  reportInexact(violations, inexact, (pointer) => pointer)
  return value
}

/** A result in the form that programs use. */
function native(result: unknown, { operation: { int64 } }: Procedure): unknown {
  return int64 === undefined ? result : nativeInt64(result, int64.as, int64.result)
}

/** JSON has no binaries, so unique texts replace them while the rest is copied. */
function copyWithBinaries(
  params: unknown,
  graph: BinaryGraph,
  copyOf: (params: unknown) => unknown,
): unknown {
  const found = new Map<unknown, unknown>()
  const marked = mapBinaries(params, graph, (value) => {
    if (!isBinary(value)) return value
    const mark = randomUUID()
    found.set(mark, value)
    return mark
  })
  return mapBinaries(copyOf(marked), graph, (value) => found.get(value) ?? value)
}
