import type { JsonObject } from '../values/object.js'
import type { Violation } from './problem-details.js'

/** One call's params as a protocol read them, before validation. */
export interface Bound {
  /** Validation fills in defaults in place, so the params must not be shared. */
  readonly params: JsonObject
  /** The caller's `__tz`, of any type; undefined if there is none. */
  readonly timezone: unknown
  /** Violations that only the reader sees: numbers that a double rounds, params sent twice. */
  readonly violations: readonly Violation[]
}

export const NO_VIOLATIONS: readonly Violation[] = []

/**
 * Removes `__tz` from params and returns it: every call accepts it, and no params schema declares it (seed
 * section 1).
 */
export function takeTimezone(params: JsonObject): unknown {
  if (!Object.hasOwn(params, '__tz')) return undefined
  const timezone = params.__tz
  delete params.__tz
  return timezone
}
