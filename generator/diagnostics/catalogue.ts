import type { CodeDefinition, CodeTexts } from './code-definition.js'
import { ambiguousErrors, ambiguousWarnings } from './codes-ambiguous.js'
import { duetErrors, serviceErrors } from './codes-duet.js'
import { gateErrors, gateWarnings } from './codes-gate.js'
import { openapiErrors } from './codes-openapi.js'
import { readingErrors } from './codes-reading.js'
import { unlintedErrors } from './codes-unlinted.js'
import { serviceWarnings, warnings } from './codes-warning.js'

/**
 * Every code of load, lint, the model stage and reviews. `duet lint --explain CODE` prints an entry. The group of a
 * code decides what else follows from it.
 */
export const catalogue = {
  ...entries(
    { severity: 'error' },
    { ...readingErrors, ...openapiErrors, ...duetErrors, ...gateErrors, ...unlintedErrors },
  ),
  ...entries({ severity: 'error', isOfService: true }, serviceErrors),
  ...entries({ severity: 'error', isAmbiguous: true }, ambiguousErrors),
  ...entries({ severity: 'warning', isOfService: true }, serviceWarnings),
  ...entries({ severity: 'warning' }, { ...warnings, ...gateWarnings }),
  ...entries({ severity: 'warning', isAmbiguous: true }, ambiguousWarnings),
} as const

/** The codes of the tables: a misspelt code does not compile. */
export type Code = keyof typeof catalogue

function entries<Codes extends string>(
  common: Omit<CodeDefinition, 'title' | 'cause' | 'fix'>,
  texts: Record<Codes, CodeTexts>,
): Record<Codes, CodeDefinition> {
  const list = Object.entries<CodeTexts>(texts)
  const definitions = list.map(
    ([code, [title, cause, fix]]) => [code, { ...common, title, cause, fix }] as const,
  )
  return Object.fromEntries(definitions) as Record<Codes, CodeDefinition>
}
