import { decodeBinaries } from '../contract/binaries.js'
import type { Bound } from '../contract/bound.js'
import { nativeInt64 } from '../contract/int64.js'
import type { DatetimeGraph } from '../contract/operation.js'
import { ProblemError } from '../contract/problem.js'
import type { Violation } from '../contract/problem-details.js'
import { mapDatetimes } from '../contract/time/datetimes.js'
import { toUtc } from '../contract/time/timezone.js'
import { MAX_VIOLATIONS, outOfRange, report, unknownTimezone, violationsOf } from '../contract/violations.js'
import { parseDatetime } from '../values/datetime.js'
import type { Procedure } from './procedure.js'

/**
 * Params as a handler receives them: valid, with defaults, datetimes in UTC, int64 integers in the configured
 * type.
 *
 * @throws ProblemError `validation_failed`
 */
export function checkedParams(
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
  const params =
    operation.datetimes.params === undefined ? given : inUtc(given, operation.datetimes.params, timezone)
  const { int64 } = operation
  return int64 === undefined ? params : nativeInt64(params, int64.as, int64.params)
}

/**
 * Params with their datetimes in UTC; those that are in UTC already stay.
 *
 * @throws ProblemError `validation_failed` for a datetime outside the years 0 to 9999
 */
export function inUtc(given: unknown, graph: DatetimeGraph, timezone: string): unknown {
  const violations: Violation[] = []
  const params = mapDatetimes(
    given,
    graph,
    (text) => toUtc(text, timezone),
    (path, text) => {
      if (parseDatetime(text) !== undefined) report(violations, outOfRange(path))
    },
  )
  if (violations.length > 0) throw new ProblemError('validation_failed', { violations })
  return params
}
