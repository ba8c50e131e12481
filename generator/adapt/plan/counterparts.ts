import type { Paired } from '../../diff/change/change.js'
import type { Side } from '../../diff/change/side.js'
import { pairEndpoints } from '../../diff/pairing/pairing.js'
import type { Operation } from '../../model/model.js'

/** The operation of the next version that serves one of the older version. */
export interface Counterpart {
  readonly operation: Operation
  readonly by: Paired['by']
  /** 1, unless only similarity pairs them. */
  readonly score: number
}

/**
 * The counterparts of operations by their names in the older version. If callers of the two protocols reach different
 * operations, the one that kept the name counts: the older contract still says where its callers find it.
 */
export function counterparts(older: Side, next: Side): ReadonlyMap<string, Counterpart> {
  const found = new Map<string, Counterpart>()
  const { pairs } = pairEndpoints(older.endpoints, next.endpoints)
  for (const { old, new: fresh, by, score, callers } of pairs) {
    if (old.webhook || fresh.modelled === undefined) continue
    if (callers === 'path' && found.has(old.name)) continue
    found.set(old.name, { operation: fresh.modelled, by, score })
  }
  return found
}
