import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { Option } from 'commander'
import { displayPath, fileReason } from '../document/file.js'
import { duetDependencies, toolVersions } from '../init/location.js'
import { type PackageManager, packageManager, packageManagers } from '../init/package-manager.js'
import { projectFiles, starterHandlers } from '../init/project.js'
import { placeSpec } from '../init/spec-files.js'
import { remoteSpec, type SpecSource, specOfText } from '../init/spec-source.js'
import { fillFolder } from '../init/staged-folder.js'
import { isRemote } from '../load/remote.js'
import type { Reading, Selection } from '../load/selection.js'
import type { Model } from '../model/model.js'
import { findConfig } from '../project/config.js'
import { exitCode } from '../project/exit-code.js'
import { readFolder } from '../project/folder.js'
import { apiPackage, isPackageName } from '../project/settings.js'
import { namedSpecs } from '../project/specs.js'
import { templatesOf } from '../project/templates.js'
import { printable, type Terminal } from '../project/terminal.js'
import { UsageError } from '../project/usage-error.js'
import { pageNames } from '../reference/address.js'
import { quoted } from '../samples/credentials.js'
import { commitScaffold, planScaffold } from './scaffold.js'
import type { AddCommand } from './shared/add-command.js'
import { allowRemote, type ExamineOptions, examine } from './shared/examine.js'
import { hasErrors, textReport } from './shared/report.js'
import type { Stages } from './shared/stages.js'

interface InitOptions {
  readonly spec?: string
  readonly name?: string
  readonly packageManager: PackageManager
  readonly link?: true
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  readonly overlay?: readonly string[]
  readonly client?: true
  readonly allowRemote?: true
}

/** `duet init`: a new service project that builds, runs and passes its test. */
export const addInit: AddCommand = (program, terminal, stages, exit) => {
  program
    .command('init')
    .summary('create a service project')
    .description(
      'Creates a project with the document, the generated package, handler stubs, a server, a test of both protocols, and CI. It builds, starts and passes its test.',
    )
    .argument('<dir>', 'project folder: new or empty')
    .option('--spec <spec>', 'a file, a URL, or a version under spec/ (default: a small sample document)')
    .option('--name <package>', 'npm name of the project (default: the name of the folder)')
    .addOption(
      new Option('--package-manager <name>', 'package manager (default: the one that runs duet, else npm)')
        .choices(packageManagers)
        .default(packageManager(process.env.npm_config_user_agent)),
    )
    .option('--link', 'depend on the path of this copy of duet, not on a version')
    .option('--include <what...>', 'keep only these operations: tag:NAME, path:/orders/* or id:OPERATION_ID')
    .option('--exclude <what...>', 'leave these operations out')
    .option('--overlay <file...>', 'apply these OpenAPI overlays to the document')
    .option('--client', 'create a client only, no server')
    .option(...allowRemote)
    .addHelpText('after', examples)
    .action(async (folder: string, options: InitOptions) =>
      exit(await init(folder, options, terminal, stages)),
    )
}

const examples = `
Examples:
  duet init shop                                     a project in ./shop, with a sample document and its handlers
  duet init shop --spec api.yaml                     of your document
  duet init shop --spec https://example.com/api.yaml  of a copy of this document
  duet init ../shop --spec 1.0.0 --name @acme/shop   of spec/1.0.0/openapi.yaml, under another name
  duet init shop --spec api.yaml --client            a client only
  duet init shop --spec api.yaml --include tag:orders --exclude 'path:/admin/*'
  duet init shop --spec api.yaml --allow-remote      with $ref over http and https

npm create duet@latest shop -- --spec api.yaml takes the same options.
Exit codes: 0 fine, 1 the folder is not empty or cannot be written, 2 wrong usage, 3 errors in the document.
`

async function init(
  given: string,
  options: InitOptions,
  terminal: Terminal,
  stages: Stages,
): Promise<number> {
  if (given === '') throw new UsageError('init needs a folder.')
  const folder = resolve(terminal.cwd, given)
  const name = options.name ?? nameOf(folder)
  if (!isPackageName(name) || !isPackageName(apiPackage(name)))
    throw new UsageError(
      `${printable(JSON.stringify(name))} is not an npm package name. Set the name with --name.`,
    )
  if (existsSync(folder) && entriesOf(folder) !== 0) {
    terminal.err(
      `${printable(given)} is not an empty folder. Nothing has been written.\nRemedy: choose another one.\n`,
    )
    return exitCode.failed
  }
  if (options.client && options.spec === undefined)
    throw new UsageError('--client needs a document. Name it with --spec.')
  const source = sourceOf(options, terminal.cwd)
  try {
    return await initFrom(source, folder, name, options, terminal, stages)
  } finally {
    source.dispose()
  }
}

/** The document that the options name, else duet's own. Throws UsageError if it cannot be read. */
function sourceOf({ spec, overlay }: InitOptions, cwd: string): SpecSource {
  const overlays = overlay ?? findConfig(cwd)?.reading.overlays
  if (spec !== undefined && !isRemote(spec)) {
    const [file = ''] = namedSpecs([spec], cwd)
    return { file, cwd, overlays, dispose: () => {} }
  }
  const found = spec === undefined ? starter() : remoteSpec(spec)
  if (typeof found === 'string') throw new UsageError(`${spec} cannot be read: ${found}.`)
  try {
    return specOfText(found.name, found.text, overlays, cwd)
  } catch (error) {
    const path = error instanceof Error && 'path' in error ? `The overlay ${error.path}` : 'An overlay'
    throw new UsageError(printable(`${path} cannot be read: ${fileReason(error)}.`))
  }
}

function starter(): { readonly name: string; readonly text: string } {
  return { name: 'openapi.yaml', text: templatesOf().render('init/starter/openapi.yaml.hbs', {}) }
}

