import { resolve } from 'node:path'
import { fingerprint } from '../../cache/fingerprint.js'
import { StoredPieces } from '../../cache/pieces.js'
import { digestOf, openStore, type Store } from '../../cache/store.js'
import type { JsonObject } from '../../document/document.js'
import { type Config, checkNamedVersions, findConfig } from '../../project/config.js'
import { type Progress, progressOn } from '../../project/progress.js'
import { commandSpecs, projectSpecs } from '../../project/project-specs.js'
import type { Terminal } from '../../project/terminal.js'
import type { Timings } from '../../project/timings.js'
import { pageNames } from '../../reference/address.js'
import { assetsDigest, assetsOf } from '../../reference/assets.js'
import type { VersionChanges } from '../../reference/neighbours.js'
import { type Examined, examine } from '../shared/examine.js'
import { type Findings, hasErrors } from '../shared/report.js'
import type { Stages } from '../shared/stages.js'
import { type Comparison, compare, isClean, makeTexts, type Output } from './comparison.js'
import { extendedStages } from './extended-stages.js'
import { planOutputs, type Version } from './outputs.js'
import { documentIdentity, Records } from './record.js'
import { settingsDigest } from './settings-digest.js'
import { type Surroundings, surroundingsOf, type VersionSummary } from './surroundings.js'

/** What to generate. */
export interface Request {
  /** Documents that the command line names. Empty: all of the project. */
  readonly specs: readonly string[]
  readonly out?: string
  readonly allowRemote?: true
  /** False: uses nothing of earlier runs, and stores nothing for later ones. */
  readonly cache: boolean
  /** False: reads every document, so every version has its model. */
  readonly records?: boolean
  /** Pieces that earlier runs of this process have read, by document. This run adds its own. */
  readonly pieces?: Map<string, StoredPieces>
  /** Time limit in milliseconds for each emitter of the project. Undefined: none, as long as it is busy. */
  readonly patience?: number
}

/** The result of generating. Nothing is written yet. */
export interface Generation {
  readonly findings: readonly Findings[]
  /** Empty if a document has errors. Then there are no comparisons either. */
  readonly versions: readonly Version[]
  readonly comparisons: readonly Comparison[]
}

/**
 * Generates documents in memory and compares the result with the files on disk. Throws UsageError for invalid
 * settings and names, InvalidInput for documents that contradict each other.
 */
export function generation(
  request: Request,
  terminal: Terminal,
  stages: Stages,
  timings: Timings,
): Promise<Generation> {
  return new Run(request, terminal, stages, timings).result()
}

class Run {
  readonly #config: Config | undefined
  readonly #isProject: boolean
  readonly #store: Store | undefined
  readonly #records: Records | undefined
  readonly #pieces: Map<string, StoredPieces>
  readonly #progress: Progress
  #restDigest: string | undefined

  readonly stages: Stages

