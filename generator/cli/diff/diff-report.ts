import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { InvalidArgumentError } from 'commander'
import type { Comparison } from '../../diff/change/change.js'
import type { Gate } from '../../diff/gate/gate.js'
import type { Format } from '../../diff/report/render.js'
import type { InputFile } from '../../document/document.js'
import { version } from '../../project/own-package.js'
import type { Terminal } from '../../project/terminal.js'
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
]

export interface ReportOptions {
  /** One after the other, as the files that they go to; text alone where absent. */
  readonly format?: readonly Format[]
  readonly out?: readonly string[]
  readonly verbose?: true
}

/** One report, and the file that it goes to; the terminal where absent. */
export interface Output {
  readonly format: Format
  readonly out: string | undefined
}

/** Which reports are asked for. Throws UsageError where a file has no format of its own, or two share the terminal. */
export function outputsOf({ format: given = ['text'], out = [] }: ReportOptions): readonly Output[] {
  if (out.length > given.length)
    throw new UsageError('There are more files by --out than formats by --format')
  if (given.length > out.length + 1)
    throw new UsageError('Of several formats all but the last need a file each: --format FORMAT --out FILE')
  return given.map((format, index) => ({ format, out: out[index] }))
}

/** Gathers what an option is given, once or more. Throws InvalidArgumentError for another format. */
export function addFormat(given: string, before: readonly Format[] = []): readonly Format[] {
  const format = formats.find((one) => one === given)
  if (format === undefined) throw new InvalidArgumentError(`Allowed choices are ${formats.join(', ')}.`)
  return [...before, format]
}

/** Writes a comparison to the terminal or to files. Throws UsageError where a file cannot be written. */
export async function report(
  comparison: Comparison,
  gate: Gate,
  outputs: readonly Output[],
  { verbose }: ReportOptions,
  texts: { readonly old: readonly InputFile[]; readonly new: readonly InputFile[] },
  terminal: Terminal,
): Promise<void> {
  const { render } = await import('../../diff/report/render.js')
  for (const { format, out } of outputs) {
    const watched = out === undefined ? terminal : undefined
    const options = { paints: watched?.outColours, columns: watched?.outColumns, verbose, texts, gate }
    write(render(comparison, format, { ...options, version: version() }), out, terminal)
  }
}

/** Writes text to the terminal or to a file. Throws UsageError where the file cannot be written. */
export function write(text: string, out: string | undefined, terminal: Terminal): void {
  if (out === undefined) {
    terminal.out(text)
    return
  }
  try {
    writeFileSync(resolve(terminal.cwd, out), text)
  } catch (error) {
    throw new UsageError(
      `${out} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}
