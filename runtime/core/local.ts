import type { CallOptions } from './api.js'
import { type Bound, NO_VIOLATIONS, takeTimezone } from './bound.js'
import type { Caller, Dispatcher } from './dispatch.js'
import { parseJson } from './json.js'
import { isJsonObject } from './object.js'
import { ProblemError } from './problem.js'
import type { Procedure } from './procedure.js'
import { requestIdOf } from './request-id.js'

/**
 * Calls an operation in process. Throws a ProblemError whose `problem` is what a remote caller would have
 * got; its `cause` is the unexpected error behind an `internal_error`.
 */
export async function callLocally<Principal>(
  dispatcher: Dispatcher<Principal>,
  procedure: Procedure | undefined,
  params: unknown,
  options: CallOptions<Principal>,
): Promise<unknown> {
  const caller = new LocalCaller(options)
  const outcome =
    procedure === undefined
      ? dispatcher.refuse(new ProblemError('unknown_operation'), caller)
      : await dispatcher.dispatch(procedure, caller, () => bindCopy(params, options.timezone), asItIs)
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

  /** Trusted as given; but a secured operation needs one. */
  principal({ secured }: Procedure): Principal | undefined {
    const { principal } = this.#options
    if (secured && (principal === undefined || principal === null)) throw new ProblemError('unauthenticated')
    return principal
  }
}

/** A copy as a remote caller would have sent it, for validation to fill its defaults into. */
function bindCopy(params: unknown = {}, timezone: string | undefined): Bound {
  const { value } = parseJson(jsonOf(params))
  if (!isJsonObject(value)) {
    throw new ProblemError('validation_failed', {
      violations: [{ path: '', keyword: 'type', message: 'must be object' }],
    })
  }
  const sent = takeTimezone(value)
  return { params: value, timezone: timezone ?? sent, violations: NO_VIOLATIONS }
}

function jsonOf(params: unknown): string {
  try {
    return JSON.stringify(params) ?? 'null'
  } catch (cause) {
    throw new ProblemError('validation_failed', { detail: 'The params are not JSON.', cause })
  }
}

function asItIs(result: unknown): unknown {
  return result
}
