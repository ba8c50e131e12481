import type { Bound } from '../contract/bound.js'
import { builtInErrors, type ErrorCatalogue } from '../contract/catalogue.js'
import type { Operation } from '../contract/operation.js'
import { ProblemError } from '../contract/problem.js'
import type { Problem } from '../contract/problem-details.js'
import type { HandlerReply } from '../contract/reply.js'
import { timezoneNamed } from '../contract/time/timezone.js'
import { countingSteps } from '../patterns/pattern-account.js'
import { type Eventual, whenKnown } from '../values/eventual.js'
import type { Limits } from './api/limits.js'
import type { ApiOptions, Call } from './api/options.js'
import { CallContext, type CallOrigin } from './call-context.js'
import { type CallRecord, CallReports } from './call-report.js'
import { checkedParams } from './checked-params.js'
import { Deadline, TimeLimitError } from './deadline.js'
import { writtenErrorBody } from './outcome/error-body.js'
import { type Failure, failureOf, type Outcome, type Success } from './outcome/outcome.js'
import type { Procedure } from './procedure.js'
import { checkedResult, checkedText, outgoing } from './result/checked-result.js'
import { collectable } from './result/collectable.js'
import { isPieces } from './result/media-result.js'
import { StreamLimit } from './stream-limit.js'
import { createTelemetry } from './telemetry.js'

/** The caller: an HTTP exchange, or a program in process. */
export interface Caller<Principal> extends CallOrigin {
  /** The principal, undefined for a public operation. Throws ProblemErrors. */
  principal(procedure: Procedure): Eventual<Principal | undefined>
  /** Receives a call's failure before the response is sent. */
  failed(failure: Failure): void
  /** Runs synchronous work, and counts its time as this caller's. */
  measured<Result>(work: () => Result): Result
}

/** How a protocol reads a call's params and writes its result. Synchronous values need no promise. */
export interface Encoding<Encoded> {
  /** Whether pieces of a result are sent as they come. Absent: they are collected, which is part of the call. */
  readonly sendsPieces?: boolean
  /** Reads the params, once the caller is authenticated. */
  bind(): Eventual<Bound>
  /** The last check before the handler runs, once the params are valid. Throws ProblemErrors. */
  admit?(): void
  /**
   * Turns a result, and the handler's reply, into what is sent. Errors that this throws are failures of the
   * call.
   */
  encode(result: unknown, procedure: Procedure, reply: HandlerReply | undefined): Eventual<Encoded>
  /** The same for a result whose JSON text is known. Absent: the protocol needs the value. */
  encodeText?(text: string, result: unknown, reply: HandlerReply | undefined): Encoded
}

/** Sees the calls whose params are valid. */
export interface Watcher<Principal> {
  /**
   * Sees a call before its params are validated, which fills in defaults. Undefined, or what to give to `accepted`.
   */
  bound(operation: Operation, caller: CallOrigin, bound: Bound): unknown
  /** Sees a call that the handler is about to receive. Undefined, or what to give to `ended`. */
  accepted(operation: Operation, caller: CallOrigin, seen: unknown): unknown
  /** Sees the end of an accepted call, whose handler may have named its caller. */
  ended(accepted: unknown, principal: Principal | undefined): void
}

/** Runs calls of one api, for every protocol. */
export class Dispatcher<Principal> {
  readonly #options: ApiOptions<unknown, Principal>
  readonly #errors: ErrorCatalogue
  readonly #systemTimezone: string
  readonly #limits: DispatchLimits
  readonly #version: string
  readonly #reports: CallReports<Principal>
  readonly #watcher: Watcher<Principal> | undefined
  readonly telemetry = createTelemetry()

  /** Throws an Error for an unknown system time zone. */
  constructor(
    options: ApiOptions<unknown, Principal>,
    errors: ErrorCatalogue,
    version: string,
    limits: DispatchLimits = {},
    watcher?: Watcher<Principal>,
  ) {
    const { systemTimezone = 'UTC' } = options
    if (timezoneNamed(systemTimezone) === undefined) {
      throw new Error(
        `systemTimezone is ${JSON.stringify(systemTimezone)}, which is not an IANA time zone name`,
      )
    }
    this.#options = options
    this.#errors = errors
    this.#limits = limits
    this.#version = version
    this.#watcher = watcher
    this.#reports = new CallReports(options, version)
    this.#systemTimezone = systemTimezone
  }

