import type { Change, Proof } from '../change/change.js'
import { grouped } from '../report/groups.js'
import type { Part } from './raise.js'
import { unproven } from './verified.js'

/**
 * The proof of a change that was not searched for. `found`: the proofs of another change of the same edit. `limit`: why
 * the search ended.
 */
export function unsearched({ fingerprint }: Change, found: readonly Part[] = [], limit = ''): Proof {
  if (found.some(({ proof }) => proof.status === 'verified')) return { status: 'alike', fingerprint }
  return unproven(`not searched for: ${limit}`)
}

/**
 * Orders changes so that the first of each edit comes first: one edit with many changes leaves time for others.
 * `first`: the first change of the same edit.
 */
export function inTurn(changes: readonly Change[]): { readonly change: Change; readonly first: Change }[] {
  const all = grouped(changes).flatMap(({ parts }) =>
    parts.map((change, index) => ({ change, first: parts[0] ?? change, index })),
  )
  return [...all.filter(({ index }) => index === 0), ...all.filter(({ index }) => index > 0)]
}
