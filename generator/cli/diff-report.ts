import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Comparison } from '../diff/change.js'
import type { Gate } from '../diff/gate/gate.js'
import type { Format } from '../diff/report/render.js'
import type { InputFile } from '../load/document.js'
import { version } from './package-version.js'
import type { Terminal } from './terminal.js'
import { UsageError } from './usage-error.js'

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
  readonly format: Format
  readonly out?: string
  readonly verbose?: true
}

/** Writes a comparison to the terminal or to a file. Throws UsageError where the file cannot be written. */
export async function report(
  comparison: Comparison,
  gate: Gate,
  { format, out, verbose }: ReportOptions,
  texts: { readonly old: readonly InputFile[]; readonly new: readonly InputFile[] },
  terminal: Terminal,
): Promise<void> {
  const { render } = await import('../diff/report/render.js')
  const watched = out === undefined ? terminal : undefined
  const options = { paints: watched?.outColours, columns: watched?.outColumns, verbose, texts, gate }
  write(render(comparison, format, { ...options, version: version() }), out, terminal)
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
