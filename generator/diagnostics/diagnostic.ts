import type { Position } from '../document/document.js'

/**
 * Something wrong in an input, as a value. `code` is stable and kebab-case; `message` says what is
 * wrong with which thing; `remedy` says what to do about it.
 */
export interface Diagnostic {
  readonly code: string
  readonly severity: 'error' | 'warning'
  readonly message: string
  readonly remedy: string
  readonly at: Position
  /** JSON pointer into the bundled document; absent where the file could not be read that far. */
  readonly pointer?: string
  /** Other places that belong to it, such as the second of two that clash. */
  readonly related?: readonly { readonly message: string; readonly at: Position }[]
}

/** Sorted by file (the entry file first), line and column; those that say the same of the same place once. */
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
      compare(rank(a.at.file), rank(b.at.file)) ||
      a.at.line - b.at.line ||
      a.at.column - b.at.column ||
      compare(a.code, b.code) ||
      compare(a.message, b.message),
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
