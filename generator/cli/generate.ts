import { type Command, Option } from 'commander'
import { absolutePath, changedPaths, compare } from './comparison.js'
import { readConfig } from './config.js'
import { examine } from './examine.js'
import { exitCode } from './exit-code.js'
import { type Result, reportCheck, reportDryRun, reportWritten } from './generate-report.js'
import { planOutputs, type Version } from './outputs.js'
import { refusal } from './refusal.js'
import { hasErrors, jsonReport, textReport } from './report.js'
import { allSpecs, namedSpecs } from './specs.js'
import type { Stages } from './stages.js'
import type { Terminal } from './terminal.js'
import { commit } from './transaction.js'
import { UsageError } from './usage-error.js'

interface GenerateOptions {
  readonly out?: string
  readonly check?: true
  readonly dryRun?: true
  readonly format: 'text' | 'json'
}

/** `duet generate`: all artifacts of all documents, or none. */
export function addGenerate(
  program: Command,
  terminal: Terminal,
  stages: Stages,
  exit: (code: number) => void,
): void {
  program
    .command('generate')
    .summary('write everything that documents generate')
    .description(
      'Writes everything that documents generate: all files of all versions, or none where anything is wrong.',
    )
    .argument('[spec...]', 'files, or versions under spec/ (default: every version)')
    .option('--out <dir>', 'folder to write into: one SPEC straight into it, several into DIR/<version>')
    .option('--check', 'write nothing; fail on anything missing, extra, stale or edited')
    .option('--dry-run', 'write nothing; show what would be created, changed and removed')
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'))
    .addHelpText('after', examples)
    .action(async (specs: string[], options: GenerateOptions) =>
      exit(await generate(specs, options, terminal, stages)),
    )
}

const examples = `
Examples:
  duet generate                            every version under spec/, into generated/
  duet generate --check                    in CI: is generated/ what the documents say?
  duet generate 1.0.0                      spec/1.0.0/openapi.yaml into generated/1.0.0
  duet generate api.yaml --out src/api     one document straight into a folder

Exit codes: 0 fine, 1 the check failed or nothing could be written, 2 wrong usage, 3 errors in a document.
`

async function generate(
  specs: readonly string[],
  options: GenerateOptions,
  terminal: Terminal,
  stages: Stages,
): Promise<number> {
  if (options.check && options.dryRun) throw new UsageError('--check and --dry-run exclude each other.')
  if (options.out === '') throw new UsageError('--out needs a folder.')
  const isProject = specs.length === 0 && options.out === undefined
  const packageName = isProject ? readConfig(terminal.cwd).package : undefined
  const files = specs.length > 0 ? namedSpecs(specs, terminal.cwd) : allSpecs(terminal.cwd)

  const examined = files.map((file) => {
    progress(terminal, `reading ${file}`)
    return examine(file, terminal.cwd, stages)
  })
  progress(terminal)
  const found = examined.filter(({ diagnostics }) => diagnostics.length > 0)
  if (options.format === 'text') {
    for (const one of found) terminal.err(`${textReport(one, terminal.columns, terminal.errColours)}\n`)
  }
  if (examined.some(hasErrors)) {
    if (options.format === 'json')
      terminal.out(`${JSON.stringify({ ok: false, ...jsonReport(examined) }, undefined, 2)}\n`)
    else terminal.err('Nothing has been written.\n')
    return exitCode.invalidInput
  }

  const versions: Version[] = []
  for (const { file, files: inputs, model } of examined) {
    if (model === undefined) throw new Error(`The model stage gave neither a model nor an error for ${file}`)
    progress(terminal, `generating ${model.version}`)
    const start = performance.now()
    const emitted = await stages.emit(model, inputs, file)
    versions.push({ spec: file, model, files: emitted, seconds: (performance.now() - start) / 1000 })
  }
  progress(terminal)
  const planned = planOutputs(versions, {
    cwd: terminal.cwd,
    out: options.out,
    named: specs.length,
    packageName,
    stages,
  })
  const result: Result = { versions, comparisons: planned.map(compare), diagnostics: jsonReport(examined) }
  if (options.check) return reportCheck(result, options.format, terminal)
  const refused = refusal(result.comparisons)
  if (refused !== undefined) {
    if (options.format === 'json')
      terminal.out(`${JSON.stringify({ ok: false, refused, ...result.diagnostics }, undefined, 2)}\n`)
    else terminal.err(`${refused.join('\n')}\n`)
    return exitCode.failed
  }
  if (options.dryRun) return reportDryRun(result, options.format, terminal)
  commit({
    write: new Map(result.comparisons.flatMap(writes)),
    remove: result.comparisons.flatMap((one) => one.extra.map((path) => absolutePath(one, path))),
    roots: planned.map(({ folder }) => folder),
  })
  return reportWritten(result, options.format, terminal)
}

/** The manifest comes last, so that it never speaks of files that are not there yet. */
function writes(comparison: ReturnType<typeof compare>): [string, string][] {
  const paths = [...comparison.missing, ...changedPaths(comparison)]
  paths.sort((a, b) => Number(a === 'manifest.json') - Number(b === 'manifest.json'))
  return paths.map((path) => [absolutePath(comparison, path), comparison.output.files.get(path) ?? ''])
}

/** One line that the next one replaces; nothing where nobody watches. */
function progress(terminal: Terminal, text = ''): void {
  if (terminal.interactive) terminal.err(`\r\u001b[K${text}`)
}
