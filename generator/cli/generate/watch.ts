import { existsSync, readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { StoredPieces } from '../../cache/pieces.js'
import { contentDigest } from '../../cache/store.js'
import type { InputFile } from '../../document/document.js'
import { displayPath } from '../../document/file.js'
import type { Model } from '../../model/model.js'
import { exitCode } from '../../project/exit-code.js'
import { printable, type Terminal } from '../../project/terminal.js'
import { Timings } from '../../project/timings.js'
import { UsageError } from '../../project/usage-error.js'
import { explainFailure } from '../shared/failure.js'
import { type Findings, hasErrors, textReport } from '../shared/report.js'
import type { Stages } from '../shared/stages.js'
import { changedPaths } from './comparison.js'
import { changedFiles, type Dependencies, dependenciesOf } from './dependencies.js'
import { type Generation, generation, type Request } from './generation.js'
import { operationChanges } from './operation-changes.js'
import { WatchedFolders } from './watched-folders.js'
import { writeAll } from './write-all.js'

/**
 * Generates now, and again when the content of a file that it depends on changes, until the process receives
 * a signal to end. Shows faults of documents, settings and emitters; the next save tries again. An emitter
 * that has not ended after `request.patience`, by default half a minute, is such a fault.
 *
 * @throws UsageError if the command line or the settings are wrong at the start
 */
export function watch(
  request: Request,
  terminal: Terminal,
  stages: Stages,
  { timings: showTimings = false }: { readonly timings?: boolean } = {},
): Promise<number> {
  return new Watch(request, terminal, stages, showTimings).run()
}

/** Milliseconds without a change after which saving counts as finished. */
const quiet = 25

/** Milliseconds for which a file may be missing or empty while an editor replaces it. */
const patience = 100

/** The entry in {@link Dependencies} for a missing file, and for a file that is being written. */
const unwritten = new Set(['', contentDigest('')])

class Watch {
  readonly #models = new Map<string, Model>()
  readonly #pieces = new Map<string, StoredPieces>()
  readonly #folders = new WatchedFolders((path) => this.#touched(path))
  #dependencies: Dependencies = { files: new Map(), folders: new Set() }
  #inputs: readonly string[] = []
  /** Everything in the watched folders before the last run. */
  #present = new Set<string>()
  /** A file that the last run could not find has appeared. */
  #isNew = false
  #lastReport = ''
  #started = false
  #ended = false
  #failed = false
  #running = false
  #pending: NodeJS.Timeout | undefined
  #end: () => void = () => {}

  constructor(
    readonly request: Request,
    readonly terminal: Terminal,
    readonly stages: Stages,
    readonly showTimings: boolean,
  ) {}

  async run(): Promise<number> {
    const ended = new Promise<void>((resolve) => {
      this.#end = resolve
    })
    for (const signal of signals) process.once(signal, this.#end)
    try {
      this.#look()
      await this.#generate([])
      await ended
    } finally {
      this.#ended = true
      for (const signal of signals) process.removeListener(signal, this.#end)
      clearTimeout(this.#pending)
      this.#folders.close()
    }
    return exitCode.fine
  }

  #touched(path: string): void {
    // Temporary files of duet and of most editors begin with a dot.
    const isKnown = this.#dependencies.files.has(path)
    if (!isKnown && basename(path).startsWith('.')) return
    const isNew = !isKnown && this.#mayMend(path)
    if (!isKnown && !isNew && !this.#matters(path)) return
    this.#isNew ||= isNew
    clearTimeout(this.#pending)
    this.#pending = setTimeout(() => this.#settle(), quiet)
  }

  /** A folder may contain a document now. */
  #matters(path: string): boolean {
    return this.#dependencies.folders.has(path) || !/\.[a-z]+$/i.test(path) || isDocument(path)
  }

  /**
   * Whether a file that no run depended on may fix an error: it is new, or it is a module, which emitters may
   * import without our knowledge. Other files are ignored, because one of them may receive the output of this
   * process.
   */
  #mayMend(path: string): boolean {
    if (!existsSync(path)) this.#present.delete(path)
    else if (/\.[cm]?ts$/.test(path)) return true
    else return /\.(?:ya?ml|json|hbs)$/i.test(path) && !this.#present.has(path)
    return false
  }

  #settle(): void {
    if (this.#running) {
      this.#pending = setTimeout(() => this.#settle(), quiet)
      return
    }
    const before = this.#dependencies
    const missing = [...dependenciesOf(this.request, this.terminal.cwd, this.#inputs).files].some(
      ([path, digest]) => unwritten.has(digest) && !unwritten.has(before.files.get(path) ?? ''),
    )
    if (missing) this.#pending = setTimeout(() => void this.#again(before), patience)
    else void this.#again(before)
  }

  async #again(before: Dependencies): Promise<void> {
    const isNew = this.#isNew
    this.#isNew = false
    this.#look()
    const changed = changedFiles(before, this.#dependencies)
    if (changed.length === 0 && !(this.#failed && isNew)) return
    await this.#generate(changed)
  }

  /** Records the dependencies before reading them, so that a change during the run counts as a change after it. */
  #look(): void {
    this.#dependencies = dependenciesOf(this.request, this.terminal.cwd, this.#inputs)
    this.#folders.set(this.#dependencies.folders)
    this.#present = new Set(entriesOf(this.#dependencies.folders))
  }

  async #generate(changed: readonly string[]): Promise<void> {
    const { terminal, stages, request } = this
    const isFirst = !this.#started
    this.#started = true
    const timings = new Timings()
    const start = performance.now()
    this.#running = true
    let read: readonly InputFile[] = []
    for (const [isThere, what] of [[true, 'saved'] as const, [false, 'gone'] as const]) {
      const paths = changed.filter((path) => existsSync(path) === isThere)
      if (paths.length > 0)
        this.#say(`${paths.map((path) => displayPath(path, terminal.cwd)).join(', ')} ${what}`)
    }
    const modules = changed.filter((path) => /\.[cm]?js$/.test(path)).map((path) => basename(path))
    if (modules.length > 0)
      this.#say(`  ${modules.join(', ')} is already loaded. Restart to load the new version`)
    try {
      const wanted = { patience: 30_000, ...request, records: this.#models.size > 0, pieces: this.#pieces }
      const made = await generation(wanted, terminal, stages, timings)
      const failure = await this.#conclude(made, timings)
      this.#failed = failure !== undefined
      this.#report(failure ?? '')
      read = made.findings.flatMap(({ files }) => files)
      this.#inputs = [...read.map(({ path }) => path), ...made.findings.flatMap(missingFiles)]
    } catch (error) {
      if (isFirst && error instanceof UsageError) throw error
      this.#failed = true
      let report = ''
      const err = (text: string): void => {
        report += text
      }
      explainFailure(error, { ...terminal, err })
      this.#report(report)
    } finally {
      this.#running = false
    }
    if (this.#ended) return
    if (this.#failed) this.#say('Waiting for the next save.')
    else if (isFirst)
      this.#say(`Watching since ${((performance.now() - start) / 1000).toFixed(2)} s. Ctrl+C ends.`)
    if (this.showTimings) timings.report(terminal)
    this.#catchUp(read)
  }

  /** Dependencies found during the run count as they were read. If they have changed since, another run follows. */
  #catchUp(read: readonly InputFile[]): void {
    const { cwd } = this.terminal
    const now = dependenciesOf(this.request, cwd, this.#inputs)
    const known = this.#dependencies.files
    const files = new Map(Array.from(now.files.keys(), (path) => [path, known.get(path) ?? '']))
    for (const { path, text } of read) files.set(resolve(cwd, path), contentDigest(text))
    const added = [...now.folders].filter((folder) => !this.#dependencies.folders.has(folder))
    for (const path of entriesOf(added)) this.#present.add(path)
    this.#dependencies = { files, folders: now.folders }
    this.#folders.set(now.folders)
    if (changedFiles(this.#dependencies, now).length > 0) this.#settle()
  }

  /** Shows once why nothing could be written. */
  #report(text: string): void {
    if (text !== '' && text === this.#lastReport) this.#say('  the same errors as before')
    else if (text !== '') this.terminal.err(text)
    this.#lastReport = text
  }

  /** Writes and reports. Returns the reason why nothing could be written. */
  async #conclude(made: Generation, timings: Timings): Promise<string | undefined> {
    const { findings, versions } = made
    const { terminal } = this
    const faulty = findings.filter(hasErrors)
    if (faulty.length > 0)
      return faulty.map((one) => `${textReport(one, terminal.columns, terminal.errColours)}\n`).join('')
    const { refused, comparisons } = await timings.measure('write', () =>
      writeAll(made.comparisons, terminal),
    )
    if (refused !== undefined) return `${refused.join('\n')}\n`
    for (const comparison of comparisons) {
      const version = versions.find(({ files }) => files === comparison.output.files)
      const written = comparison.missing.length + changedPaths(comparison).length
      const counts = `${written} written, ${comparison.unchanged.length} unchanged${comparison.extra.length > 0 ? `, ${comparison.extra.length} removed` : ''}`
      const isReported = version !== undefined && (version.model !== undefined || this.#failed)
      if (written + comparison.extra.length === 0 && !isReported) continue
      const what = version === undefined ? '' : `${version.version}: ${this.#compared(version)}, `
      this.#say(`  ${what}${counts} (${comparison.output.label || '.'})`)
    }
    for (const { spec, model } of versions) if (model !== undefined) this.#models.set(spec, model)
    return undefined
  }

  #compared({ spec, model, operations }: Generation['versions'][number]): string {
    const before = this.#models.get(spec)
    if (before === undefined || model === undefined) return `${operations} operations`
    const changes = operationChanges(before, model)
    const parts = (['added', 'changed', 'removed'] as const).flatMap((kind) => {
      const names = changes[kind]
      return names.length === 0 ? [] : [`${names.length} ${kind} (${listed(names)})`]
    })
    return parts.length === 0 ? 'no operation changed' : `operations: ${parts.join(', ')}`
  }

  #say(text: string): void {
    this.terminal.out(`${printable(text)}\n`)
  }
}

const signals = ['SIGINT', 'SIGTERM'] as const

/** Missing files that a document refers to, as in the message: relative to the working directory. */
function missingFiles({ diagnostics }: Findings): string[] {
  return diagnostics.flatMap(({ code, message }) => {
    const path = / cannot be read \(([^)]+)\): /.exec(message)?.[1]
    return code === 'reference-file-missing' && path !== undefined ? [path] : []
  })
}

function entriesOf(folders: Iterable<string>): string[] {
  return [...folders].flatMap((folder) => {
    try {
      return readdirSync(folder).map((name) => join(folder, name))
    } catch {
      return []
    }
  })
}

function isDocument(path: string): boolean {
  return /^openapi\.(?:ya?ml|json)$/.test(basename(path))
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 3)
  return names.length > shown.length ? `${shown.join(', ')}, …` : shown.join(', ')
}
