import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { InvalidArgumentError, Option } from 'commander'
import type { ShadowChanges } from 'duet-runtime'
import type { Comparison } from '../../diff/change/change.js'
import type { Gate } from '../../diff/gate/gate.js'
import type { References } from '../../diff/report/references.js'
import type { Format } from '../../diff/report/render.js'
import type { InputFile } from '../../document/document.js'
import { version } from '../../project/own-package.js'
import { printable, type Terminal } from '../../project/terminal.js'
import { UsageError } from '../../project/usage-error.js'

export const formats: readonly Format[] = [
  'text',
  'json',
  'markdown',
  'html',
  'sarif',
  'junit',
  'github',
  'waivers',
  'shadow',
]

export interface OutputOptions<F extends string> {
  /** The formats, in the order of the files that they go to. Absent: text. */
  readonly format?: readonly F[]
  readonly out?: readonly string[]
}

export interface ReportOptions extends OutputOptions<Format> {
  readonly verbose?: true
}

/** One report and its file. Absent: the terminal. */
export interface Output<F extends string = Format> {
  readonly format: F
  readonly out: string | undefined
}

/** The options `--format` and `--out`, which may be repeated for several reports of one run. */
export function outputOptions<F extends string>(
  choices: readonly F[],
): readonly [format: Option, out: Option] {
  const format = new Option(
    '--format <format>',
    'output format (default: text); repeatable, each with an --out',
  )
  const out = new Option('--out <file>', 'write the report to a file')
  return [
    format.choices(choices).argParser((given, before: readonly F[] = []) => {
      const found = choices.find((one) => one === given)
      if (found === undefined) throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`)
      return [...before, found]
    }),
    out.argParser((file, before: readonly string[] = []) => [...before, file]),
  ]
}

/**
 * The reports that the options ask for. Throws UsageError if a file has no format, or if two reports go to
 * the terminal.
 */
export function outputsOf<F extends string>({
  format,
  out = [],
}: OutputOptions<F>): readonly Output<F | 'text'>[] {
  const given = format ?? (['text'] as const)
  if (out.length > given.length)
    throw new UsageError(
      'There are more --out files than --format formats. Give each --out a --format before it.',
    )
  if (given.length > out.length + 1)
    throw new UsageError('Each format but the last needs a file: --format FORMAT --out FILE')
  return given.map((format, index) => ({ format, out: out[index] }))
}

/** What reports show besides the comparison. */
interface Surroundings {
  readonly texts: { readonly old: readonly InputFile[]; readonly new: readonly InputFile[] }
  readonly shadow: ShadowChanges | undefined
  /** The references of both versions, for links from a page in the given file. */
  readonly references: (out: string | undefined) => Promise<References>
}

/** Writes a comparison to the terminal or to files. Throws UsageError if a file cannot be written. */
export async function report(
  comparison: Comparison,
  gate: Gate,
  outputs: readonly Output[],
  { verbose }: ReportOptions,
  { texts, shadow, references }: Surroundings,
  terminal: Terminal,
): Promise<void> {
  const { render } = await import('../../diff/report/render.js')
  for (const { format, out } of outputs) {
    const watched = out === undefined ? terminal : undefined
    const options = {
      paints: watched?.outColours,
      columns: watched?.outColumns,
      verbose,
      texts,
      gate,
      shadow,
      references: format === 'html' ? await references(out) : undefined,
    }
    write(render(comparison, format, { ...options, version: version() }), out, terminal)
  }
}

/** Writes text to the terminal or to a file. Throws UsageError if the file cannot be written. */
export function write(text: string, out: string | undefined, terminal: Terminal): void {
  if (out === undefined) {
    terminal.out(text)
    return
  }
  try {
    writeFileSync(resolve(terminal.cwd, out), text)
    terminal.err(`wrote ${printable(out)}\n`)
  } catch (error) {
    throw new UsageError(
      `${out} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}
