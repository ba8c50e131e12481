import type { Diagnostic } from '../load/diagnostic.js'
import type { Document, InputFile } from '../load/document.js'
import type { Model } from '../model/model.js'

/** The stages after lint, as the commands call them. */
export interface Stages {
  readonly buildModel: (document: Document) => {
    readonly model?: Model
    readonly diagnostics: readonly Diagnostic[]
  }
  /** Text of each file of a version, by its path within the version's folder; includes manifest.json. */
  readonly emit: (
    model: Model,
    inputs: readonly InputFile[],
    specPath: string,
  ) => Promise<ReadonlyMap<string, string>>
  /** Text of each file that stands beside the version folders. */
  readonly emitPackage: (
    versions: readonly { readonly version: string; readonly title: string }[],
    name: string,
  ) => ReadonlyMap<string, string>
}
