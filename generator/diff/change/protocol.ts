import { bumpOf } from './bump.js'
import type { Comparison, Protocol } from './change.js'

/** What callers of one protocol notice; verdicts stay those of both. */
export function forProtocol(comparison: Comparison, protocol: Protocol | 'all'): Comparison {
  if (protocol === 'all') return comparison
  const changes = comparison.changes.filter(({ protocols }) => protocols.includes(protocol))
  const { old, new: fresh } = comparison
  return { ...comparison, changes, bump: bumpOf(old.version, fresh.version, changes) }
}
