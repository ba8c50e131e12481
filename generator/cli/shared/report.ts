import type { Severity } from '../../diagnostics/code-definition.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import type { InputFile } from '../../document/document.js'
import { exitCode } from '../../project/exit-code.js'
import { amount, type Colours, jsonText, printable, type Terminal } from '../../project/terminal.js'
import { excerpt } from './excerpt.js'

/** The diagnostics of one document. */
export interface Findings {
  /** The entry file's path. */
  readonly file: string
  readonly diagnostics: readonly Diagnostic[]
  readonly files: readonly InputFile[]
}

/**
 * Findings for a person: warnings, then errors, each with its lines and remedy, then a summary line. Among
 * warnings of one code only the first is shown in full, followed by the next positions. Infos are one line for each
 * code. `verbose` shows all of them, in document order.
 */
export function textReport(findings: Findings, width: number, colours: Colours, verbose = false): string {
  const shown = findings.files.filter(({ isHidden }) => isHidden !== true)
  const texts = new Map(shown.map(({ path, text }) => [path, text]))
  const blockOf = (diagnostic: Diagnostic) => block(diagnostic, texts, width, colours)
  const { diagnostics } = findings
  if (verbose) return [...diagnostics.map(blockOf), `${summary(findings, colours)}\n`].join('\n')
  const groups = byCode(diagnostics, 'warning')
  const infos = byCode(diagnostics, 'info')
  const warnings = groups.map(([first, ...others]) => blockOf(first) + othersOf(first, others, colours))
  const errors = diagnostics.filter(({ severity }) => severity === 'error').map(blockOf)
  const hidden = infos.length > 0 ? 'finding' : groups.some(([, second]) => second !== undefined) && 'warning'
  const hint = hidden ? ` (--verbose shows each ${hidden})` : ''
  const notes = infos.length > 0 ? [infos.map((group) => infoLine(group, colours)).join('')] : []
  return [...warnings, ...errors, ...notes, `${summary(findings, colours)}${hint}\n`].join('\n')
}

function byCode(
  diagnostics: readonly Diagnostic[],
  severity: Severity,
): readonly [Diagnostic, ...Diagnostic[]][] {
  const groups = new Map<string, [Diagnostic, ...Diagnostic[]]>()
  for (const diagnostic of diagnostics) {
    if (diagnostic.severity !== severity) continue
    const group = groups.get(diagnostic.code)
    if (group === undefined) groups.set(diagnostic.code, [diagnostic])
    else group.push(diagnostic)
  }
  return [...groups.values()]
}

/** `info params-merged: api.yaml:9:3, api.yaml:12:3, … (12)`. */
function infoLine(found: readonly [Diagnostic, ...Diagnostic[]], colours: Colours): string {
  const places = found.slice(0, shownPlaces).map(({ at }) => place(at))
  const more = found.length > shownPlaces ? `, … (${found.length})` : ''
  return `${colours.cyan('info')} ${colours.dim(found[0].code)}: ${places.join(', ')}${more}\n`
}

/**
 * `and 12 more path-ambiguous: api.yaml:9:3, api.yaml:12:3, api.yaml:15:3, …`. If the positions do not tell them apart,
 * their messages follow.
 */
function othersOf(first: Diagnostic, others: readonly Diagnostic[], colours: Colours): string {
  if (others.length === 0) return ''
  const shown = others.slice(0, shownPlaces)
  const places = shown.map(({ at }) => place(at))
  const isTold = new Set([place(first.at), ...places]).size > places.length
  const texts = isTold ? places : shown.map(({ message }) => `\n  ${printable(message)}`)
  if (others.length > shownPlaces) texts.push(isTold ? '…' : '\n  …')
  const list = isTold ? ` ${texts.join(', ')}` : texts.join('')
  return `${colours.dim(`and ${others.length} more ${first.code}:`)}${list}\n`
}

const shownPlaces = 5

/** The option of the commands that report on documents. */
export const verboseOption = ['--verbose', 'show every warning, not only the first of each code'] as const

/** `3 errors, 1 warning in spec/1.0.0/openapi.yaml`. */
function summary({ diagnostics, file }: Findings, colours: Colours): string {
  const { errors, warnings } = count(diagnostics)
  const counts = `${amount(errors, 'error')}, ${amount(warnings, 'warning')}`
  const colour = errors > 0 ? colours.red : warnings > 0 ? colours.yellow : colours.green
  return `${colour(counts)} in ${printable(file)}`
}

/**
 * Reports documents with errors instead of what a command would print.
 *
 * @param more members of the JSON report
 */
export function reportErrors(
  wrong: readonly Findings[],
  isJson: boolean,
  terminal: Terminal,
  more: object = {},
): number {
  if (isJson) terminal.out(jsonText({ ...more, ...jsonReport(wrong) }))
  else for (const one of wrong) terminal.err(textReport(one, terminal.columns, terminal.errColours))
  return exitCode.invalidInput
}

/** Findings of all documents as the JSON object of `--format json`. */
export function jsonReport(all: readonly Findings[]): object {
  const diagnostics = all.flatMap((findings) => findings.diagnostics)
  return {
    diagnostics: diagnostics.map(({ code, severity, message, remedy, at, pointer, related }) => ({
      code,
      severity,
      message,
      remedy,
      ...at,
      ...(pointer !== undefined && { pointer }),
      ...(related !== undefined && {
        related: related.map((other) => ({ message: other.message, ...other.at })),
      }),
    })),
    ...count(diagnostics),
  }
}

export function hasErrors(findings: Pick<Findings, 'diagnostics'>): boolean {
  return findings.diagnostics.some(({ severity }) => severity === 'error')
}

function count(diagnostics: readonly Diagnostic[]): { errors: number; warnings: number } {
  const countOf = (wanted: Severity) => diagnostics.filter(({ severity }) => severity === wanted).length
  return { errors: countOf('error'), warnings: countOf('warning') }
}

function block(
  diagnostic: Diagnostic,
  texts: ReadonlyMap<string, string>,
  width: number,
  colours: Colours,
): string {
  const { at, severity, code, message, remedy, related = [] } = diagnostic
  const text = texts.get(at.file)
  const colour = { error: colours.red, warning: colours.yellow, info: colours.cyan }[severity]
  const lines = [
    `${colours.bold(place(at))} ${colour(severity)} ${colours.dim(code)}`,
    printable(message),
    ...(text === undefined ? [] : excerpt(text, at.line, at.column, width, colours)).map(
      (line) => `  ${line}`,
    ),
    ...related.map((other) => `${printable(other.message)}: ${place(other.at)}`),
    `${colours.cyan('Remedy:')} ${printable(remedy)}`,
  ]
  return `${lines.join('\n')}\n`
}

function place({ file, line, column }: Diagnostic['at']): string {
  return `${printable(file)}:${line}:${column}`
}
