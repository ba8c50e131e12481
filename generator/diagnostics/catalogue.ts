import type { Position } from '../document/document.js'
import type { CodeDefinition, CodeTexts } from './code-definition.js'
import { ambiguousErrors, ambiguousWarnings } from './codes-ambiguous.js'
import { duetErrors, serviceErrors } from './codes-duet.js'
import { gateErrors, gateWarnings } from './codes-gate.js'
import { openapiErrors } from './codes-openapi.js'
import { readingErrors } from './codes-reading.js'
import { warnings } from './codes-warning.js'
import type { Diagnostic } from './diagnostic.js'

/**
 * Every code of load, lint, the model stage and reviews. `duet lint --explain CODE` prints an entry. The group of a code
 * decides what else follows from it.
 */
export const catalogue = {
  ...entries({ severity: 'error' }, { ...readingErrors, ...openapiErrors, ...duetErrors, ...gateErrors }),
  ...entries({ severity: 'error', isOfService: true }, serviceErrors),
  ...entries({ severity: 'error', isAmbiguous: true }, ambiguousErrors),
  ...entries({ severity: 'warning' }, { ...warnings, ...gateWarnings }),
  ...entries({ severity: 'warning', isAmbiguous: true }, ambiguousWarnings),
} as const

export type Code = keyof typeof catalogue

/** The entry of a diagnostic's code. Undefined for the code of a project's own emitter. */
export function definitionOf({ code }: Pick<Diagnostic, 'code'>): CodeDefinition | undefined {
  return Object.hasOwn(catalogue, code) ? catalogue[code as Code] : undefined
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
