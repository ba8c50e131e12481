import { positionText } from '../../diff/report/words.js'
import { attributes, xml } from '../../diff/report/xml.js'
import type { Exercised } from '../exercised.js'
import type { Finding } from '../finding.js'
import type { TestReport } from './outcome.js'

/** JUnit XML: a suite for each operation, and in it a case for each finding. An operation without findings is one case. */
export function reportJunit(report: TestReport): string {
  const { operations, findings, url, document } = report
  const suites = operations.map((row) =>
    suiteOf(
      row,
      findings.filter(({ operation }) => operation === row.operation),
    ),
  )
  const sum = (name: 'tests' | 'failures' | 'skipped'): number =>
    suites.reduce((total, { counts }) => total + counts[name], 0)
  const name = `${document.file} (${document.version}) at ${url}`
  const totals = { name, tests: sum('tests'), failures: sum('failures'), skipped: sum('skipped') }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes(totals)}>`,
    ...suites.flatMap(({ lines }) => lines),
    '</testsuites>',
    '',
  ].join('\n')
}

function suiteOf(row: Exercised, findings: readonly Finding[]) {
  const name = `${row.method} ${row.path}`
  const why = row.isReached ? undefined : (row.why ?? 'no call was sent')
  const cases = findings.length === 0 ? [restOf(row, name, why)] : findings.map((one) => caseOf(one, name))
  const waived = findings.filter(({ waiver }) => waiver !== null).length
  const counts = {
    tests: cases.length,
    failures: findings.length - waived,
    skipped: waived + (findings.length === 0 && why !== undefined ? 1 : 0),
  }
  const lines = [`  <testsuite${attributes({ name, ...counts })}>`, ...cases.flat(), '  </testsuite>']
  return { counts, lines }
}

/** An operation without findings. */
function restOf({ operation }: Exercised, classname: string, why: string | undefined): string[] {
  const open = `    <testcase${attributes({ classname, name: operation })}`
  if (why === undefined) return [`${open}/>`]
  return [`${open}>`, `      <skipped${attributes({ message: why })}/>`, '    </testcase>']
}

function caseOf(
  { kind, message, at, curl, excerpt, fingerprint, protocol, waiver }: Finding,
  classname: string,
): string[] {
  const name = `${kind} over ${protocol}: ${message}`
  const open = `    <testcase${attributes({ classname, name, file: at.file, line: at.line })}>`
  if (waiver !== null) {
    const { reason, owner, expires } = waiver
    return [
      open,
      `      <skipped${attributes({ message: `waived: ${reason} (${owner}, until ${expires})` })}/>`,
      '    </testcase>',
    ]
  }
  const details = [positionText(at), curl, excerpt, `fingerprint ${fingerprint}`].join('\n')
  return [
    open,
    `      <failure${attributes({ type: kind, message })}>${xml(details)}</failure>`,
    '    </testcase>',
  ]
}
