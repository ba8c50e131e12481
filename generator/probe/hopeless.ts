import type { Finding } from './finding.js'
import type { Exercised } from './probe.js'

/** Whether the server has none of the document's paths: every finding is an unexpected 404, and nothing succeeded. */
export function isHopeless(findings: readonly Finding[], operations: readonly Exercised[]): boolean {
  const called = operations.filter(({ calls }) => calls > 0)
  return (
    called.length > 0 &&
    called.every(({ isReached }) => !isReached) &&
    findings.every(({ status }) => status === 404) &&
    called.every(({ why }) => why === undefined || why.endsWith(' 404'))
  )
}
