import type { PairingScore } from '../change/change.js'
import type { Pairing } from './pairing.js'

/**
 * How surely two documents are versions of one service. The smaller one counts, so that a service may grow or shrink by
 * any factor and still be one.
 */
export function pairingScore({ pairs }: Pick<Pairing, 'pairs'>, old: number, fresh: number): PairingScore {
  // One that REST and JSON-RPC each see another partner of counts once.
  const counted = pairs.filter(({ protocol }) => protocol !== 'rest')
  const smaller = Math.min(old, fresh)
  const sure = counted.reduce((sum, { score }) => sum + score, 0)
  const score = smaller === 0 ? (old === fresh ? 1 : 0) : Math.round((100 * sure) / smaller) / 100
  return { old, new: fresh, paired: counted.length, score }
}

/** What to tell of two documents that are hardly versions of one service; undefined where they may be. */
export function unlikeness({ old, new: fresh, paired, score }: PairingScore): string | undefined {
  if (score >= threshold || old + fresh === 0) return undefined
  return `Are these two versions of one service? Of ${old} and ${fresh} operations, ${paired} found a partner (pairing score ${score.toFixed(2)}).`
}

/** Services of one house share a few operations, such as a health check; a version that keeps fewer is a new service. */
const threshold = 0.25
