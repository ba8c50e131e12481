import { isPieces } from './answer.js'
import type { ApiOptions, Call, CallEvent } from './api.js'
import type { Bound } from './bound.js'
import { CallContext, type CallOrigin } from './call-context.js'
import { builtInErrors, type ErrorCatalogue } from './catalogue.js'
import { checkedParams } from './checked-params.js'
import { checkedResult, checkedText, outgoing } from './checked-result.js'
import { Deadline } from './deadline.js'
import { writtenErrorBody } from './error-body.js'
import { type Eventual, whenKnown } from './eventual.js'
import { jsonLogger, type LogDetails, type Logger } from './logger.js'
import type { Operation } from './operation.js'
import { type Failure, failureOf, type Outcome, type Success } from './outcome.js'
import { countingSteps } from './pattern-account.js'
import { type Problem, ProblemError } from './problem.js'
import type { Procedure } from './procedure.js'
import type { HandlerReply } from './reply.js'
import { createTelemetry } from './telemetry.js'
import { timezoneNamed } from './timezone.js'

/** Who makes a call, and how: an HTTP exchange, or a program in process. */
export interface Caller<Principal> extends CallOrigin {
  /** The principal, undefined for an operation open to all. Throws ProblemErrors. */
  principal(procedure: Procedure): Eventual<Principal | undefined>
  /** Is told what a call failed with before that is answered. */
  failed(failure: Failure): void
  /** Runs work that waits for nothing, and counts its time as this caller's. */
  measured<Result>(work: () => Result): Result
}

/** What a protocol makes of a call's params and its result. What is there at once is no promise. */
export interface Encoding<Encoded> {
  /** Reads the params, once it is known who calls. */
  bind(): Eventual<Bound>
  /** Has the last word before the handler acts, once the params are valid. Throws ProblemErrors. */
  admit?(): void
  /**
   * Makes of a result what is sent, beside what the handler has said of the answer. What it throws is a failure like
   * any other.
   */
  encode(result: unknown, procedure: Procedure, reply: HandlerReply | undefined): Eventual<Encoded>
  /** The same of a result whose JSON text is known; absent where the value alone is wanted. */
  encodeText?(text: string, result: unknown, reply: HandlerReply | undefined): Encoded
}

/** Runs calls of one api, whatever the protocol. */
export class Dispatcher<Principal> {
  readonly #options: ApiOptions<unknown, Principal>
  readonly #errors: ErrorCatalogue
  readonly #systemTimezone: string
  readonly #callMs: number | undefined
  readonly #logger: Logger | undefined
  readonly telemetry = createTelemetry()

  /** Throws an Error for a system time zone that is none. */
  constructor(options: ApiOptions<unknown, Principal>, errors: ErrorCatalogue, callMs?: number) {
    const { systemTimezone = 'UTC' } = options
    if (timezoneNamed(systemTimezone) === undefined) {
      throw new Error(`systemTimezone is ${JSON.stringify(systemTimezone)}, which is no IANA time zone name`)
    }
    this.#options = options
    this.#errors = errors
    this.#callMs = callMs
    this.#logger = options.logger === false ? undefined : (options.logger ?? jsonLogger)
    this.#systemTimezone = systemTimezone
  }

  /**
   * One call from its authentication to its result, without a promise where nothing has to be waited for. Never
   * throws: every failure is an outcome.
   *
   * @param deadline that of all calls of a batch; past it the call is not begun
   */
  dispatch<Encoded>(
    procedure: Procedure,
    caller: Caller<Principal>,
    encoding: Encoding<Encoded>,
    deadline = this.deadline(),
  ): Eventual<Outcome<Encoded>> {
    if (this.telemetry === undefined) return this.#dispatch(procedure, caller, encoding, deadline)
    return this.telemetry.call(procedure.operation, caller, () =>
      this.#dispatch(procedure, caller, encoding, deadline),
    )
  }