  /**
   * Runs one call, from authentication to its result. Synchronous if nothing is asynchronous. Never throws:
   * every failure is an outcome.
   *
   * @param deadline the limit of all calls of a batch; after it the call does not begin
   */
  dispatch<Encoded>(
    procedure: Procedure,
    caller: Caller<Principal>,
    encoding: Encoding<Encoded>,
    deadline = this.deadline(),
  ): Eventual<Outcome<Encoded>> {
    const call = { procedure, caller, encoding, deadline, record: this.#reports.begin() }
    if (this.telemetry === undefined) return this.#dispatch(call)
    return this.telemetry.call(procedure.operation, caller, () => this.#dispatch(call))
  }

  #dispatch<Encoded>(call: Running<Principal, Encoded>): Eventual<Outcome<Encoded>> {
    const { procedure, caller, deadline } = call
    try {
      deadline?.begin()
      const principal = caller.principal(procedure)
      const ended = whenKnown(deadline?.within(principal) ?? principal, (known) => this.#called(call, known))
      if (!(ended instanceof Promise)) return this.#succeeded(call, ended)
      return ended.then(
        (success) => this.#succeeded(call, success),
        (error) => this.#failed(call, error),
      )
    } catch (error) {
      return this.#failed(call, error)
    }
  }

  #called<Encoded>(
    call: Running<Principal, Encoded>,
    principal: Principal | undefined,
  ): Eventual<Success<Encoded>> {
    const { procedure, caller, record } = call
    const { around } = this.#options
    record.principal = principal
    if (around === undefined) return caller.measured(() => this.#bound(call))
    const given = new Set<unknown>()
    const returned = around(callOf(procedure, this.#version, caller, record), async (state) => {
      record.state = state
      const bound = caller.measured(() => this.#bound(call))
      return whenKnown(bound, (success) => {
        given.add(success)
        return success
      })
    })
    return whenKnown(returned, (success) => {
      if (given.has(success)) return success
      throw new Error(`around of ${procedure.operation.name} must return what run() returns`)
    })
  }

  #bound<Encoded>(call: Running<Principal, Encoded>): Eventual<Success<Encoded>> {
    const { caller, encoding } = call
    const bound = encoding.bind()
    if (!(bound instanceof Promise)) return this.#run(call, bound)
    return bound.then((read) => caller.measured(() => this.#run(call, read)))
  }

  #run<Encoded>(call: Running<Principal, Encoded>, bound: Bound): Eventual<Success<Encoded>> {
    const { procedure, caller, record, deadline, encoding } = call
    const { handle, operation } = procedure
    const timezone = this.#timezone(record, bound)
    const seen = this.#watcher?.bound(operation, caller, bound)
    const params = countingSteps(() => checkedParams(procedure, bound, timezone))
    record.accepted = this.#watcher?.accepted(operation, caller, seen)
    if (handle === undefined) throw new ProblemError('not_implemented')
    encoding.admit?.()
    const zone = timezone ?? this.#systemTimezone
    const stream = this.#streamLimit(operation)
    const limits = [deadline, stream].filter((limit) => limit !== undefined)
    const context = new CallContext(record, operation, zone, caller, limits)
    const handled = handle(params, context)
    return whenKnown(deadline?.within(handled) ?? handled, (result = null) => {
      const encoded = caller.measured(() => this.#encoded(call, result, context, stream))
      return whenKnown(deadline?.within(encoded) ?? encoded, (known) => ({
        result: known,
        reply: context.usedReply,
      }))
    })
  }

  #encoded<Encoded>(
    call: Running<Principal, Encoded>,
    result: unknown,
    { timezone, usedReply }: CallContext<Principal>,
    stream: StreamLimit | undefined,
  ): Eventual<Encoded> {
    const { procedure, caller, encoding, deadline } = call
    const { operation } = procedure
    if (encoding.encodeText !== undefined && procedure.validators.text !== undefined) {
      const answer = outgoing(result, operation, 'result', timezone)
      const text = checkedText(procedure.validators, answer)
      if (text !== undefined) return encoding.encodeText(text, answer, usedReply)
    }
    const validates = this.#options.validateResponses !== false
    const checked = checkedResult(procedure, result, timezone, validates)
    if (operation.rest.answers === undefined || !isPieces(checked))
      return encoding.encode(checked, procedure, usedReply)
    const pieces = stream?.within(checked) ?? checked
    if (encoding.sendsPieces !== true)
      return encoding.encode(collectable(pieces, caller.signal, deadline), procedure, usedReply)
    deadline?.lift()
    return encoding.encode(this.#reportingFailure(call, pieces), procedure, usedReply)
  }

  #succeeded<Encoded>(
    { procedure, caller, record }: Running<Principal, Encoded>,
    success: Success<Encoded>,
  ): Success<Encoded> {
    this.#watchEnd(record)
    this.#reports.end(procedure, caller, record)
    return success
  }

  #watchEnd({ accepted, identified, principal }: CallRecord<Principal>): void {
    if (accepted !== undefined) this.#watcher?.ended(accepted, identified ?? principal)
  }

  #failed<Encoded>({ procedure, caller, record }: Running<Principal, Encoded>, error: unknown): Failure {
    const failure = this.#failure(error, caller, procedure)
    record.warning ??= undeclared(procedure.operation, failure)
    if (error instanceof TimeLimitError) {
      this.#reports.log({ procedure, caller }, 'warn', error.message)
    }
    this.#watchEnd(record)
    this.#reports.end(procedure, caller, record, failure)
    return failure
  }

  #streamLimit({ rest: { answers } }: Operation): StreamLimit | undefined {
    const { streamMs, streamIdleMs } = this.#limits
    if (answers === undefined || (streamMs ?? streamIdleMs) === undefined) return undefined
    return new StreamLimit({ streamMs, streamIdleMs })
  }

