import type { Diagnostic } from './diagnostic.js'

/** The fixed parts of a code: its severity, title, cause and fix. */
export interface CodeDefinition {
  readonly severity: Diagnostic['severity']
  readonly title: string
  readonly cause: string
  readonly fix: string
}

/** Title, cause and fix of a code. */
export type CodeTexts = readonly [title: string, cause: string, fix: string]
