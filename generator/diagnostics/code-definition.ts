/** `info` says what is done with a usual form of document, where nobody needs to change anything. */
export type Severity = 'error' | 'warning' | 'info'

/** The fixed parts of a code: its severity, title, cause and fix. */
export interface CodeDefinition {
  readonly severity: Exclude<Severity, 'info'>
  readonly title: string
  readonly cause: string
  readonly fix: string
  /** Whether tools interpret a schema with the fault differently, so nothing certain follows from it. */
  readonly isAmbiguous?: true
  /** Whether only a service is affected. For a project with only clients an error is a warning, and a warning is left out. */
  readonly isOfService?: true
}

/** Title, cause and fix of a code. */
export type CodeTexts = readonly [title: string, cause: string, fix: string]
