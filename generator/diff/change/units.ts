import { groupBy } from '../../document/grouping.js'
import type { Change } from './change.js'

/** Changes as reports count them: the parts of one change, for several protocols, count once. */
export function unitsOf<T extends Pick<Change, 'fingerprint' | 'partOf'>>(
  changes: readonly T[],
): readonly (readonly T[])[] {
  // Two changes may have one fingerprint.
  const whole = new Map(changes.map((change) => [change.fingerprint, change]))
  const keyOf = (change: T): unknown =>
    change.partOf === undefined ? change : (whole.get(change.partOf) ?? change.partOf)
  return [...groupBy(changes, keyOf).values()]
}
