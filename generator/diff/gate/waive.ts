import { type Code, diagnose } from '../../load/catalogue.js'
import type { Diagnostic } from '../../load/diagnostic.js'
import { bumpOf } from '../bump.js'
import type { Change, Comparison, Paired } from '../change.js'
import type { WaiverEntry, WaiverField } from './waiver.js'

export interface WaivedComparison {
  readonly comparison: Comparison
  /** Waivers that have expired, belong to no change, or to another than they say. Sorted as in their file. */
  readonly stale: readonly Diagnostic[]
}

/**
 * Marks changes that somebody has accepted. A waiver of another review (`from`, `to`) is left alone, unless it has expired:
 * that it has does not depend on the review, and a list that nothing shortens only grows.
 *
 * @param today `2026-11-21`; a waiver holds until the end of the day that it names
 */
export function waive(
  comparison: Comparison,
  waivers: readonly WaiverEntry[],
  today: string,
): WaivedComparison {
  const byFingerprint = new Map(comparison.changes.map((change) => [change.fingerprint, change]))
  const accepted = new Map<Change, WaiverEntry>()
  const stale: Diagnostic[] = []
  for (const waiver of waivers) {
    const change = isOfReview(waiver, comparison) ? byFingerprint.get(waiver.fingerprint) : undefined
    const wrong = fault(waiver, change, comparison, today)
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
    diagnose(code, message, waiver.place(field))
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
  const { operation } = waiver
  if (operation === undefined || namesOf(change, comparison.pairs).has(operation)) return undefined
  const is = change.operations.length === 0 ? 'the document as a whole' : change.operations.join(', ')
  return say('waiver-mismatch', `The change ${fingerprint} is one of ${is}, not of ${operation}`, 'operation')
}

function named({ fingerprint, id, operation }: WaiverEntry, change: Change | undefined): string {
  const what = change?.id ?? id ?? fingerprint
  const where = change?.operation ?? operation
  return where === undefined ? what : `${what} in ${where}`
}

/** What the change's operations are called in either version: a waiver survives that they are renamed. */
function namesOf({ operation, operations }: Change, pairs: readonly Paired[]): ReadonlySet<string> {
  const names = new Set([...operations, ...(operation === null ? [] : [operation])])
  for (const pair of pairs) if (names.has(pair.new)) names.add(pair.old)
  return names
}
