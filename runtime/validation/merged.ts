import type { ValidatorError } from '../contract/contract.js'
import { MAX_VIOLATIONS } from '../contract/violations.js'

/**
 * Appends a called validator's errors to a validator's own, up to the limit of reported errors but at least
 * one per call: the caller detects a failure by a longer list.
 */
export function merged(
  errors: ValidatorError[] | null,
  more: readonly ValidatorError[],
): readonly ValidatorError[] {
  if (errors === null) return more.length <= MAX_VIOLATIONS ? more : more.slice(0, MAX_VIOLATIONS)
  const room = Math.max(1, MAX_VIOLATIONS - errors.length)
  for (let i = 0; i < more.length && i < room; i++) {
    const error = more[i]
    if (error !== undefined) errors.push(error)
  }
  return errors
}