  constructor(
    readonly request: Request,
    readonly terminal: Terminal,
    stages: Stages,
    readonly timings: Timings,
  ) {
    const { cwd } = terminal
    this.#progress = progressOn(terminal)
    this.stages = extendedStages(stages, cwd)
    this.#isProject = request.specs.length === 0 && request.out === undefined
    this.#config = findConfig(cwd)
    this.#store = request.cache ? openStore(cwd) : undefined
    this.#pieces = request.pieces ?? new Map()
    // A project's emitter may read other inputs than the model, so it always runs.
    const known = this.#config === undefined || this.#config.emitters.length === 0
    if (this.#store !== undefined && known) this.#records = new Records(this.#store, cwd, this.#fingerprint)
  }

  async result(): Promise<Generation> {
    const { specs } = this.request
    const { cwd } = this.terminal
    const files = specs.length > 0 ? commandSpecs(specs, cwd) : projectSpecs(cwd)
    const neighbours = this.#config?.reference === false ? [] : this.#beside(files)
    const recorded = new Map(
      this.timings.measure('cache', () => [...files, ...neighbours].flatMap((file) => this.#recorded(file))),
    )
    const first = await this.#generate(files, neighbours, recorded)
    const dirty = first.comparisons.filter(({ output }) => output.hashed).filter((one) => !isClean(one))
    if (dirty.length === 0) return first
    // A record has the digests of the files, but not their texts.
    for (const version of first.versions)
      if (dirty.some(({ output }) => output.files === version.files)) recorded.delete(version.spec)
    return this.#generate(files, neighbours, recorded)
  }

  /**
   * The project's other documents. The output for a document does not depend on whether the command line
   * names it alone.
   */
  #beside(files: readonly string[]): string[] {
    if (this.#isProject || this.request.out !== undefined || this.#config === undefined) return []
    const all = projectSpecs(this.terminal.cwd)
    return files.every((file) => all.includes(file)) ? all.filter((file) => !files.includes(file)) : []
  }

  #recorded(file: string): [string, Recorded][] {
    if (this.request.records === false) return []
    const found = this.#records?.find(file)
    if (found === undefined) return []
    const { diagnostics, outputs, surroundings, pages, ...record } = found.record
    const { title, version, basePath, rpcPath, operations } = record
    return [
      [
        file,
        {
          findings: { file, diagnostics, files: found.files },
          surroundings,
          summary: { file, version, pages, identity: found.identity },
          version: {
            ...{ spec: file, title, version, basePath, rpcPath, operations, hashed: true },
            files: new Map(outputs),
          },
        },
      ],
    ]
  }

  async #generate(
    files: readonly string[],
    beside: readonly string[],
    recorded: ReadonlyMap<string, Recorded>,
  ): Promise<Generation> {
    const run = { examined: new Map<string, Examined>(), summaries: new Map<string, VersionSummary>() }
    for (const file of [...files, ...beside]) {
      const summary = recorded.get(file)?.summary ?? summaryOf(await this.#examine(file, run.examined))
      if (summary !== undefined) run.summaries.set(file, summary)
    }
    this.#progress()
    const findings = files.flatMap((file) => recorded.get(file)?.findings ?? run.examined.get(file) ?? [])
    if (findings.some(hasErrors)) return { findings, versions: [], comparisons: [] }
    if (this.#isProject && this.#config !== undefined)
      checkNamedVersions(
        this.#config,
        Array.from(run.summaries.values(), ({ version }) => version),
      )
    const versions: Version[] = []
    for (const file of files) {
      const around = surroundingsOf(file, this.#seen(file, run.summaries), this.#rest)
      const kept = recorded.get(file)
      const version =
        kept?.surroundings === around.digest ? kept.version : await this.#emit(file, run.examined, around)
      versions.push(version)
    }
    this.#progress()
    const planned = await this.timings.measure('package', () => this.#plan(versions))
    const comparisons = this.timings.measure('compare', () => planned.map(compare))
    await this.timings.measure('pages', () => Promise.all(comparisons.map(makeTexts)))
    return { findings, versions, comparisons }
  }

  /** What the output of a document's files may mention. Without a reference, only the document itself. */
  #seen(file: string, summaries: ReadonlyMap<string, VersionSummary>): VersionSummary[] {
    const isSeen = (one: VersionSummary): boolean => this.#config?.reference !== false || one.file === file
    return [...summaries.values()].filter(isSeen)
  }

  /** Reads a document once per run. */
  async #examine(file: string, examined: Map<string, Examined>): Promise<Examined> {
    const known = examined.get(file)
    if (known !== undefined) return known
    this.#progress(`reading ${file}`)
    const { allowRemote } = this.request
    const pieces = this.#piecesOf(file)
    const options = {
      timings: this.timings,
      ...(pieces && { pieces }),
      ...(allowRemote && { allowRemote }),
      output: this.#output,
    }
    const found = await examine(file, this.terminal.cwd, this.stages, options)
    examined.set(file, found)
    return found
  }

  /** Where the command line puts the versions, like `planOutputs`. */
  get #output(): { readonly folder?: string; readonly versions?: string } {
    const { specs, out } = this.request
    if (out === undefined) return {}
    const folder = resolve(this.terminal.cwd, out)
    return specs.length === 1 ? { folder } : { versions: folder }
  }

  async #emit(file: string, examined: Map<string, Examined>, around: Surroundings): Promise<Version> {
    const found = await this.#examine(file, examined)
    const { files: inputs, model, diagnostics } = found
    if (model === undefined) throw new Error(`The model stage gave neither a model nor an error for ${file}`)
    this.#progress(`generating ${model.version}`)
    const pieces = this.#piecesOf(file)
    const digests = new Map<string, string>()
    const makers = new Map<string, () => Promise<string>>()
    const { patience } = this.request
    const { versions, before } = around
    const changes = before && (() => this.#changes(before, found, examined))
    const tools = {
      ...{ timings: this.timings, digests, makers, clientOnly: this.#config?.clientOnly === true },
      ...(this.#config?.reference !== false && {
        reference: { versions, module: this.#moduleOf(model.version), ...(changes && { changes }) },
      }),
      ...(pieces && { pieces }),
      ...(patience !== undefined && { patience }),
    }
    const files = new Map(await this.stages.emit(model, inputs, file, tools))
    const { title, version, basePath, rpcPath } = model
    const operations = model.operations.length
    const surroundings = around.digest
    this.timings.measure('cache', () => {
      pieces?.save()
      const pages = pageNames(model)
      const record = { title, version, basePath, rpcPath, operations, diagnostics, pages, surroundings }
      this.#records?.keep(file, record, found, { files, digests })
    })
    return { spec: file, title, version, basePath, rpcPath, operations, model, files, digests, makers }
  }

  /** The changes since the previous version. Compares the two only if no earlier comparison is stored. */
  async #changes(
    before: VersionSummary,
    found: Examined,
    examined: Map<string, Examined>,
  ): Promise<VersionChanges> {
    const pieces = this.#piecesOf(found.file)
    const key = ['changes', before.identity, documentIdentity(found.files)]
    const known = pieces?.get(...key)
    if (known !== undefined) return known as unknown as VersionChanges
    const old = await this.#examine(before.file, examined)
    this.#progress(`comparing ${before.version} and ${found.model?.version}`)
    const { versionChanges } = await import('./version-changes.js')
    const changes = await this.timings.measure('changes', () => versionChanges(old, found))
    pieces?.set(changes as unknown as JsonObject, ...key)
    return changes
  }

  #moduleOf(version: string): string {
    const name = this.request.out === undefined ? this.#config?.package : undefined
    return name === undefined ? './client.js' : `${name}/${version}/client`
  }

  /** What all files depend on, besides documents. */
  get #rest(): string {
    this.#restDigest ??= this.#digestOfRest()
    return this.#restDigest
  }

