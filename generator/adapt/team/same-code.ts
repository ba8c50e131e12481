import { types } from 'node:util'
import type { Team, Trial } from './trial.js'

/**
 * Entries whose code in a check file is not that of the team's file: trials of it would say nothing of what services run.
 *
 * @param names operations whose code counts
 */
export function otherCode(
  check: Pick<Team, 'adapter'>,
  team: Pick<Team, 'adapter'>,
  names: readonly string[],
): readonly Trial[] {
  return names.flatMap((operation) => {
    if (hasSameCode(team.adapter[operation], check.adapter[operation])) return []
    return [
      {
        operation,
        part: 'entry',
        cases: 0,
        fault: { what: 'the check file does not try the code of the adapter' },
      },
    ]
  })
}

function hasSameCode(one: unknown, other: unknown): boolean {
  // A stand-in is what the service gives to the adapter.
  if (types.isProxy(one) || one === other) return true
  if (typeof one === 'function' && typeof other === 'function') return String(one) === String(other)
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  const [ours, theirs] = [new Map(Object.entries(one)), new Map(Object.entries(other))]
  const names = new Set([...ours.keys(), ...theirs.keys()])
  return [...names].every((name) => hasSameCode(ours.get(name), theirs.get(name)))
}
