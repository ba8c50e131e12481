import type { Pieces } from '../cache/pieces.js'
import type { Templates } from '../extend/templates.js'
import type { Diagnostic } from '../load/diagnostic.js'
import type { Document, InputFile } from '../load/document.js'
import type { Before } from '../model/build.js'
import type { Int64 } from '../model/int64.js'
import type { Model } from '../model/model.js'
import type { Naming } from '../model/naming/naming.js'
import type { Neighbours } from '../reference/neighbours.js'
import type { Timings } from './timings.js'

type Awaitable<T> = T | Promise<T>

/** The stages after lint, as the commands call them. Each is loaded when it is called: a run may need none. */
export interface Stages {
  readonly buildModel: (
    document: Document,
    naming?: Naming,
    before?: Before,
    int64?: Int64,
  ) => Awaitable<{
    readonly model?: Model
    readonly diagnostics: readonly Diagnostic[]
  }>
  /** Text of each file of a version, by its path within the version's folder; includes manifest.json. */
  readonly emit: (
    model: Model,
    inputs: readonly InputFile[],
    specPath: string,
    tools?: EmitTools,
  ) => Awaitable<ReadonlyMap<string, string>>
  /** Text of each file that stands beside the version folders. */
  readonly emitPackage: (
    versions: readonly { readonly version: string; readonly title: string }[],
    name: string,
    options?: PackageOptions,
  ) => Awaitable<ReadonlyMap<string, string>>
}

export interface PackageOptions {
  /** What the README is made from. Default: duet's own. */
  readonly templates?: Templates
  /** Whether versions have nothing but clients. */
  readonly clientOnly?: boolean
}

export interface EmitTools {
  /** Writes nothing but what a client needs. */
  readonly clientOnly?: boolean
  readonly pieces?: Pieces
  readonly timings?: Timings
  /** Gets the SHA-256 of files by their paths, for whoever would hash them again. */
  readonly digests?: Map<string, string>
  /** Milliseconds that each emitter of a team's own may take; undefined: as long as it has something to do. */
  readonly patience?: number
  /** What the reference says of other versions; undefined: there shall be no reference. */
  readonly reference?: Neighbours
  /** Folder whose templates come before duet's own. */
  readonly templates?: string
}
