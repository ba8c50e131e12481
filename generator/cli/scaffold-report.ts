import { exitCode } from '../project/exit-code.js'
import { amount, jsonText, printable, type Terminal } from '../project/terminal.js'
import type { Compiled } from '../stubs/compile.js'
import type { Report } from '../stubs/report.js'
import type { After } from '../stubs/scaffold.js'

interface Run {
  readonly mode: 'check' | 'dry-run' | 'written'
  readonly format: 'text' | 'json'
  /** The name of the folder in messages. */
  readonly label: string
  /** The document's name on the command line. */
  readonly spec: string
}

/** Whether scaffolding would leave a folder unchanged. */
export function isInStep({ write, remove, report }: After): boolean {
  return write.size === 0 && remove.length === 0 && report.left.every(({ outside }) => outside)
}

/**
 * Reports what scaffolding did, or would do. Returns the exit code.
 *
 * @param compiled the type errors of handlers that a check found in step
 */
export function reportScaffold(after: After, run: Run, terminal: Terminal, compiled?: Compiled): number {
  const { report, write, remove, unchanged } = after
  const inStep = isInStep(after)
  const typeErrors = compiled !== undefined && 'errors' in compiled ? compiled.errors : []
  const isStale = run.mode === 'check' && !(inStep && typeErrors.length === 0)
  const code = isStale || after.isBroken ? exitCode.failed : exitCode.fine
  const stale = run.mode === 'check' && !inStep && !hasReason(report) ? after.differences : []
  if (run.format === 'json') {
    const files = { written: [...write.keys()].sort(), removed: [...remove].sort(), unchanged }
    const value = {
      ok: code === exitCode.fine,
      ...(run.mode === 'dry-run' && { dryRun: true }),
      ...report,
      ...(stale.length > 0 && { stale }),
      ...(compiled !== undefined &&
        ('errors' in compiled ? { typeErrors } : { typesUnchecked: compiled.unchecked })),
      files,
    }
    terminal.out(jsonText(value))
    return code
  }
  for (const line of scaffoldLines(after)) terminal.out(`${printable(line)}\n`)
  for (const { file, reason } of stale) terminal.out(`${printable(`stale    ${file}: ${reason}`)}\n`)
  for (const { file, line, column, code: id, message } of typeErrors)
    for (const text of `${run.label}/${file}:${line}:${column} error ${id}: ${message}`.split('\n'))
      terminal.out(`${printable(text)}\n`)
  if (compiled !== undefined && 'unchecked' in compiled)
    terminal.err(`${printable(`The types of ${run.label} are not checked: ${compiled.unchecked}.`)}\n`)
  if (typeErrors.length > 0)
    terminal.out(
      `${terminal.outColours.red('does not compile')}: ${run.label} with ${printable(report.version)}, ${amount(typeErrors.length, 'type error')}\n`,
    )
  else if (run.mode === 'check' && inStep)
    terminal.out(`${terminal.outColours.green('in step')}: ${run.label} with ${printable(report.version)}\n`)
  else if (run.mode === 'check')
    terminal.out(
      `${terminal.outColours.red('not in step')}: ${run.label} with ${printable(report.version)}. Remedy: run duet scaffold ${printable(run.spec)} --out ${run.label}\n`,
    )
  else {
    const files = `${amount(write.size, 'file')} written, ${unchanged} unchanged${remove.length > 0 ? `, ${remove.length} removed` : ''}`
    const note = run.mode === 'dry-run' ? '; nothing has been written' : ''
    terminal.out(`${printable(`${report.version}: ${files}`)} (${printable(run.label)})${note}\n`)
  }
  return code
}

/** Whether the report itself shows why the folder is out of step. */
function hasReason({ added, changed, parked, left }: Report): boolean {
  return added.length + changed.length + parked.length > 0 || left.some(({ outside }) => !outside)
}

/** The report as lines: what happened to each operation, then what a person must look at. */
export function scaffoldLines({ report: { added, changed, parked, left } }: Pick<After, 'report'>): string[] {
  return [
    ...added.map(({ operation, file }) => `added    ${operation}  (${file})`),
    ...changed.map(({ operation, file, what }) => `changed  ${operation}: ${what}  (${file})`),
    ...parked.map(({ operation, file }) => `parked   ${operation}, at the end of ${file}`),
    ...left.flatMap(({ file, reason, add = [] }) => [
      `left     ${file}: ${reason}`,
      ...(add.length > 0 ? [`         add by hand: ${add.join(', ')}`] : []),
    ]),
  ]
}