  /** What a failure in the middle of a stream becomes. It is reported where it happens. */
  failureInStream(error: unknown, caller: Caller<Principal>, procedure: Procedure): Failure {
    return this.#failure(error, caller, procedure)
  }

  /** The time limit of calls that begin now; undefined: none. */
  deadline(): Deadline | undefined {
    const { callMs } = this.#limits
    return callMs === undefined ? undefined : new Deadline(callMs)
  }

  /** The outcome of a call that never reached an operation. */
  refuse(error: unknown, caller: Caller<Principal>): Failure {
    const failure = this.#failure(error, caller)
    this.#reports.end(undefined, caller, this.#reports.begin(), failure)
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
        const about = { procedure, caller }
        const message = 'The option errors returned no valid body, so the caller received the problem'
        this.#reports.log(about, 'error', message, error)
        return undefined
      }
    }
    return { ...failure, bodyOf }
  }

  /** Seed section 1: `__tz`, else the user's zone, else the system's. Undefined: `__tz` is not a zone. */
  #timezone(record: CallRecord<Principal>, { timezone }: Bound): string | undefined {
    if (timezone !== undefined) return typeof timezone === 'string' ? timezoneNamed(timezone) : undefined
    const { principal } = record
    const own = principal === undefined ? undefined : this.#options.timezone?.(principal)
    if (own === undefined || own === null) return this.#systemTimezone
    const known = typeof own === 'string' ? timezoneNamed(own) : undefined
    // Not the caller's fault: time zone databases differ between nodes.
    if (known === undefined)
      record.warning = `The time zone of the principal is unknown: ${JSON.stringify(own)}`
    return known ?? this.#systemTimezone
  }

  /** Reports the failure of a stream when it happens: by then the call has succeeded. */
  async *#reportingFailure<Encoded>(
    { procedure, caller, record }: Running<Principal, Encoded>,
    pieces: AsyncIterable<unknown>,
  ): AsyncGenerator<unknown> {
    try {
      yield* pieces
    } catch (error) {
      if (record.isReported) {
        const failure = failureOf(error, this.#errors, caller.requestId)
        // Over REST the caller sees only a closed connection.
        if (failure.error === undefined) {
          const { code, detail = code } = failure.problem
          this.#reports.log({ procedure, caller }, 'warn', `A stream broke off: ${detail}`)
        }
        this.#reports.end(procedure, caller, record, failure)
      }
      throw error
    }
  }

  /** Logs a response that could not be sent, or not completely. */
  logLost(error: unknown, caller: Caller<Principal>): void {
    this.#reports.log({ procedure: undefined, caller }, 'error', 'A response could not be sent', error)
  }
}

type DispatchLimits = Partial<Pick<Limits, 'callMs' | 'streamIdleMs' | 'streamMs'>>

/** A call that has begun. */
interface Running<Principal, Encoded> {
  readonly procedure: Procedure
  readonly caller: Caller<Principal>
  readonly encoding: Encoding<Encoded>
  readonly deadline: Deadline | undefined
  readonly record: CallRecord<Principal>
}

function callOf<Principal>(
  { operation: { name } }: Procedure,
  version: string,
  { protocol, requestId, request }: Caller<Principal>,
  { principal }: CallRecord<Principal>,
): Call<Principal> {
  return { operation: name, version, protocol, requestId, principal, request }
}

/** Callers only expect codes that the document declares; built-in codes are always allowed. */
function undeclared({ name, errors }: Operation, { problem }: Failure): string | undefined {
  const { code } = problem
  if (Object.hasOwn(builtInErrors, code) || errors.includes(code)) return undefined
  return `${name} answered ${code}, which the document does not declare for it`
}
