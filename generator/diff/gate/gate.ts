import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import type { Change, Comparison, Level, Place } from '../change/change.js'

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
  /** What it fails on beside changes. */
  readonly objections: readonly Objection[]
}

/** What stands at no change: a waiver, or the version's number. */
export interface Objection {
  /** `waiver-expired`, `version-bump-missing`. */
  readonly id: string
  readonly message: string
  /** Null where it concerns the review as a whole. */
  readonly at: Omit<Place, 'pointer'> | null
}

/** Of a comparison that nothing is asked of. */
export const passed: Gate = { ok: true, reasons: [], waivers: [], failing: [], objections: [] }

/** Judges a comparison whose changes are waived and of the protocol that counts. With nothing to fail on it always passes. */
export function judge(comparison: Comparison, rules: GateRules, stale: readonly Diagnostic[]): Gate {
  const { required, declared, ok } = comparison.bump
  const counted = failing(comparison.changes, rules.failOn)
  const isOff = rules.failOn === 'none' && !rules.requireBump
  const mistaken = isOff ? [] : stale
  const bump =
    rules.requireBump && !ok ? [`a ${required} version bump is required and ${declared} declared`] : []
  const reasons = [
    ...levels[rules.failOn].flatMap((level) => {
      const count = counted.filter((change) => change.level === level).length
      return count === 0 ? [] : [`${count} ${level} ${count === 1 ? 'change' : 'changes'}`]
    }),
    ...bump,
    ...(mistaken.length > 0
      ? [`${mistaken.length} ${mistaken.length === 1 ? 'waiver' : 'waivers'} expired, unused or mistaken`]
      : []),
  ]
  const objections = [
    ...mistaken.map(({ code, message, remedy, at }) => ({ id: code, message: `${message}. ${remedy}`, at })),
    ...bump.map((message) => ({ id: 'version-bump-missing', message, at: null })),
  ]
  return { ok: reasons.length === 0, reasons, waivers: stale, failing: counted, objections }
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
