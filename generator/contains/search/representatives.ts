import type { Budget } from '../../patterns/budget.js'
import { fingerprint } from '../../schema/canonical.js'
import type { Json } from '../values/value.js'

/**
 * One value from each list, all different. Undefined if that is impossible (Hall's theorem).
 *
 * Grows a matching by augmenting paths in polynomial time; trying all choices would be exponential.
 */
export function distinctRepresentatives(
  lists: readonly (readonly Json[])[],
  budget: Budget,
): Json[] | undefined {
  const names = lists.map((list) => list.map(fingerprint))
  const owner = new Map<string, number>()
  const chosen: number[] = lists.map(() => -1)
  const place = (list: number, tried: Set<string>): boolean => {
    for (const [i, name] of (names[list] ?? []).entries()) {
      if (tried.has(name)) continue
      tried.add(name)
      budget.spend(0.1)
      const holder = owner.get(name)
      if (holder !== undefined && !place(holder, tried)) continue
      owner.set(name, list)
      chosen[list] = i
      return true
    }
    return false
  }
  for (const list of lists.keys()) if (!place(list, new Set())) return undefined
  return lists.map((list, i) => list[chosen[i] ?? 0] ?? null)
}
