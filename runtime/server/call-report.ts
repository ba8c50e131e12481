import { type LogDetails, type Logger, loggerOf } from '../contract/logger.js'
import type { ApiOptions, CallEvent } from './api/options.js'
import type { CallOrigin } from './call-context.js'
import type { Failure } from './outcome/outcome.js'
import type { Procedure } from './procedure.js'

/** What the reports of a call need. */
export interface CallRecord<Principal> {
  /** Of the process's monotonic clock, in milliseconds. */
  readonly start: number
  principal: Principal | undefined
  /** The caller that the handler has named. */
  identified: Principal | undefined
  /** What the watcher keeps of a call whose params are valid. */
  accepted: unknown
  /** The value that `around` passed to the handler. */
  state: unknown
  warning: string | undefined
  /** Whether the outcome has been reported. */
  isReported: boolean
}

/** The call that a line of the log describes. */
interface About {
  /** Undefined: the request matched no known operation. */
  readonly procedure: Procedure | undefined
  readonly caller: CallOrigin
}

/** Reports calls to the log and to `onCall`. */
export class CallReports<Principal> {
  readonly #onCall: ((event: CallEvent<Principal>) => void) | undefined
  readonly #logger: Logger | undefined
  readonly #version: string

  constructor(
    { logger, onCall }: Pick<ApiOptions<unknown, Principal>, 'logger' | 'onCall'>,
    version: string,
  ) {
    this.#version = version
    this.#onCall = onCall
    this.#logger = loggerOf(logger)
  }

  /** Starts the record of a call. Only `onCall` needs the time. */
  begin(): CallRecord<Principal> {
    const start = this.#onCall === undefined ? 0 : performance.now()
    return {
      start,
      principal: undefined,
      identified: undefined,
      accepted: undefined,
      state: undefined,
      warning: undefined,
      isReported: false,
    }
  }

  /** Reports how a call ended, or how the stream of its response failed. */
  end(
    procedure: Procedure | undefined,
    caller: CallOrigin,
    record: CallRecord<Principal>,
    failure?: Failure,
  ): void {
    const { isReported, warning } = record
    record.isReported = true
    if (failure?.error !== undefined && !isAbort(failure.error, caller.signal)) {
      const message = isReported ? 'A stream broke off' : 'A call failed'
      this.log({ procedure, caller }, 'error', message, failure.error)
    }
    if (warning !== undefined && !isReported) this.log({ procedure, caller }, 'warn', warning)
    if (this.#onCall !== undefined) this.#notify(this.#onCall, { procedure, caller }, record, failure)
  }

  /** A log that fails must not fail the call. */
  log({ procedure, caller }: About, level: keyof Logger, message: string, err?: unknown): void {
    const { protocol, requestId } = caller
    const details: LogDetails = {
      ...(procedure !== undefined && { operation: procedure.operation.name }),
      ...procedure?.origin,
      ...{ protocol, requestId },
      ...(err !== undefined && { err }),
    }
    try {
      this.#logger?.[level](details, message)
    } catch {}
  }

  #notify(
    onCall: (event: CallEvent<Principal>) => void,
    about: About,
    { start, principal, identified, warning }: CallRecord<Principal>,
    failure: Failure | undefined,
  ): void {
    const { procedure, caller } = about
    const { protocol, requestId, request } = caller
    const event: CallEvent<Principal> = {
      operation: procedure?.operation.name,
      version: this.#version,
      protocol,
      requestId,
      principal: identified ?? principal,
      durationMs: performance.now() - start,
      ...(request !== undefined && { request }),
      ...(warning !== undefined && { warning }),
      ...(failure !== undefined && { code: failure.problem.code }),
      ...(failure?.error !== undefined && { error: failure.error }),
    }
    try {
      const returned: unknown = onCall(event)
      if (returned instanceof Promise)
        returned.catch((error) => this.log(about, 'error', 'onCall failed', error))
    } catch (error) {
      this.log(about, 'error', 'onCall failed', error)
    }
  }
}

/** Whether a handler threw because its caller disconnected, which is not a fault. */
function isAbort(error: unknown, { aborted, reason }: AbortSignal): boolean {
  return aborted && (error === reason || (error instanceof Error && error.name === 'AbortError'))
}
