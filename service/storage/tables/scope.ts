import { problem } from '../../problem.js'
import type { Queryable } from '../database/database.js'
import type { Condition } from './listing.js'

/** The scope of a principal: the id of the user's Reseller, or null for no limit. */
export interface Scope {
  readonly resellerId: number | null
}

/**
 * The `$n` value of the reseller condition in every statement on one row of a limited entity:
 * `($n::bigint is null or reseller_id = $n::bigint)` (seed section 5, Reseller enforcement).
 * @throws ProblemError `unauthenticated` without a principal
 */
export function scopeValue(scope: Scope | undefined): string | null {
  const resellerId = scope?.resellerId
  if (resellerId === undefined) throw problem('unauthenticated')
  return resellerId === null ? null : String(resellerId)
}

/**
 * The same condition for listings of a limited entity. Without a Reseller there is no condition: one plan must fit all
 * values of a parameter, and a plan that also fits null cannot use the index of a Reseller.
 * @throws ProblemError as above
 */
export function scopeConditions(scope: Scope | undefined): readonly Condition[] {
  const value = scopeValue(scope)
  return value === null ? [] : [{ sql: 'reseller_id = ?::bigint', value }]
}

/**
 * The database limited to the scope's Reseller by row-level security, as a second safeguard behind the conditions in
 * statements. Without a Reseller it returns the database unchanged.
 * @throws ProblemError as above
 */
export function within(database: Queryable, scope: Scope | undefined): Queryable {
  const reseller = scopeValue(scope)
  if (reseller === null) return database
  return {
    query: (statement, values) =>
      database.query(
        { ...(typeof statement === 'string' ? { text: statement } : statement), reseller },
        values,
      ),
  }
}
