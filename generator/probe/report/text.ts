import { protocolNames } from '../../diff/change/protocol.js'
import { positionText } from '../../diff/report/words.js'
import { addToGroup, groupBy } from '../../document/grouping.js'
import { amount, type Colours, listed, printable } from '../../project/terminal.js'
import type { Exercised } from '../exercised.js'
import type { Finding } from '../finding.js'
import { failing, type TestReport } from './outcome.js'

/** A report for a person: findings by operation, then what was exercised. */
export function reportText(report: TestReport, colours: Colours, isVerbose: boolean): string {
  const { findings, operations } = report
  const byOperation = groupBy(findings, ({ operation }) => operation)
  const rows = new Map(operations.map((row) => [row.operation, row]))
  const parts = [...byOperation].flatMap(([name, found]) => {
    const row = rows.get(name)
    const title = `${printable(name)}${row === undefined ? '' : `  ${row.method} ${printable(row.path)}`}`
    return [colours.bold(title), ...found.map((one) => findingText(one, colours)), '']
  })
  return `${[...parts, ...summary(report, colours, isVerbose)].join('\n')}\n`
}

function findingText(
  { kind, protocol, message, at, curl, excerpt, fingerprint, waiver }: Finding,
  colours: Colours,
): string {
  const head = `  ${waiver === null ? colours.red(kind) : colours.dim(`${kind} (waived)`)} over ${protocolNames[protocol]}: ${printable(message)}`
  const rows = [
    ['says', printable(positionText(at))],
    ['got', printable(excerpt === '' ? 'no body' : shortened(excerpt))],
    ['again', curl],
    [
      'waive',
      `${fingerprint}${waiver === null ? '' : ` (${printable(waiver.reason)}, ${printable(waiver.owner)}, until ${waiver.expires})`}`,
    ],
  ]
  return [head, ...rows.map(([name = '', text]) => `    ${colours.dim(name.padEnd(6))}${text}`)].join('\n')
}

function shortened(text: string): string {
  return text.length > 160 ? `${text.slice(0, 157)}...` : text
}

function summary(report: TestReport, colours: Colours, isVerbose: boolean): string[] {
  const { operations, calls, seed, protocols, stopped, findings } = report
  const called = operations.filter((row) => row.calls > 0)
  const reached = operations.filter(({ isReached }) => isReached)
  const failed = failing(report).length
  const counts = `${amount(failed, 'finding')}${findings.length > failed ? `, ${findings.length - failed} waived` : ''}`
  const missing = operations.filter(({ isReached }) => !isReached)
  return [
    ...(stopped === null ? [] : [colours.yellow(`The run ended early: ${stopped}.`)]),
    ...missingTexts(missing, isVerbose),
    `${operations.length} operations: ${called.length} called, ${reached.length} reached success. ${amount(calls, 'request')} over ${listed(protocols)}, seed ${printable(seed)}`,
    `${failed > 0 ? colours.red(counts) : colours.green(counts)} at ${printable(report.url)}`,
  ]
}

/** Operations without a success, by the reason. */
function missingTexts(rows: readonly Exercised[], isVerbose: boolean): string[] {
  const byReason = new Map<string, string[]>()
  for (const { operation, why = 'no call was sent' } of rows) addToGroup(byReason, why, operation)
  const shown = isVerbose ? Number.POSITIVE_INFINITY : mostNames
  const lines = [...byReason].map(([why, names]) => {
    const rest = names.length > shown ? ` and ${names.length - shown} more` : ''
    return `  ${printable(why)}: ${names.slice(0, shown).map(printable).join(', ')}${rest}`
  })
  return lines.length === 0 ? [] : ['Not exercised to success:', ...lines]
}

const mostNames = 8
