import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import type { Json, Position } from '../../document/document.js'

/** What a parser makes of a text: `value` is absent where anything was wrong. */
export interface Parsed {
  readonly value?: Json
  readonly diagnostics: readonly Diagnostic[]
  readonly locate: (segments: readonly string[]) => Position
}

/** Levels of nesting that a document may have; no real one comes near, and all that walk it may recurse. */
export const maximumDepth = 400
