import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import type { Document, InputFile } from '../../document/document.js'
import type { EmitTools } from '../../emit/emit.js'
import type { PackagedVersion, PackageOptions } from '../../emit/package.js'
import type { Before } from '../../model/build/build.js'
import type { Model } from '../../model/model.js'
import type { Naming } from '../../model/naming/naming.js'
import type { Int64 } from '../../schema/int64.js'

type Awaitable<T> = T | Promise<T>

/** The stages after lint. Each is loaded when it is called: a run may need none. */
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
  /** Text of each file next to the version folders. */
  readonly emitPackage: (
    versions: readonly PackagedVersion[],
    name: string,
    options?: PackageOptions,
  ) => Awaitable<ReadonlyMap<string, string>>
}
