import { lint } from '../lint/lint.js'
import { arrange } from '../load/diagnostic.js'
import { loadDocument } from '../load/load.js'
import type { Model } from '../model/model.js'
import { type Findings, hasErrors } from './report.js'
import type { Stages } from './stages.js'

/** A document with everything that load, lint and the model stage say of it. */
export interface Examined extends Findings {
  /** Absent where there are errors. */
  readonly model?: Model
}

/** Loads, lints and models a document. The model is only built where nothing before it found an error. */
export function examine(file: string, cwd: string, stages: Pick<Stages, 'buildModel'>): Examined {
  const { document, diagnostics, files } = loadDocument(file, { cwd })
  if (document === undefined) return { file, diagnostics, files }
  const linted = arrange([...diagnostics, ...lint(document)], file)
  if (hasErrors({ diagnostics: linted })) return { file, diagnostics: linted, files }
  const built = stages.buildModel(document)
  const all = arrange([...linted, ...built.diagnostics], file)
  const valid = built.model !== undefined && !hasErrors({ diagnostics: all })
  return { file, diagnostics: all, files, ...(valid && built.model && { model: built.model }) }
}
