import { compareText } from '../document/cursor.js'
import type { Position } from '../document/document.js'
import { type Code, catalogue } from './catalogue.js'
import type { Severity } from './code-definition.js'

/**
 * A fault of an input. `code` is stable and kebab-case; `message` names the thing and its fault; `remedy`
 * says what to do.
 */
export interface Diagnostic {
  readonly code: Code
  readonly severity: Severity
  readonly message: string
  readonly remedy: string
  readonly at: Position
  /** JSON pointer in the bundled document. Absent if the file could not be read that far. */
  readonly pointer?: string
  /** Other positions that belong to it, such as the second of two that clash. */
  readonly related?: readonly { readonly message: string; readonly at: Position }[]
}

/** A diagnostic with a code. Without an explicit remedy it has the catalogue's. */
export function diagnose(
  code: Code,
  message: string,
  at: Position,
  more: Pick<Partial<Diagnostic>, 'remedy' | 'related' | 'pointer'> = {},
): Diagnostic {
  const { severity, fix } = catalogue[code]
  return { code, severity, message, remedy: fix, at, ...more }
}

/** Sorted by file (the entry file first), line and column. Removes duplicates. */
export function arrange(diagnostics: readonly Diagnostic[], entryFile?: string): Diagnostic[] {
  const unique = new Map<string, Diagnostic>()
  for (const diagnostic of diagnostics) {
    const { file, line, column } = diagnostic.at
    const key = JSON.stringify([file, line, column, diagnostic.code, diagnostic.message])
    if (!unique.has(key)) unique.set(key, diagnostic)
  }
  const rank = (file: string) => (file === entryFile ? '' : file)
  return [...unique.values()].sort(
    (a, b) =>
      compareText(rank(a.at.file), rank(b.at.file)) ||
      a.at.line - b.at.line ||
      a.at.column - b.at.column ||
      compareText(a.code, b.code) ||
      compareText(a.message, b.message),
  )
}
