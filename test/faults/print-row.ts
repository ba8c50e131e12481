import type { Report } from './load.js'

/** Prints the effect of a fault as a row of the table in docs/benchmarks.md. */
export function printRow(fault: string, report: Report, made: number, more = ''): void {
  const { acknowledged, open, lost, refusals, longestMs } = report
  const row = [
    fault,
    acknowledged.length,
    refusals,
    lost.length,
    `${made} of ${open.length}`,
    `${(longestMs / 1000).toFixed(1)} s`,
    more,
  ]
  process.stdout.write(`| ${row.join(' | ')} |\n`)
}