  #digestOfRest(): string {
    if (this.#config?.reference === false) return 'no reference'
    const { templates } = this.#config ?? {}
    const assets = assetsOf(templates === undefined ? undefined : resolve(this.terminal.cwd, templates))
    return digestOf(this.#moduleOf(''), assetsDigest(assets))
  }

  /** What stored records and pieces depend on, besides their documents. */
  get #fingerprint(): string {
    return digestOf(fingerprint(), settingsDigest(this.#config))
  }

  #piecesOf(file: string): StoredPieces | undefined {
    const known =
      this.#pieces.get(file) ?? (this.#store && new StoredPieces(this.#store, this.#fingerprint, file))
    if (known !== undefined) this.#pieces.set(file, known)
    return known
  }

  #plan(versions: readonly Version[]): Promise<Output[]> {
    return planOutputs(versions, {
      cwd: this.terminal.cwd,
      out: this.request.out,
      home: this.#config?.out,
      named: this.request.specs.length,
      clientOnly: this.#config?.clientOnly === true,
      packageName: this.#isProject ? this.#config?.package : undefined,
      stages: this.stages,
    })
  }
}

/** A version that an earlier run generated from the same input. */
interface Recorded {
  readonly findings: Findings
  readonly version: Version
  readonly summary: VersionSummary
  readonly surroundings: string
}

/** What other versions need to know about a document. Undefined if it has errors. */
function summaryOf({ file, files, model }: Examined): VersionSummary | undefined {
  if (model === undefined) return undefined
  return { file, version: model.version, identity: documentIdentity(files), pages: pageNames(model) }
}
