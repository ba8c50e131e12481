import type { Code } from '../../diagnostics/catalogue.js'
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import { bumpOf } from '../change/bump.js'
import type { Change, Comparison, Paired } from '../change/change.js'
import type { Usage } from './usage.js'
import type { WaiverEntry, WaiverField } from './waiver.js'

export interface WaivedComparison {
  readonly comparison: Comparison
  /** Waivers that have expired, match no change, or match another change than they say. In the order of their file. */
  readonly stale: readonly Diagnostic[]
}

/**
 * Marks waived changes. A waiver of another review (`from`, `to`) is ignored unless it has expired: expiry does not
 * depend on the review, and otherwise the list would only grow.
 *
 * @param today `2026-11-21`. A waiver is valid until the end of its last day.
 * @param usage without it, no waiver holds that depends on usage
 */
export function waive(
  comparison: Comparison,
  waivers: readonly WaiverEntry[],
  today: string,
  usage?: Usage,
): WaivedComparison {
  const byFingerprint = new Map(comparison.changes.map((change) => [change.fingerprint, change]))
  const accepted = new Map<Change, WaiverEntry>()
  const stale: Diagnostic[] = []
  for (const waiver of waivers) {
    const change = isOfReview(waiver, comparison) ? byFingerprint.get(waiver.fingerprint) : undefined
    const wrong = fault(waiver, change, comparison, today) ?? (change && useOf(waiver, change, usage))
    if (wrong !== undefined) stale.push(wrong)
    else if (change !== undefined && !accepted.has(change)) accepted.set(change, waiver)
  }
  const changes = comparison.changes.map((change): Change => {
    const waiver = accepted.get(change)
    if (waiver === undefined) return change
    const { owner, reason, expires } = waiver
    return { ...change, waiver: { owner, reason, expires } }
  })
  const bump = bumpOf(comparison.old.version, comparison.new.version, changes)
  return { comparison: { ...comparison, changes, bump }, stale }
}

function isOfReview({ from, to }: WaiverEntry, { old, new: fresh }: Comparison): boolean {
  return (from === undefined || from === old.version) && (to === undefined || to === fresh.version)
}

function fault(
  waiver: WaiverEntry,
  change: Change | undefined,
  comparison: Comparison,
  today: string,
): Diagnostic | undefined {
  const { fingerprint, expires, owner } = waiver
  const say = (code: Code, message: string, field: WaiverField): Diagnostic =>
    diagnose(code, message, waiver.fieldPosition(field))
  if (expires < today)
    return say(
      'waiver-expired',
      `The waiver of ${named(waiver, change)} by ${owner} ended on ${expires}`,
      'expires',
    )
  if (!isOfReview(waiver, comparison)) return undefined
  if (change === undefined) {
    const review = `from ${comparison.old.version} to ${comparison.new.version}`
    return say('waiver-unused', `No change ${review} has the fingerprint ${fingerprint}`, 'fingerprint')
  }
  if (waiver.id !== undefined && waiver.id !== change.id)
    return say('waiver-mismatch', `The change ${fingerprint} is ${change.id}, not ${waiver.id}`, 'id')
  const { operations } = waiver
  const stranger = operations && unacceptedOperation(change, operations, comparison.pairs)
  if (stranger === undefined) return undefined
  const message = `The change ${fingerprint} is one of ${stranger}, which the waiver does not name`
  return say('waiver-mismatch', message, 'operation')
}

/** Why a waiver does not hold that depends on usage. */
function useOf(waiver: WaiverEntry, change: Change, usage: Usage | undefined): Diagnostic | undefined {
  if (waiver.unused === undefined) return undefined
  const say = (why: string): Diagnostic =>
    diagnose(
      'waiver-used',
      `The waiver of ${named(waiver, change)} by ${waiver.owner} holds while nobody uses it: ${why}`,
      waiver.fieldPosition('unused'),
    )
  if (usage === undefined) return say('this review has no --usage')
  const { verdict, text } = usage.of(change, waiver.unused)
  return verdict === 'unused' ? undefined : say(text)
}

function named({ fingerprint, id, operations }: WaiverEntry, change: Change | undefined): string {
  const what = change?.id ?? id ?? fingerprint
  const where = change?.operation ?? operations?.[0]
  return where === undefined ? what : `${what} in ${where}`
}

/**
 * An operation that the change reaches beyond the accepted ones, if any. These may have the name of either version,
 * because waivers outlive names.
 */
function unacceptedOperation(
  { operations }: Change,
  accepted: readonly string[],
  pairs: readonly Paired[],
): string | undefined {
  const names = new Set(accepted)
  for (const pair of pairs) if (names.has(pair.old)) names.add(pair.new)
  if (operations.length === 0) return accepted.length === 0 ? undefined : 'the document as a whole'
  return operations.find((name) => !names.has(name))
}
