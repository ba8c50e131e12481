import { type Bound, NO_VIOLATIONS, takeTimezone } from '../../contract/bound.js'
import { ProblemError } from '../../contract/problem.js'
import type { Violation } from '../../contract/problem-details.js'
import { isJsonObject } from '../../values/object.js'
import type { InexactNumbers } from './numbers.js'

export type Id = string | number | null

/** One request object (JSON-RPC 2.0, section 4). */
export interface Envelope {
  /** Undefined: a notification, which has no response. */
  readonly id: Id | undefined
  readonly method: string
  readonly params: unknown
  /** Numbers in the params that a double does not hold. */
  readonly inexact: readonly Violation[]
}

/** An invalid request object, and the id for the response. */
export interface InvalidEnvelope {
  readonly id: Id
  readonly refusal: ProblemError
}

/**
 * Reads one request object; `inexact` are its numbers that a double does not hold. A refusal also repeats a
 * readable id, so that the caller knows which call failed.
 */
export function readEnvelope(
  value: unknown,
  inexact: InexactNumbers | undefined,
): Envelope | InvalidEnvelope {
  if (!isJsonObject(value)) return { id: null, refusal: invalid('A request must be an object.') }
  const { jsonrpc, method, params } = value
  const id = Object.hasOwn(value, 'id') ? value.id : undefined
  if (!isId(id)) return { id: null, refusal: invalid('`id` must be a string, a number or null.') }
  // The response must repeat the id.
  if (typeof id === 'string' && id.length > MAX_ID)
    return { id: null, refusal: invalid(`\`id\` may have at most ${MAX_ID} characters.`) }
  if (inexact?.id !== undefined) return { id: null, refusal: invalid(`\`id\` ${inexact.id.message}.`) }
  if (jsonrpc !== '2.0') return { id: id ?? null, refusal: invalid('`jsonrpc` must be "2.0".') }
  if (typeof method !== 'string') return { id: id ?? null, refusal: invalid('`method` must be a string.') }
  if (params !== undefined && (typeof params !== 'object' || params === null)) {
    return { id: id ?? null, refusal: invalid('`params` must be an object.') }
  }
  return { id, method, params, inexact: inexact?.params ?? NO_VIOLATIONS }
}

/** The params of a call. Throws `validation_failed` for positional params. */
export function bindParams({ params = {}, inexact: violations }: Envelope): Bound {
  if (!isJsonObject(params)) {
    throw new ProblemError('validation_failed', {
      detail: 'Send params by name: an object, not an array.',
      violations: [{ path: '', keyword: 'type', message: 'must be object' }],
    })
  }
  return { timezone: takeTimezone(params), params, violations }
}

/** Longest id, in characters. The response repeats it, and no client needs more to tell its calls apart. */
const MAX_ID = 256

function isId(id: unknown): id is Id | undefined {
  return id === undefined || id === null || typeof id === 'string' || typeof id === 'number'
}

function invalid(detail: string): ProblemError {
  return new ProblemError('invalid_request', { detail })
}
