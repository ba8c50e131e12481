import type { JsonObject } from '../values/object.js'
import type { Violation } from './problem-details.js'

/** One call's params as a protocol read them, before validation. */
export interface Bound {
  /** Nobody else holds it: validation fills in defaults in place. */
  readonly params: JsonObject
  /** What the caller sent as `__tz`, of whatever type; undefined where it sent none. */
  readonly timezone: unknown
  /** What only reading shows: numbers that a double rounds, params sent twice. */
  readonly violations: readonly Violation[]
}

export const NO_VIOLATIONS: readonly Violation[] = []

/** Takes `__tz` out of params: it goes with every call and stands in no params schema (seed section 1). */
export function takeTimezone(params: JsonObject): unknown {
  if (!Object.hasOwn(params, '__tz')) return undefined
  const timezone = params.__tz
  delete params.__tz
  return timezone
}