  #dispatch<Encoded>(
    procedure: Procedure,
    caller: Caller<Principal>,
    encoding: Encoding<Encoded>,
    deadline: Deadline | undefined,
  ): Eventual<Outcome<Encoded>> {
    const record: CallRecord<Principal> = { start: this.#now(), principal: undefined }
    const failed = (error: unknown): Failure => {
      const failure = this.#failure(error, caller, procedure)
      record.warning ??= undeclared(procedure.operation, failure)
      this.#tell(procedure.operation.name, caller, record, failure)
      return failure
    }
    const run = () =>
      whenKnown(encoding.bind(), (bound) =>
        caller.measured(() => this.#run(procedure, caller, record, deadline, bound, encoding)),
      )
    const { around } = this.#options
    try {
      deadline?.begin()
      const principal = caller.principal(procedure)
      const ended = whenKnown(
        deadline?.within(principal) ?? principal,
        (known): Eventual<Success<Encoded>> => {
          record.principal = known
          return around === undefined
            ? caller.measured(run)
            : around(callOf(procedure, caller, record), async (state) => {
                record.state = state
                return caller.measured(run)
              })
        },
      )
      const told = (outcome: Success<Encoded>): Success<Encoded> => {
        this.#tell(procedure.operation.name, caller, record)
        return outcome
      }
      return ended instanceof Promise ? ended.then(told).catch(failed) : told(ended)
    } catch (error) {
      return failed(error)
    }
  }

  /** The time that calls have which begin now; undefined: as long as they like. */
  deadline(): Deadline | undefined {
    return this.#callMs === undefined ? undefined : new Deadline(this.#callMs)
  }

  /** The outcome of a call that never reached an operation. */
  refuse(error: unknown, caller: Caller<Principal>): Failure {
    const failure = this.#failure(error, caller)
    this.#tell(undefined, caller, { start: this.#now(), principal: undefined }, failure)
    return failure
  }

  #failure(error: unknown, caller: Caller<Principal>, procedure?: Procedure): Failure {
    const failure = failureOf(error, this.#errors, caller.requestId)
    caller.failed(failure)
    const { errors } = this.#options
    if (errors === undefined) return failure
    const bodyOf = (problem: Problem) => {
      try {
        return writtenErrorBody(errors, problem, procedure)
      } catch (error) {
        const operation = procedure?.operation.name
        this.#log(
          { operation, caller },
          'error',
          'The option errors gave no valid body, so the caller received the problem',
          error,
        )
        return undefined
      }
    }
    return { ...failure, bodyOf }
  }

  #run<Encoded>(
    procedure: Procedure,
    caller: Caller<Principal>,
    record: CallRecord<Principal>,
    deadline: Deadline | undefined,
    bound: Bound,
    encoding: Encoding<Encoded>,
  ): Eventual<Success<Encoded>> {
    const { handle, operation } = procedure
    const timezone = this.#timezone(record, bound)
    const params = countingSteps(() => checkedParams(procedure, bound, timezone))
    if (handle === undefined) throw new ProblemError('not_implemented')
    encoding.admit?.()
    const zone = timezone ?? this.#systemTimezone
    const context = new CallContext(record, operation, zone, caller, deadline)
    const handled = handle(params, context)
    return whenKnown(deadline?.within(handled) ?? handled, (result = null) => {
      const text = caller.measured(() => this.#encoded(procedure, caller, record, result, context, encoding))
      return whenKnown(text, (encoded) => ({ result: encoded, reply: context.said }))
    })
  }

  #encoded<Encoded>(
    procedure: Procedure,
    caller: Caller<Principal>,
    record: CallRecord<Principal>,
    result: unknown,
    { timezone, said }: CallContext<Principal>,
    encoding: Encoding<Encoded>,
  ): Eventual<Encoded> {
    const { rest, name } = procedure.operation
    if (encoding.encodeText !== undefined && procedure.validators.text !== undefined) {
      const answer = outgoing(result, procedure.operation, 'result', timezone)
      const text = checkedText(procedure.validators, answer)
      if (text !== undefined) return encoding.encodeText(text, answer, said)
    }
    const validates = this.#options.validateResponses !== false
    const checked = checkedResult(procedure, result, timezone, validates)
    const isStream = rest.answers !== undefined && isPieces(checked)
    const sent = isStream ? this.#told(checked, name, caller, record) : checked
    return encoding.encode(sent, procedure, said)
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

  /** Calls are timed for those that are told of them. */
  #now(): number {
    return this.#options.onCall === undefined ? 0 : performance.now()
  }

  #tell(
    operation: string | undefined,
    caller: Caller<Principal>,
    record: CallRecord<Principal>,
    failure?: Failure,
  ): void {
    const about = { operation, caller }
    if (failure?.error !== undefined && !isAbort(failure.error, caller.signal))
      this.#log(
        about,
        'error',
        record.isTold === true ? 'A stream broke off' : 'A call failed',
        failure.error,
      )
    if (record.warning !== undefined && record.isTold !== true) this.#log(about, 'warn', record.warning)
    record.isTold = true
    const { protocol, requestId, request } = caller
    const { onCall } = this.#options
    if (onCall === undefined) return
    const { start, principal, warning } = record
    const event: CallEvent<Principal> = {
      operation,
      protocol,
      requestId,
      principal,
      durationMs: performance.now() - start,
      ...(request !== undefined && { request }),
      ...(warning !== undefined && { warning }),
      ...(failure !== undefined && { code: failure.problem.code }),
      ...(failure?.error !== undefined && { error: failure.error }),
    }
    try {
      const told: unknown = onCall(event)
      if (told instanceof Promise) told.catch((error) => this.#log(about, 'error', 'onCall failed', error))
    } catch (error) {
      this.#log(about, 'error', 'onCall failed', error)
    }
  }

  /** Logs that an answer could not be sent, or not to its end. */
  logLost(error: unknown, caller: Caller<Principal>): void {
    this.#log({ operation: undefined, caller }, 'error', 'An answer could not be sent', error)
  }

  /** A log that fails must not fail the call that it is about. */
  #log(
    { operation, caller: { protocol, requestId } }: About<Principal>,
    level: keyof Logger,
    message: string,
    err?: unknown,
  ): void {
    const details: LogDetails = {
      ...(operation !== undefined && { operation }),
      ...{ protocol, requestId },
      ...(err !== undefined && { err }),
    }
    try {
      this.#logger?.[level](details, message)
    } catch {}
  }
}

