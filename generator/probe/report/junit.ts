import { type JunitCase, type JunitSuite, junitText } from '../../diff/report/junit-text.js'
import { positionText } from '../../diff/report/words.js'
import type { Exercised } from '../exercised.js'
import type { Finding } from '../finding.js'
import type { TestReport } from './outcome.js'

/** JUnit XML: a suite for each operation, and in it a case for each finding. An operation without findings is one case. */
export function reportJunit({ operations, findings, url, document }: TestReport): string {
  const suites = operations.map((row) =>
    suiteOf(
      row,
      findings.filter(({ operation }) => operation === row.operation),
    ),
  )
  return junitText(`${document.file} (${document.version}) at ${url}`, suites)
}

function suiteOf(
  { operation, method, path, isReached, why }: Exercised,
  findings: readonly Finding[],
): JunitSuite {
  const whole = { name: operation, skipped: isReached ? undefined : (why ?? 'no call was sent') }
  return { name: `${method} ${path}`, cases: findings.length === 0 ? [whole] : findings.map(caseOf) }
}

function caseOf({ kind, message, at, curl, excerpt, fingerprint, protocol, waiver }: Finding): JunitCase {
  const name = `${kind} over ${protocol}: ${message}`
  if (waiver !== null) {
    const { reason, owner, expires } = waiver
    return { name, place: at, skipped: `waived: ${reason} (${owner}, until ${expires})` }
  }
  const details = [positionText(at), curl, excerpt, `fingerprint ${fingerprint}`]
  return { name, place: at, failure: { type: kind, message, details } }
}
