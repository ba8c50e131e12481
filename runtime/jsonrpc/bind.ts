import { type Bound, NO_VIOLATIONS, takeTimezone } from '../core/bound.js'
import { isJsonObject } from '../core/object.js'
import { ProblemError } from '../core/problem.js'
import { inexact } from '../core/violations.js'

export type Id = string | number | null

/** One request object (JSON-RPC 2.0, section 4). */
export interface Envelope {
  /** Undefined: a notification, which is never answered. */
  readonly id: Id | undefined
  readonly method: string
  readonly params: unknown
  /** JSON pointers into the params of numbers that a double does not hold. */
  readonly inexact: readonly string[]
}

/** What is no request object, and the id that its answer goes to. */
export interface InvalidEnvelope {
  readonly id: Id
  readonly refusal: ProblemError
}

/**
 * Reads one request object. `pointer` is where it stands in the body: empty, or its place in the batch;
 * `inexact` are the pointers of the whole body. An id that can be read is echoed even by a refusal, so that
 * the caller knows which of its calls went wrong.
 */
export function readEnvelope(
  value: unknown,
  pointer: string,
  inexact: readonly string[],
): Envelope | InvalidEnvelope {
  if (!isJsonObject(value)) return { id: null, refusal: invalid('A request must be an object.') }
  const { jsonrpc, method, params } = value
  const id = Object.hasOwn(value, 'id') ? value.id : undefined
  if (!isId(id)) return { id: null, refusal: invalid('`id` must be a string, a number or null.') }
  if (inexact.length > 0 && inexact.includes(`${pointer}/id`)) {
    return { id: null, refusal: invalid('`id` must be a number that a double holds exactly.') }
  }
  if (jsonrpc !== '2.0') return { id: id ?? null, refusal: invalid('`jsonrpc` must be "2.0".') }
  if (typeof method !== 'string') return { id: id ?? null, refusal: invalid('`method` must be a string.') }
  if (params !== undefined && (typeof params !== 'object' || params === null)) {
    return { id: id ?? null, refusal: invalid('`params` must be an object.') }
  }
  return { id, method, params, inexact: inexact.length === 0 ? inexact : below(`${pointer}/params`, inexact) }
}

/** The params of a call. Throws `validation_failed` for params by position. */
export function bindParams({ params = {}, inexact: pointers }: Envelope): Bound {
  if (!isJsonObject(params)) {
    throw new ProblemError('validation_failed', {
      detail: 'Params go by name: send an object with the names of the params, not an array.',
      violations: [{ path: '', keyword: 'type', message: 'must be object' }],
    })
  }
  const violations = pointers.length === 0 ? NO_VIOLATIONS : pointers.map(inexact)
  return { timezone: takeTimezone(params), params, violations }
}

function isId(id: unknown): id is Id | undefined {
  return id === undefined || id === null || typeof id === 'string' || typeof id === 'number'
}

function invalid(detail: string): ProblemError {
  return new ProblemError('invalid_request', { detail })
}

function below(prefix: string, pointers: readonly string[]): readonly string[] {
  return pointers.filter((each) => each.startsWith(`${prefix}/`)).map((each) => each.slice(prefix.length))
}
