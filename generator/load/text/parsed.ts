import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import type { Json, Position } from '../../document/document.js'

/** The result of a parser. `value` is absent if there is any error. */
export interface Parsed {
  readonly value?: Json
  readonly diagnostics: readonly Diagnostic[]
  readonly locate: (segments: readonly string[]) => Position
}

/** Maximum nesting of a document. No real one comes near, and recursive code is safe up to here. */
export const maximumDepth = 400
