import type { Exercised } from '../exercised.js'
import type { Finding } from '../finding.js'

/** The result of a run. */
export interface TestReport {
  /** The address of the server. */
  readonly url: string
  readonly document: { readonly file: string; readonly version: string; readonly title: string }
  /** The earlier version whose calls were sent, too. */
  readonly against: string | null
  readonly seed: string
  readonly protocols: readonly string[]
  /** Requests that were sent. */
  readonly calls: number
  readonly operations: readonly Exercised[]
  readonly findings: readonly Finding[]
  /** Why the run ended before all calls were sent. Null: it did not. */
  readonly stopped: string | null
}

/** Says that no valid call succeeded, and the commonest reason. Undefined if one did. */
export function untestedText({ operations }: Pick<TestReport, 'operations'>): string | undefined {
  if (operations.length === 0) return 'NOTHING WAS TESTED: the document has no operations.'
  if (operations.some(({ isReached }) => isReached)) return undefined
  const counts = new Map<string, number>()
  for (const { why = 'no call was sent' } of operations) counts.set(why, (counts.get(why) ?? 0) + 1)
  const [[why, count] = ['', 0]] = [...counts].sort(([, a], [, b]) => b - a)
  return `NOTHING WAS TESTED: no valid call succeeded. For ${count} of ${operations.length} operations: ${why}.`
}

/** Findings that fail the run. */
export function failing({ findings }: Pick<TestReport, 'findings'>): readonly Finding[] {
  return findings.filter(({ waiver }) => waiver === null)
}
