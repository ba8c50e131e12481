import { Option } from 'commander'
import { exitCode } from '../../project/exit-code.js'
import { jsonText, type Terminal } from '../../project/terminal.js'
import { Timings } from '../../project/timings.js'
import { UsageError } from '../../project/usage-error.js'
import type { AddCommand } from '../shared/add-command.js'
import { allowRemote } from '../shared/examine.js'
import { hasErrors, jsonReport, textReport, verboseOption } from '../shared/report.js'
import type { Stages } from '../shared/stages.js'
import { type Result, reportCheck, reportDryRun, reportWritten } from './generate-report.js'
import { type Generation, generation } from './generation.js'
import { refusal } from './refusal.js'
import { writeAll } from './write-all.js'

interface GenerateOptions {
  readonly out?: string
  readonly check?: true
  readonly dryRun?: true
  readonly watch?: true
  readonly format: 'text' | 'json'
  readonly allowRemote?: true
  readonly cache: boolean
  readonly timings?: true
  readonly verbose?: true
}

/** `duet generate`: all artifacts of all documents, or none. */
export const addGenerate: AddCommand = (program, terminal, stages, exit) => {
  program
    .command('generate')
    .summary('write all files that documents generate')
    .description('Writes all files of all versions. Writes none if a document has an error.')
    .argument('[spec...]', 'files, or versions under spec/ (default: specs of the config file, else all)')
    .option('--out <dir>', 'output folder: one SPEC goes directly into it, several into DIR/<version>')
    .option('--check', 'write nothing; fail if a file is missing, extra, stale or edited')
    .option('--dry-run', 'write nothing; list the files to create, change and remove')
    .option('--watch', 'generate again whenever a source file is saved, until Ctrl+C')
    .option(...allowRemote)
    .option(...verboseOption)
    .option('--no-cache', 'do not use node_modules/.cache/duet')
    .option('--timings', 'print the time of each phase and the peak memory to standard error')
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'))
    .addHelpText('after', examples)
    .action(async (specs: string[], options: GenerateOptions) =>
      exit(await generate(specs, options, terminal, stages)),
    )
}

const examples = `
Examples:
  duet generate                            every version under spec/, into generated/
  duet generate --check                    in CI: is generated/ up to date?
  duet generate --watch                    generate again on each save
  duet generate 1.0.0                      spec/1.0.0/openapi.yaml into generated/1.0.0
  duet generate api.yaml --out src/api     one document directly into a folder
  duet generate api.yaml --out src/api --allow-remote   with $ref over http and https
  duet generate --timings --no-cache       the time of a run without the cache

Exit codes: 0 fine, 1 the check failed or nothing could be written, 2 wrong usage, 3 errors in a document.
`

async function generate(
  specs: readonly string[],
  options: GenerateOptions,
  terminal: Terminal,
  stages: Stages,
): Promise<number> {
  checkUsage(options)
  const { out, allowRemote, cache } = options
  const request = { specs, cache, ...(out !== undefined && { out }), ...(allowRemote && { allowRemote }) }
  if (options.watch) {
    const { watch } = await import('./watch.js')
    return watch(request, terminal, stages, options)
  }
  const timings = new Timings(0)
  const made = await generation(request, terminal, stages, timings)
  const code = await conclude(made, options, terminal, timings)
  if (options.timings) timings.report(terminal)
  return code
}

function checkUsage({ check, dryRun, watch, format, out }: GenerateOptions): void {
  if (check && dryRun) throw new UsageError('--check and --dry-run exclude each other.')
  if (watch && (check || dryRun))
    throw new UsageError(`--watch and --${check ? 'check' : 'dry-run'} exclude each other.`)
  if (watch && format === 'json') throw new UsageError('--watch and --format json exclude each other.')
  if (out === '') throw new UsageError('--out needs a folder.')
}

/** Reports the findings and writes the files. Returns the exit code. */
async function conclude(
  made: Generation,
  { format, check, dryRun, verbose }: GenerateOptions,
  terminal: Terminal,
  timings: Timings,
): Promise<number> {
  const { findings, versions, comparisons } = made
  const json = (value: object) => terminal.out(jsonText(value))
  if (format === 'text') reportFindings(made, terminal, verbose === true)
  const diagnostics = jsonReport(findings)
  if (findings.some(hasErrors)) {
    if (format === 'json') json({ ok: false, ...diagnostics })
    else terminal.err('Nothing has been written.\n')
    return exitCode.invalidInput
  }
  const result: Result = { versions, comparisons, diagnostics }
  if (check) return reportCheck(result, format, terminal)
  const { refused, comparisons: written } = dryRun
    ? { refused: refusal(comparisons), comparisons }
    : await timings.measure('write', () => writeAll(comparisons, terminal))
  if (refused !== undefined) {
    if (format === 'json') json({ ok: false, refused, ...diagnostics })
    else terminal.err(`${refused.join('\n')}\n`)
    return exitCode.failed
  }
  if (dryRun) return reportDryRun(result, format, terminal)
  const done = { ...result, comparisons: written }
  return reportWritten(done, format, terminal, () => timings.seconds)
}

/** Shows the findings of each document, with their lines and remedies. */
function reportFindings({ findings }: Generation, terminal: Terminal, verbose: boolean): void {
  for (const one of findings) {
    if (one.diagnostics.length === 0) continue
    terminal.err(`${textReport(one, terminal.columns, terminal.errColours, verbose)}\n`)
  }
}
