import { resolve } from 'node:path'
import { Option } from 'commander'
import { withLocks } from '../cache/lock.js'
import { isSource } from '../code/layout.js'
import { displayPath } from '../document/file.js'
import type { Model } from '../model/model.js'
import { findConfig } from '../project/config.js'
import { exitCode } from '../project/exit-code.js'
import { commandSpecs } from '../project/project-specs.js'
import { jsonText, type Terminal } from '../project/terminal.js'
import { UsageError } from '../project/usage-error.js'
import type { Compiled } from '../stubs/compile.js'
import { readHandlerFiles } from '../stubs/handler-files.js'
import type { After } from '../stubs/scaffold.js'
import { commit } from './generate/transaction.js'
import { waitingOn } from './generate/write-all.js'
import { isInStep, reportScaffold } from './scaffold-report.js'
import type { AddCommand } from './shared/add-command.js'
import { apiModule } from './shared/api-module.js'
import { allowRemote, examine } from './shared/examine.js'
import { hasErrors, jsonReport, textReport } from './shared/report.js'
import type { Stages } from './shared/stages.js'

interface ScaffoldOptions {
  readonly out: string
  readonly check?: true
  readonly dryRun?: true
  readonly format: 'text' | 'json'
  readonly api?: string
  readonly allowRemote?: true
}

/** `duet scaffold`: creates handler stubs, or merges them into existing files. */
export const addScaffold: AddCommand = (program, terminal, stages, exit) => {
  program
    .command('scaffold')
    .summary('write handler stubs, and update them when the document changes')
    .description(
      'Writes a handler stub for every operation, or updates existing handlers: adds missing operations, follows renames, parks removed operations. Everything else stays as it is.',
    )
    .argument('<spec>', 'a file, or a version under spec/')
    .requiredOption('--out <dir>', 'folder of handlers')
    .option(
      '--api <module>',
      'generated package, or path of a generated version (default: package of the config file, else generated/<version>)',
    )
    .option('--check', 'write nothing; fail if the handlers do not match the document, or do not compile')
    .option('--dry-run', 'write nothing; show the changes')
    .option(...allowRemote)
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'))
    .addHelpText('after', examples)
    .action(async (spec: string, options: ScaffoldOptions) =>
      exit(await runScaffold(spec, options, terminal, stages)),
    )
}

const examples = `
Examples:
  duet scaffold 1.0.0 --out src/handlers            stubs for spec/1.0.0/openapi.yaml
  duet scaffold 1.1.0 --out src/handlers            update them to the next version
  duet scaffold 1.1.0 --out src/handlers --check    in CI: do the handlers match the document and compile?
  duet scaffold api.yaml --out src/handlers --api src/api/index.ts
  duet scaffold api.yaml --out src/handlers --allow-remote   with $ref over http and https

Exit codes: 0 fine; 1 the check failed, nothing could be written, or a handler file does not parse; 2 wrong usage;
3 errors in the document.
`

async function runScaffold(
  spec: string,
  options: ScaffoldOptions,
  terminal: Terminal,
  stages: Stages,
): Promise<number> {
  if (options.check && options.dryRun) throw new UsageError('--check and --dry-run exclude each other.')
  if (options.out === '') throw new UsageError('--out needs a folder.')
  const config = findConfig(terminal.cwd)
  if (config?.clientOnly === true)
    throw new UsageError(
      `only is ["client"] in ${config.file}, so there are no handlers. Remove that setting first.`,
    )
  const [file = ''] = commandSpecs([spec], terminal.cwd)
  const found = await examine(file, terminal.cwd, stages, options)
  if (options.format === 'text' && found.diagnostics.length > 0)
    terminal.err(`${textReport(found, terminal.columns, terminal.errColours)}\n`)
  if (hasErrors(found) || found.model === undefined) {
    if (options.format === 'json') terminal.out(jsonText({ ok: false, ...jsonReport([found]) }))
    else terminal.err('Nothing has been written.\n')
    return exitCode.invalidInput
  }
  const folder = resolve(terminal.cwd, options.out)
  const { model } = found
  const api = apiModule(options.api, model, folder, terminal)
  const plan = () => planScaffold(model, folder, api)
  const write = async () => {
    const planned = await plan()
    commitScaffold(folder, planned)
    return planned
  }
  const reads = options.check || options.dryRun
  const after = await (reads ? plan() : withLocks([folder], write, waitingOn(terminal)))
  const mode = options.check ? 'check' : options.dryRun ? 'dry-run' : 'written'
  const label = displayPath(folder, terminal.cwd) || '.'
  const compiled = options.check && isInStep(after) ? await compileHandlers(folder, api) : undefined
  return reportScaffold(after, { mode, format: options.format, label, spec }, terminal, compiled)
}

/** The type errors of the handlers. */
async function compileHandlers(folder: string, api: string): Promise<Compiled> {
  const { compile } = await import('../stubs/compile.js')
  return compile(folder, [...readHandlerFiles(folder).files.keys()].filter(isSource), api)
}

/** The result of scaffolding a folder for a model. Writes nothing. Throws UsageError if it is impossible. */
export async function planScaffold(model: Model, folder: string, api: string): Promise<After> {
  // Loading TypeScript's parser takes a third of a second. No other command should wait for it.
  const { scaffold } = await import('../stubs/scaffold.js')
  const before = readHandlerFiles(folder)
  if (before.recordBlocked) throw new UsageError('.duet.json in the folder is not a file. Move it away.')
  return scaffold(before, model, api)
}

/** Writes all changes of a scaffolding run, or none. */
export function commitScaffold(folder: string, { write, remove }: After): void {
  commit({
    write: new Map([...write].map(([path, text]) => [resolve(folder, path), text])),
    remove: remove.map((path) => resolve(folder, path)),
    roots: [folder],
  })
}
