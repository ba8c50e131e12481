import { isPieces } from './answer.js'
import type { ApiOptions, CallEvent, Context, Protocol } from './api.js'
import { decodeBinaries } from './binaries.js'
import type { Bound } from './bound.js'
import type { ErrorCatalogue } from './catalogue.js'
import { checkedResult } from './checked-result.js'
import { parseDatetime } from './datetime.js'
import { mapDatetimes } from './datetimes.js'
import type { Operation, RestBinding } from './operation.js'
import { type Failure, failureOf, type Outcome } from './outcome.js'
import { ProblemError, type Violation } from './problem.js'
import type { Procedure } from './procedure.js'
import { HandlerReply } from './reply.js'
import { timezoneNamed, toUtc } from './timezone.js'
import { MAX_VIOLATIONS, outOfRange, unknownTimezone, violationsOf } from './violations.js'

/** Who makes a call, and how: an HTTP exchange, or a program in process. */
export interface Caller<Principal> {
  readonly protocol: Protocol
  readonly requestId: string
  readonly signal: AbortSignal
  /** The principal, undefined for an operation open to all. Throws ProblemErrors. */
  principal(procedure: Procedure): Principal | undefined | Promise<Principal>
}

/** Runs calls of one api, whatever the protocol. */
export class Dispatcher<Principal> {
  readonly #options: ApiOptions<unknown, Principal>
  readonly #errors: ErrorCatalogue
  readonly #systemTimezone: string

  /** Throws an Error for a system time zone that is none. */
  constructor(options: ApiOptions<unknown, Principal>, errors: ErrorCatalogue) {
    const { systemTimezone = 'UTC' } = options
    if (timezoneNamed(systemTimezone) === undefined) {
      throw new Error(`systemTimezone is ${JSON.stringify(systemTimezone)}, which is no IANA time zone name`)
    }
    this.#options = options
    this.#errors = errors
    this.#systemTimezone = systemTimezone
  }

  /**
   * One call from its authentication to its result. Never throws: every failure is an outcome. `bind` reads
   * the params, once it is known who calls. `encode` makes of the result what the protocol sends; what it
   * throws is an `internal_error` like any other.
   */
  async dispatch<Encoded>(
    procedure: Procedure,
    caller: Caller<Principal>,
    bind: () => Bound | Promise<Bound>,
    encode: (result: unknown, procedure: Procedure) => Encoded | Promise<Encoded>,
  ): Promise<Outcome<Encoded>> {
    const record: CallRecord<Principal> = { start: performance.now() }
    try {
      record.principal = await caller.principal(procedure)
      const { result, context } = await this.#run(procedure, caller, record, await bind())
      const encoded = encode(result, procedure)
      const outcome = {
        result: encoded instanceof Promise ? await encoded : encoded,
        reply: context.said,
      }
      this.#tell(procedure.operation.name, caller, record)
      return outcome
    } catch (error) {
      const failure = failureOf(error, this.#errors, caller.requestId)
      this.#tell(procedure.operation.name, caller, record, failure)
      return failure
    }
  }

  /** The outcome of a call that never reached an operation. */
  refuse(error: unknown, caller: Caller<Principal>): Failure {
    const failure = failureOf(error, this.#errors, caller.requestId)
    this.#tell(undefined, caller, { start: performance.now() }, failure)
    return failure
  }

  async #run(procedure: Procedure, caller: Caller<Principal>, record: CallRecord<Principal>, bound: Bound) {
    const { principal } = record
    const timezone = this.#timezone(record, bound)
    const params = checkedParams(procedure, bound, timezone)
    if (procedure.handle === undefined) throw new ProblemError('not_implemented')
    const context = new CallContext(principal, procedure.operation, timezone ?? this.#systemTimezone, caller)
    const result = (await procedure.handle(params, context)) ?? null
    const validates = this.#options.validateResponses !== false
    const checked = checkedResult(procedure, result, context.timezone, validates)
    const { rest, name } = procedure.operation
    const isStream = rest.answers !== undefined && isPieces(checked)
    return { result: isStream ? this.#told(checked, name, caller, record) : checked, context }
  }

  /** Seed section 1: `__tz`, else the user's zone, else the system's. Undefined: `__tz` names no zone. */
  #timezone(record: CallRecord<Principal>, { timezone }: Bound): string | undefined {
    if (timezone !== undefined) return typeof timezone === 'string' ? timezoneNamed(timezone) : undefined
    const { principal } = record
    const own = principal === undefined ? undefined : this.#options.timezone?.(principal)
    if (own === undefined || own === null) return this.#systemTimezone
    const known = typeof own === 'string' ? timezoneNamed(own) : undefined
    // No fault of the caller's: databases of zones differ from node to node.
    if (known === undefined)
      record.warning = `The zone of the principal is unknown here: ${JSON.stringify(own)}`
    return known ?? this.#systemTimezone
  }

  /** A fault in a stream that has been answered with is told of when it comes: by then its call has succeeded. */
  async *#told(
    pieces: AsyncIterable<unknown>,
    operation: string,
    caller: Caller<Principal>,
    record: CallRecord<Principal>,
  ): AsyncGenerator<unknown> {
    try {
      yield* pieces
    } catch (error) {
      if (record.isTold)
        this.#tell(operation, caller, record, failureOf(error, this.#errors, caller.requestId))
      throw error
    }
  }

  /** A log that fails must not fail the call that it is about. */
  #tell(
    operation: string | undefined,
    { protocol, requestId }: Caller<Principal>,
    record: CallRecord<Principal>,
    failure?: Failure,
  ): void {
    record.isTold = true
    const { onCall } = this.#options
    if (onCall === undefined) return
    const { start, principal, warning } = record
    const event: CallEvent<Principal> = {
      operation,
      protocol,
      requestId,
      principal,
      durationMs: performance.now() - start,
      ...(warning !== undefined && { warning }),
      ...(failure !== undefined && { code: failure.problem.code }),
      ...(failure?.error !== undefined && { error: failure.error }),
    }
    try {
      const told: unknown = onCall(event)
      if (told instanceof Promise) told.catch(ignore)
    } catch {}
  }
}

