import { fingerprint } from '../cache/fingerprint.js'
import { StoredPieces } from '../cache/pieces.js'
import { Records } from '../cache/record.js'
import { openStore, type Store } from '../cache/store.js'
import { projectSpecs } from '../extend/specs.js'
import { extendedStages } from '../extend/stages.js'
import { type Comparison, compare, isClean, type Output } from './comparison.js'
import { type Config, findConfig, readConfig } from './config.js'
import { type Examined, examine } from './examine.js'
import { planOutputs, type Version } from './outputs.js'
import { type Findings, hasErrors } from './report.js'
import { namedSpecs } from './specs.js'
import type { Stages } from './stages.js'
import type { Terminal } from './terminal.js'
import type { Timings } from './timings.js'

/** What is to be generated. */
export interface Request {
  /** Documents that the command line names; none stands for all of the project. */
  readonly specs: readonly string[]
  readonly out?: string
  readonly allowRemote?: true
  /** False: nothing of earlier runs is used, and nothing kept for later ones. */
  readonly cache: boolean
  /** False: every document is read, so that every version has its model. */
  readonly records?: boolean
  /** Pieces that earlier runs of this process have read, by document; this one's are put with them. */
  readonly pieces?: Map<string, StoredPieces>
  /** Milliseconds that each emitter of a team's own may take; undefined: as long as it has something to do. */
  readonly patience?: number
}

/** What generating comes to; nothing has been written. */
export interface Generation {
  readonly findings: readonly Findings[]
  /** None where a document has errors, and no comparisons then. */
  readonly versions: readonly Version[]
  readonly comparisons: readonly Comparison[]
}

/**
 * Generates documents in memory and compares the result with what is on disk. Throws UsageError for settings and
 * names that are wrong, InvalidInput for documents that are wrong together.
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

  readonly stages: Stages

  constructor(
    readonly request: Request,
    readonly terminal: Terminal,
    stages: Stages,
    readonly timings: Timings,
  ) {
    const { cwd } = terminal
    this.stages = extendedStages(stages, cwd)
    this.#isProject = request.specs.length === 0 && request.out === undefined
    this.#config = this.#isProject ? readConfig(cwd) : findConfig(cwd)
    this.#store = request.cache ? openStore(cwd) : undefined
    // What a team's emitter reads beside the model nobody knows, so that it always runs.
    const known = this.#config === undefined || this.#config.emitters.length === 0
    if (this.#store !== undefined && known) this.#records = new Records(this.#store, cwd, fingerprint())
  }

  async result(): Promise<Generation> {
    const { specs } = this.request
    const { cwd } = this.terminal
    const files = specs.length > 0 ? namedSpecs(specs, cwd) : projectSpecs(cwd)
    const recorded = new Map(
      this.timings.measure('cache', () => files.flatMap((file) => this.#recorded(file))),
    )
    const first = await this.#generate(files, recorded)
    const dirty = first.comparisons.filter(({ output }) => output.hashed).filter((one) => !isClean(one))
    if (dirty.length === 0) return first
    // A record says what the files shall be, but does not hold their texts.
    for (const version of first.versions)
      if (dirty.some(({ output }) => output.files === version.files)) recorded.delete(version.spec)
    return this.#generate(files, recorded)
  }

  #recorded(file: string): [string, Recorded][] {
    if (this.request.records === false) return []
    const found = this.#records?.find(file)
    if (found === undefined) return []
    const { title, version, operations, diagnostics, outputs } = found.record
    return [
      [
        file,
        {
          findings: { file, diagnostics, files: found.files },
          version: {
            ...{ spec: file, title, version, operations, hashed: true },
            files: new Map(outputs),
          },
        },
      ],
    ]
  }

  async #generate(files: readonly string[], recorded: ReadonlyMap<string, Recorded>): Promise<Generation> {
    const examined = new Map<string, Examined>()
    if (files.some((file) => !recorded.has(file))) this.stages.warmUp?.()
    for (const file of files) {
      if (recorded.has(file)) continue
      this.#progress(`reading ${file}`)
      const { allowRemote } = this.request
      const options = { timings: this.timings, ...(allowRemote && { allowRemote }) }
      examined.set(file, await examine(file, this.terminal.cwd, this.stages, options))
    }
    this.#progress()
    const findings = files.flatMap((file) => recorded.get(file)?.findings ?? examined.get(file) ?? [])
    if (findings.some(hasErrors)) return { findings, versions: [], comparisons: [] }
    const versions: Version[] = []
    for (const file of files) {
      const one = examined.get(file)
      const version = one === undefined ? recorded.get(file)?.version : await this.#emit(one)
      if (version !== undefined) versions.push(version)
    }
    this.#progress()
    const planned = await this.timings.measure('package', () => this.#plan(versions))
    return { findings, versions, comparisons: this.timings.measure('compare', () => planned.map(compare)) }
  }

  async #emit(examined: Examined): Promise<Version> {
    const { file, files: inputs, model, diagnostics } = examined
    if (model === undefined) throw new Error(`The model stage gave neither a model nor an error for ${file}`)
    this.#progress(`generating ${model.version}`)
    const pieces =
      this.request.pieces?.get(file) ?? (this.#store && new StoredPieces(this.#store, fingerprint(), file))
    if (pieces !== undefined) this.request.pieces?.set(file, pieces)
    const digests = new Map<string, string>()
    const { patience } = this.request
    const tools = {
      ...{ timings: this.timings, digests },
      ...(pieces && { pieces }),
      ...(patience !== undefined && { patience }),
    }
    const files = await this.stages.emit(model, inputs, file, tools)
    const { title, version } = model
    const operations = model.operations.length
    this.timings.measure('cache', () => {
      pieces?.save()
      this.#records?.keep(file, { title, version, operations, diagnostics }, examined, { files, digests })
    })
    return { spec: file, title, version, operations, model, files }
  }

  #plan(versions: readonly Version[]): Promise<Output[]> {
    return planOutputs(versions, {
      cwd: this.terminal.cwd,
      out: this.request.out,
      home: this.#config?.out,
      named: this.request.specs.length,
      packageName: this.#isProject ? this.#config?.package : undefined,
      stages: this.stages,
    })
  }

  /** One line that the next one replaces; nothing where nobody watches. */
  #progress(text = ''): void {
    if (this.terminal.interactive) this.terminal.err(`\r\u001b[K${text}`)
  }
}

/** A version that an earlier run has generated from the same input. */
interface Recorded {
  readonly findings: Findings
  readonly version: Version
}
