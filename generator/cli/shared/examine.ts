import type { Pieces } from '../../cache/pieces.js'
import { catalogue } from '../../diagnostics/catalogue.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import type { Document } from '../../document/document.js'
import type { Reading } from '../../load/selection.js'
import type { Model } from '../../model/model.js'
import { findConfig } from '../../project/config.js'
import { Timings } from '../../project/timings.js'
import type { Int64 } from '../../schema/int64.js'
import { namingOf, type Output } from './naming.js'
import { type Findings, hasErrors } from './report.js'
import type { Stages } from './stages.js'

/** A document with the results of load, lint and the model stage. */
export interface Examined extends Findings {
  /** Absent if there are errors. */
  readonly model?: Model
  readonly links: ReadonlyMap<string, string>
  /** Absent if there are errors. */
  readonly document?: Document
}

export interface ExamineOptions {
  /** Whether to follow references over http and https. */
  readonly allowRemote?: true
  readonly timings?: Timings
  /** Results of earlier runs. */
  readonly pieces?: Pieces
  /** Where generated versions are. Default: where the project has them. */
  readonly output?: Output
  /** Which parts of the document count. Default: the config file of the folder. */
  readonly reading?: Reading
  /** Whether to generate only clients. Default: the config file of the folder. */
  readonly clientOnly?: boolean
  /** Whether to look for all that a document should say better, which takes longer. */
  readonly isLinting?: true
  /** The TypeScript type of int64 integers. Default: the config file of the folder. */
  readonly int64?: Int64
}

/** The option of every command that reads documents. */
export const allowRemote = [
  '--allow-remote',
  'follow each $ref over http and https (default: an error)',
] as const

/** Loads, lints and models a document. Builds the model only if there are no errors before. */
export async function examine(
  file: string,
  cwd: string,
  stages: Pick<Stages, 'buildModel'>,
  options: ExamineOptions = {},
): Promise<Examined> {
  const { allowRemote, timings = new Timings(), pieces, output } = options
  // A run without changes reads no document, and need not load the readers.
  const [{ loadDocument }, { lint }, { arrange }] = await timings.measure('modules', () =>
    Promise.all([
      import('../../load/load.js'),
      import('../../lint/lint.js'),
      import('../../diagnostics/diagnostic.js'),
    ]),
  )
  const config = findConfig(cwd)
  const { reading = config?.reading ?? {}, clientOnly = config?.clientOnly === true } = options
  const { int64 = config?.int64 } = options
  const loaded = timings.measure('load', () =>
    loadDocument(file, { cwd, remote: allowRemote === true, reading }),
  )
  const { document, files, links } = loaded
  const found = (diagnostics: readonly Diagnostic[]) => ({ file, diagnostics, files, links })
  if (document === undefined) return found(loaded.diagnostics)
  const all = timings.measure('lint', () => lint(document, pieces))
  const faults = clientOnly ? all.flatMap(forClients) : all
  const linted = arrange([...loaded.diagnostics, ...faults], file)
  if (hasErrors({ diagnostics: linted })) return found(linted)
  const naming = namingOf(document, cwd, output)
  const built = await timings.measure('model', () => stages.buildModel(document, naming, undefined, int64))
  const complete = arrange([...linted, ...built.diagnostics, ...(await advice(built.model, options))], file)
  const valid = built.model !== undefined && !hasErrors({ diagnostics: complete })
  return { ...found(complete), ...(valid && built.model && { model: built.model, document }) }
}

/** Loads what compares schemas only for documents with tools. */
async function advice(
  model: Model | undefined,
  { isLinting }: Pick<ExamineOptions, 'isLinting'>,
): Promise<Diagnostic[]> {
  if (isLinting !== true || model?.operations.some(({ tool }) => tool !== undefined) !== true) return []
  const { adviceOn } = await import('../../mcp/advice.js')
  return adviceOn(model)
}

/** For a project with only clients, an error that only matters to a service is a warning, and a warning is none. */
function forClients(diagnostic: Diagnostic): Diagnostic[] {
  const { severity, isOfService = false } = catalogue[diagnostic.code]
  if (!isOfService) return [diagnostic]
  return severity === 'error' ? [{ ...diagnostic, severity: 'warning' }] : []
}
