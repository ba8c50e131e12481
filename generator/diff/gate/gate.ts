import type { Diagnostic } from '../../load/diagnostic.js'
import type { Change, Comparison, Level } from '../change.js'

export type FailOn = 'breaking' | 'dangerous' | 'any' | 'none'

/** What a review has to hold up against. */
export interface GateRules {
  readonly failOn: FailOn
  /** Whether a version number that is raised too little fails as well. */
  readonly requireBump: boolean
}

/** Whether a version may be released. */
export interface Gate {
  readonly ok: boolean
  /** Why not, each as a part of a sentence. */
  readonly reasons: readonly string[]
  /** Waivers that expired, or that fit no change: each with its place and remedy. */
  readonly waivers: readonly Diagnostic[]
  /** The changes that it fails on. */
  readonly failing: readonly Change[]
}

/** Of a comparison that nothing is asked of. */
export const passed: Gate = { ok: true, reasons: [], waivers: [], failing: [] }

/** Judges a comparison whose changes are waived and of the protocol that counts. With nothing to fail on it always passes. */
export function judge(comparison: Comparison, rules: GateRules, stale: readonly Diagnostic[]): Gate {
  const { required, declared, ok } = comparison.bump
  const counted = failing(comparison.changes, rules.failOn)
  const reasons = [
    ...levels[rules.failOn].flatMap((level) => {
      const count = counted.filter((change) => change.level === level).length
      return count === 0 ? [] : [`${count} ${level} ${count === 1 ? 'change' : 'changes'}`]
    }),
    ...(rules.requireBump && !ok ? [`a ${required} version bump is required and ${declared} declared`] : []),
  ]
  const isOff = rules.failOn === 'none' && !rules.requireBump
  if (stale.length > 0 && !isOff)
    reasons.push(`${stale.length} ${stale.length === 1 ? 'waiver' : 'waivers'} expired, unused or mistaken`)
  return { ok: reasons.length === 0, reasons, waivers: stale, failing: counted }
}

/** The changes that a gate fails on: of these levels, and waived by nobody. */
export function failing(changes: readonly Change[], failOn: FailOn): Change[] {
  return changes.filter(({ level, waiver }) => waiver === null && levels[failOn].includes(level))
}

const levels: { readonly [failOn in FailOn]: readonly Level[] } = {
  breaking: ['breaking'],
  dangerous: ['breaking', 'dangerous'],
  any: ['breaking', 'dangerous', 'compatible', 'info'],
  none: [],
}