async function initFrom(
  { file, cwd, overlays }: SpecSource,
  folder: string,
  name: string,
  options: InitOptions,
  terminal: Terminal,
  stages: Stages,
): Promise<number> {
  const reading = {
    ...findConfig(terminal.cwd)?.reading,
    ...readingOf(options),
    ...(overlays !== undefined && { overlays }),
  }
  const clientOnly = options.client === true
  const found = await examine(file, cwd, stages, { ...options, reading, clientOnly })
  if (found.diagnostics.length > 0)
    terminal.err(`${textReport(found, terminal.columns, terminal.errColours)}\n`)
  if (hasErrors(found) || found.model === undefined) {
    const isIncomplete = found.diagnostics.some(({ code }) => fileLacking.has(code))
    if (options.spec !== undefined && isRemote(options.spec) && isIncomplete)
      terminal.err(
        `${printable(options.spec)} refers to other files. Download all of them, and name the downloaded file.\n`,
      )
    else if (options.spec !== undefined && isRemote(options.spec))
      terminal.err(`${printable(file)} is what ${printable(options.spec)} answered.\n`)
    terminal.err('Nothing has been written.\n')
    return exitCode.invalidInput
  }
  const spec = placeSpec(found.files, found.model.version, cwd)
  const { model, files } = found
  const manager = options.packageManager
  const api = `${apiPackage(name)}/${model.version}`
  const isStarter = options.spec === undefined
  await fillFolder(folder, async (stage) => {
    const { duet, runtime } = duetDependencies(folder, options.link === true)
    const remote = files.some(({ path }) => isRemote(path))
    const source = {
      ...{ name, model, entry: spec.entry, remote, manager, isStarter, clientOnly },
      ...{ duet, runtime, versions: toolVersions() },
      reading: {
        ...reading,
        overlays: reading.overlays?.map((overlay) => spec.placeOf(overlay)),
      },
    }
    writeAll(stage, spec.files)
    writeAll(stage, projectFiles(source, templatesOf()))
    // The project chooses its own names, independent of what was generated in the working folder.
    const own = await generateInto(stage, spec.files, apiPackage(name), stages, options, clientOnly)
    if (clientOnly) return
    const handlers = join(stage, 'src/handlers')
    commitScaffold(handlers, await planScaffold(own, handlers, api))
    if (isStarter) writeAll(stage, starterHandlers(api, templatesOf()))
  })
  report(folder, name, model, manager, clientOnly, terminal)
  return exitCode.fine
}

const fileLacking: ReadonlySet<string> = new Set(['reference-file-missing', 'reference-outside'])

/** The generated package, as `duet generate` in the project writes it. */
async function generateInto(
  project: string,
  specFiles: ReadonlyMap<string, string>,
  packageName: string,
  stages: Stages,
  options: ExamineOptions,
  clientOnly: boolean,
): Promise<Model> {
  const [entry = ''] = specFiles.keys()
  const { model, files } = await examine(entry, project, stages, options)
  if (model === undefined)
    throw new Error(`The copy of the document at ${entry} has errors that the original does not have`)
  const emitted = await stages.emit(model, files, entry, {
    clientOnly,
    reference: {
      versions: [{ version: model.version, pages: pageNames(model) }],
      module: `${packageName}/${model.version}/client`,
    },
  })
  writeAll(join(project, 'generated', model.version), emitted)
  writeAll(join(project, 'generated'), await stages.emitPackage([model], packageName, { clientOnly }))
  return model
}

function writeAll(folder: string, files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

function report(
  folder: string,
  name: string,
  model: Model,
  manager: PackageManager,
  clientOnly: boolean,
  terminal: Terminal,
): void {
  const label = displayPath(folder, terminal.cwd) || '.'
  const files = readFolder(folder).files.size
  const operations = `${model.operations.length} operation${model.operations.length === 1 ? '' : 's'}`
  terminal.out(
    printable(`${name}: ${operations} of ${model.title} ${model.version}, ${files} files in ${label}`),
  )
  terminal.out('\n\nNext:\n')
  const then = clientOnly ? 'run mock' : `test && ${manager} start`
  terminal.out(
    `  cd ${quoted(printable(label))}\n  ${manager} install\n  ${manager} run build && ${manager} ${then}\n`,
  )
}

/** The number of entries of a folder. Undefined if it is not a folder. */
function entriesOf(folder: string): number | undefined {
  try {
    // A repository may exist before its first file.
    return readdirSync(folder).filter((name) => name !== '.git').length
  } catch {
    return undefined
  }
}

/** A folder's name, reduced to the characters that npm names may have. */
function nameOf(folder: string): string {
  return basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9-._]+/g, '-')
    .replace(/^[-._]+|[-._]+$/g, '')
}

/** Which parts of the document the options select. Overlays become paths relative to the working folder. */
function readingOf({ include, exclude, overlay }: InitOptions): Reading {
  return {
    ...(overlay !== undefined && { overlays: overlay }),
    ...(include !== undefined && { include: selectionOf('--include', include) }),
    ...(exclude !== undefined && { exclude: selectionOf('--exclude', exclude) }),
  }
}

function selectionOf(option: string, chosen: readonly string[]): Selection {
  const of = (prefix: string): string[] | undefined => {
    const found = chosen.filter((one) => one.startsWith(prefix)).map((one) => one.slice(prefix.length))
    return found.length > 0 ? found : undefined
  }
  const wrong = chosen.find((one) => !/^(tag|path|id):./.test(one))
  if (wrong === undefined) return { tags: of('tag:'), paths: of('path:'), operationIds: of('id:') }
  throw new UsageError(`${option} ${wrong} is wrong. Write tag:NAME, path:/orders/* or id:OPERATION_ID.`)
}
