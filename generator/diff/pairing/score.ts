import type { PairingScore } from '../change/change.js'
import type { Pairing } from './pairing.js'

/**
 * How surely two documents are versions of one service. The score is relative to the smaller one, so a service may grow
 * or shrink by any factor.
 */
export function pairingScore({ pairs }: Pick<Pairing, 'pairs'>, old: number, fresh: number): PairingScore {
  // Count an operation once if REST and JSON-RPC pair it differently.
  const counted = pairs.filter(({ callers }) => callers !== 'path')
  const smaller = Math.min(old, fresh)
  const total = counted.reduce((sum, { score }) => sum + score, 0)
  const score = smaller === 0 ? (old === fresh ? 1 : 0) : Math.round((100 * total) / smaller) / 100
  return { old, new: fresh, paired: counted.length, score }
}

/** A warning that two documents are hardly versions of one service. Undefined if they may be. */
export function pairingWarning({ old, new: fresh, paired, score }: PairingScore): string | undefined {
  if (score >= threshold || old + fresh === 0) return undefined
  return `Are these two versions of one service? Of ${old} and ${fresh} operations, ${paired} found a partner (pairing score ${score.toFixed(2)}).`
}

/**
 * Services of one company share a few operations, such as health checks. A version that keeps fewer is a new service.
 */
const threshold = 0.25
