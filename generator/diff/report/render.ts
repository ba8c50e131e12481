import type { ShadowChanges } from 'duet-runtime'
import type { Comparison } from '../change/change.js'
import { inertJson } from '../change/inert.js'
import { failing, type Gate, passed } from '../gate/gate.js'
import { waiversText } from '../gate/waiver-text.js'
import { comparisonAnnotations } from './github.js'
import { comparisonHtml, type Texts } from './html/html.js'
import { comparisonJson } from './json.js'
import { comparisonJunit } from './junit.js'
import { comparisonMarkdown } from './markdown.js'
import type { References } from './references.js'
import { comparisonSarif } from './sarif.js'
import { comparisonText, type TextOptions } from './text.js'

export type Format =
  | 'text'
  | 'json'
  | 'markdown'
  | 'html'
  | 'sarif'
  | 'junit'
  | 'github'
  | 'waivers'
  | 'shadow'

export interface RenderOptions extends TextOptions {
  /** The documents' files, for excerpts. */
  readonly texts?: Texts
  /** The references of both versions, for links. */
  readonly references?: References | undefined
  /** Duet's version. */
  readonly version?: string
  readonly gate?: Gate
  /** For the format `shadow`. Absent if nothing can be generated from a document. */
  readonly shadow?: ShadowChanges | undefined
}

/** A comparison as a file in one of the formats. */
export function render(comparison: Comparison, format: Format, options: RenderOptions = {}): string {
  const gate = options.gate ?? { ...passed, failing: failing(comparison.changes, 'breaking') }
  const failed = gate.failing
  switch (format) {
    case 'text':
      return comparisonText(comparison, options)
    case 'json':
      return `${inertJson(comparisonJson(comparison, options.gate ?? passed), 2)}\n`
    case 'markdown':
      return comparisonMarkdown(comparison, options.gate)
    case 'html':
      return comparisonHtml(comparison, options.texts, options.gate, options.references)
    case 'sarif':
      return `${inertJson(comparisonSarif(comparison, options.version ?? '0.0.0', gate.objections), 2)}\n`
    case 'junit':
      return comparisonJunit(comparison, gate)
    case 'github':
      return comparisonAnnotations(comparison, gate)
    case 'shadow':
      return `${inertJson(options.shadow ?? null, 2)}\n`
    case 'waivers':
      // If the gate fails on nothing, list the breaking changes.
      return waiversText(comparison, failed.length > 0 ? failed : failing(comparison.changes, 'breaking'))
  }
}
