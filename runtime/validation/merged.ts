import type { ValidatorError } from '../contract/contract.js'
import { MAX_VIOLATIONS } from '../contract/violations.js'

/**
 * The errors of a validator and those of one that it has called, in the first list: as many as are told, and of each call at
 * least one, since to have more errors than before is to have failed.
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
