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

/** Findings that fail the run. */
export function failing({ findings }: Pick<TestReport, 'findings'>): readonly Finding[] {
  return findings.filter(({ waiver }) => waiver === null)
}
