import { ProblemError } from '@duet/runtime'

/** What limits a principal: the id of the user's Reseller, or null for a user who has none. */
export interface Scope {
  readonly resellerId: number | null
}

/**
 * The `$n` value of the reseller condition that every statement on a limited entity carries:
 * `($n::bigint is null or reseller_id = $n::bigint)` (seed section 5, Reseller enforcement).
 * @throws ProblemError `unauthenticated` where there is no principal at all
 */
export function scopeValue(scope: Scope | undefined): string | null {
  const resellerId = scope?.resellerId
  if (resellerId === undefined) throw new ProblemError('unauthenticated')
  return resellerId === null ? null : String(resellerId)
}