/** What there is to tell of a call when it is over. */
interface CallRecord<Principal> {
  /** Of the process's monotonic clock, in milliseconds. */
  readonly start: number
  principal?: Principal | undefined
  warning?: string
  /** Of its outcome. */
  isTold?: boolean
}

/** Params as a handler sees them: valid, defaults filled in, datetimes in UTC. Throws `validation_failed`. */
function checkedParams(
  { operation, validators }: Procedure,
  bound: Bound,
  timezone: string | undefined,
): unknown {
  const { binaries } = operation
  const given = binaries === undefined ? bound.params : decodeBinaries(bound.params, binaries)
  const valid = validators.params(given)
  if (!valid || timezone === undefined || bound.violations.length > 0) {
    const read = timezone === undefined ? [unknownTimezone(), ...bound.violations] : bound.violations
    const violations = valid ? read : violationsOf(validators.params, read)
    throw new ProblemError('validation_failed', { violations: violations.slice(0, MAX_VIOLATIONS) })
  }
  const graph = operation.datetimes.params
  if (graph === undefined) return given
  const violations: Violation[] = []
  const params = mapDatetimes(
    given,
    graph,
    (text) => toUtc(text, timezone),
    (path, text) => {
      if (parseDatetime(text) !== undefined) violations.push(outOfRange(path))
    },
  )
  if (violations.length > 0) throw new ProblemError('validation_failed', { violations })
  return params
}

class CallContext<Principal> implements Context<Principal | undefined> {
  readonly principal: Principal | undefined
  readonly operation: string
  readonly timezone: string
  readonly protocol: Protocol
  readonly requestId: string
  readonly #caller: Caller<Principal>
  readonly #rest: RestBinding
  /** What has been said of the answer; undefined while nothing has. */
  said: HandlerReply | undefined

  constructor(
    principal: Principal | undefined,
    { name, rest }: Operation,
    timezone: string,
    caller: Caller<Principal>,
  ) {
    this.principal = principal
    this.operation = name
    this.timezone = timezone
    this.protocol = caller.protocol
    this.requestId = caller.requestId
    this.#caller = caller
    this.#rest = rest
  }

  get reply(): HandlerReply {
    this.said ??= new HandlerReply(this.#rest.statuses ?? [this.#rest.status])
    return this.said
  }

  /** Asked for by few handlers, and made only then. */
  get signal(): AbortSignal {
    return this.#caller.signal
  }
}

function ignore(): void {}
