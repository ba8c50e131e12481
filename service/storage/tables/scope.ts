import { problem } from '../../problem.js'
import type { Queryable } from '../database/database.js'
import type { Condition } from './listing.js'

/** What limits a principal: the id of the user's Reseller, or null for a user who has none. */
export interface Scope {
  readonly resellerId: number | null
}

/**
 * The `$n` value of the reseller condition that every statement on one row of a limited entity carries:
 * `($n::bigint is null or reseller_id = $n::bigint)` (seed section 5, Reseller enforcement).
 * @throws ProblemError `unauthenticated` where there is no principal at all
 */
export function scopeValue(scope: Scope | undefined): string | null {
  const resellerId = scope?.resellerId
  if (resellerId === undefined) throw problem('unauthenticated')
  return resellerId === null ? null : String(resellerId)
}

/**
 * The same condition for listings of a limited entity. A plan has to fit every value of a parameter, and none
 * that also fits null would walk a Reseller's index; so where there is no Reseller there is no condition.
 * @throws ProblemError as above
 */
export function scopeConditions(scope: Scope | undefined): readonly Condition[] {
  const value = scopeValue(scope)
  return value === null ? [] : [{ sql: 'reseller_id = ?::bigint', value }]
}

/**
 * The database as the scope's Reseller may use it: a second line behind the conditions of statements, which the
 * database itself draws. Where there is no Reseller it is as it was.
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
