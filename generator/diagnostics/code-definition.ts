import type { Diagnostic } from './diagnostic.js'

/** What is fixed about a code: how grave it is, and in words what it is, where it comes from, what to do. */
export interface CodeDefinition {
  readonly severity: Diagnostic['severity']
  readonly title: string
  readonly cause: string
  readonly fix: string
}

/** Title, cause and fix of a code. */
export type CodeTexts = readonly [title: string, cause: string, fix: string]
