import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import type { Change, Comparison, DocumentPosition } from '../change/change.js'
import type { Level } from '../change/level.js'
import { unitsOf } from '../change/units.js'

/** `used`: breaking changes that are not known to be unused. */
export type FailOn = 'used' | 'breaking' | 'dangerous' | 'any' | 'none'

/** The rules that a review must pass. */
export interface GateRules {
  readonly failOn: FailOn
  /** Whether the gate also fails if the version number is raised too little. */
  readonly requireBump: boolean
}

/** Whether a version may be released. */
export interface Gate {
  readonly ok: boolean
  /** Why not, each as part of a sentence. */
  readonly reasons: readonly string[]
  /** Waivers that expired or match no change, each with its position and remedy. */
  readonly waivers: readonly Diagnostic[]
  /** The changes that fail the gate. */
  readonly failing: readonly Change[]
  /** What else fails the gate. */
  readonly objections: readonly Objection[]
}

/** A reason that belongs to no change: a waiver, or the version number. */
export interface Objection {
  /** `waiver-expired`, `version-bump-missing`. */
  readonly id: string
  readonly message: string
  /** Null if it concerns the review as a whole. */
  readonly at: Omit<DocumentPosition, 'pointer'> | null
}

/** The result without rules. */
export const passed: Gate = { ok: true, reasons: [], waivers: [], failing: [], objections: [] }

/**
 * The gate's verdict on a comparison that has its waivers and is reduced to the protocol that counts. Without rules it
 * always passes.
 */
export function gateOf(comparison: Comparison, rules: GateRules, stale: readonly Diagnostic[]): Gate {
  const { required, declared, ok } = comparison.bump
  const counted = failing(comparison.changes, rules.failOn)
  const isOff = rules.failOn === 'none' && !rules.requireBump
  const reported = isOff ? [] : stale
  const bump =
    rules.requireBump && !ok ? [`a ${required} version bump is required and ${declared} declared`] : []
  const reasons = [
    ...levels[rules.failOn].flatMap((level) => {
      const count = unitsOf(counted.filter((change) => change.level === level)).length
      const use = rules.failOn === 'used' ? ' in use, or not known to be unused' : ''
      return count === 0 ? [] : [`${count} ${level} ${count === 1 ? 'change' : 'changes'}${use}`]
    }),
    ...bump,
    ...(reported.length > 0
      ? [`${reported.length} ${reported.length === 1 ? 'waiver' : 'waivers'} expired, unused or mistaken`]
      : []),
  ]
  const objections = [
    ...reported.map(({ code, message, remedy, at }) => ({ id: code, message: `${message}. ${remedy}`, at })),
    ...bump.map((message) => ({ id: 'version-bump-missing', message, at: null })),
  ]
  return { ok: reasons.length === 0, reasons, waivers: stale, failing: counted, objections }
}

/** The changes that fail the gate: those with these levels, without a waiver and without an adapter. */
export function failing(changes: readonly Change[], failOn: FailOn): Change[] {
  return changes.filter(
    ({ level, waiver, adapter, usage }) =>
      waiver === null &&
      adapter === undefined &&
      levels[failOn].includes(level) &&
      (failOn !== 'used' || usage?.verdict !== 'unused'),
  )
}

const levels: { readonly [failOn in FailOn]: readonly Level[] } = {
  used: ['breaking'],
  breaking: ['breaking'],
  dangerous: ['breaking', 'dangerous'],
  any: ['breaking', 'dangerous', 'compatible', 'info'],
  none: [],
}
