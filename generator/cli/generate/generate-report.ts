import { copyCommand } from '../../project/copy-command.js'
import { exitCode } from '../../project/exit-code.js'
import { amount, jsonText, printable, type Terminal } from '../../project/terminal.js'
import { type Comparison, changedPaths, type Output, shownPath } from './comparison.js'
import type { Version } from './outputs.js'

/** The result of a run of generate. */
export interface Result {
  readonly versions: readonly Version[]
  readonly comparisons: readonly Comparison[]
  /** The findings as `--format json` shows them. */
  readonly diagnostics: object
}

type Format = 'text' | 'json'

/** `--check`: lists every file that differs from the documents. Returns the exit code. */
export function reportCheck(result: Result, format: Format, terminal: Terminal): number {
  const differences = result.comparisons.flatMap(differencesOf)
  if (format === 'json') {
    write(terminal, { ok: differences.length === 0, differences, ...result.diagnostics })
  } else if (differences.length === 0) {
    const files = result.comparisons.reduce((sum, one) => sum + one.output.files.size, 0)
    terminal.out(
      `${terminal.outColours.green('up to date')}: ${amount(files, 'file')} of ${amount(result.versions.length, 'version')}\n`,
    )
  } else {
    for (const { state, path, foreign } of differences) {
      const note = foreign ? '  (not from duet: move or delete it)' : ''
      terminal.out(`${state.padEnd(7)}  ${printable(path)}${note}\n`)
    }
    const remedy = differences.every(({ foreign }) => foreign)
      ? 'move or delete these files'
      : 'run duet generate'
    const count = terminal.outColours.red(amount(differences.length, 'difference'))
    terminal.out(`${count}. Remedy: ${remedy}\n`)
  }
  return differences.length === 0 ? exitCode.fine : exitCode.failed
}

/** `--dry-run`: lists what generating would do. Returns the exit code. */
export function reportDryRun(result: Result, format: Format, terminal: Terminal): number {
  if (format === 'json') {
    write(terminal, {
      ok: true,
      dryRun: true,
      versions: result.versions.map(versionJson(result)),
      ...result.diagnostics,
    })
    return exitCode.fine
  }
  const steps = result.comparisons.flatMap((one) => [
    ...one.missing.map((path) => `create  ${shownPath(one, path)}`),
    ...changedPaths(one).map((path) => `change  ${shownPath(one, path)}`),
    ...one.extra.map((path) => `remove  ${shownPath(one, path)}`),
  ])
  for (const step of steps) terminal.out(`${printable(step)}\n`)
  terminal.out(
    `${steps.length === 0 ? 'nothing to do' : amount(steps.length, 'change')}; nothing has been written\n`,
  )
  return exitCode.fine
}

/** Lists what was written, one line per version, the last one with the duration of the run. Returns the exit code. */
export function reportWritten(
  result: Result,
  format: Format,
  terminal: Terminal,
  seconds: () => number,
): number {
  if (format === 'json') {
    write(terminal, { ok: true, versions: result.versions.map(versionJson(result)), ...result.diagnostics })
    return exitCode.fine
  }
  const lines = result.comparisons.flatMap((one) => {
    const version = result.versions.find(({ files }) => files === one.output.files)
    const changed = one.missing.length + changedPaths(one).length
    if (version === undefined && changed + one.extra.length === 0) return []
    const removed = one.extra.length > 0 ? `, ${one.extra.length} removed` : ''
    const counts = `${amount(changed, 'file')} written, ${one.unchanged.length} unchanged${removed}`
    const what = version ? `${version.version}: ${amount(version.operations, 'operation')}, ` : ''
    return [`${printable(`${what}${counts}`)} (${printable(one.output.label || '.')})`]
  })
  if (lines.length > 0) terminal.out(`${lines.join('\n')} in ${seconds().toFixed(2)} s\n`)
  for (const { output, missing } of result.comparisons) adviseCopy(output, missing, terminal)
  return exitCode.fine
}

/** In a folder of the team's own, new validators need a step after tsc. */
function adviseCopy(output: Output, missing: readonly string[], terminal: Terminal): void {
  const isNew = output.chosen === true && missing.includes('validators.js')
  const command = isNew ? copyCommand(output.folder, terminal.cwd) : undefined
  if (command === undefined) return
  const label = printable(output.label || '.')
  terminal.err(
    `tsc leaves out the .js and .json files of ${label}. Copy them after it, in the build script:\n  ${printable(command)}\n`,
  )
}

/** A file that differs from the documents. Generate replaces or removes it, unless duet does not own it. */
interface Difference {
  readonly state: 'missing' | 'stale' | 'edited' | 'unreadable' | 'extra'
  readonly path: string
  readonly foreign?: true
}

function differencesOf(one: Comparison): Difference[] {
  const states = ['missing', 'stale', 'edited', 'unreadable', 'extra'] as const
  const own = states.flatMap((state) => one[state].map((path) => ({ state, path: shownPath(one, path) })))
  const foreign = one.foreign.map((path) => {
    const state = one.output.files.has(path) ? ('edited' as const) : ('extra' as const)
    return { state, path: shownPath(one, path), foreign: true as const }
  })
  return [...own, ...foreign]
}

function versionJson(result: Result): (version: Version) => object {
  return (version) => {
    const one = result.comparisons.find(({ output }) => output.files === version.files)
    return {
      version: version.version,
      spec: version.spec,
      folder: one?.output.label,
      operations: version.operations,
      created: one?.missing ?? [],
      changed: one === undefined ? [] : changedPaths(one),
      removed: one?.extra ?? [],
      unchanged: one?.unchanged.length ?? 0,
    }
  }
}

function write(terminal: Terminal, value: object): void {
  terminal.out(jsonText(value))
}
