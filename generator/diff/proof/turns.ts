import type { Change, Proof } from '../change/change.js'
import { grouped } from '../report/groups.js'
import type { Part } from './raise.js'

/** What is said of a change that no time was left for; `first`: of the same edit, with what was found of it. */
export function outOfTime({ fingerprint }: Change, found: readonly Part[] = []): Proof {
  const isShown = found.some(({ proof }) => proof.status === 'verified')
  const like = isShown ? `, but ${fingerprint} is proven, which is like it` : ''
  return { status: 'unproven', reason: `out of time${like}; ask for more with --proof-time SECONDS` }
}

/** First one change of each edit, so that the many of one leave time for others; `first`: that of the same edit. */
export function inTurn(changes: readonly Change[]): { readonly change: Change; readonly first: Change }[] {
  const all = grouped(changes).flatMap(({ parts }) =>
    parts.map((change, index) => ({ change, first: parts[0] ?? change, index })),
  )
  return [...all.filter(({ index }) => index === 0), ...all.filter(({ index }) => index > 0)]
}
