import { jsonText } from '../../project/terminal.js'
import { failing, type TestReport } from './outcome.js'

/** A report for programs. */
export function reportJson(report: TestReport): string {
  const { operations, findings } = report
  const counts = {
    operations: operations.length,
    called: operations.filter(({ calls }) => calls > 0).length,
    reached: operations.filter(({ isReached }) => isReached).length,
    findings: findings.length,
    failing: failing(report).length,
  }
  return jsonText({ ...report, counts })
}