/** What a line of the log is about. */
interface About<Principal> {
  /** Undefined: the request named no known operation. */
  readonly operation: string | undefined
  readonly caller: Caller<Principal>
}

/** What there is to tell of a call when it is over. */
interface CallRecord<Principal> {
  /** Of the process's monotonic clock, in milliseconds. */
  readonly start: number
  principal: Principal | undefined
  /** What `around` has given to the handler. */
  state?: unknown
  warning?: string | undefined
  /** Of its outcome. */
  isTold?: boolean
}

function callOf<Principal>(
  { operation: { name } }: Procedure,
  { protocol, requestId, request }: Caller<Principal>,
  { principal }: CallRecord<Principal>,
): Call<Principal> {
  return { operation: name, protocol, requestId, principal, request }
}

/** Callers only expect what the document declares; the built-in codes any service may answer with. */
function undeclared({ name, errors }: Operation, { problem }: Failure): string | undefined {
  const { code } = problem
  if (Object.hasOwn(builtInErrors, code) || errors.includes(code)) return undefined
  return `${name} answered ${code}, which the document does not declare for it`
}

/** What a handler throws because its caller has gone is no fault. */
function isAbort(error: unknown, { aborted, reason }: AbortSignal): boolean {
  return aborted && (error === reason || (error instanceof Error && error.name === 'AbortError'))
}
