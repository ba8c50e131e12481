import type { Position } from '../document/document.js'
import type { CodeDefinition, CodeTexts } from './code-definition.js'
import { duetErrors } from './codes-duet.js'
import { gateErrors, gateWarnings } from './codes-gate.js'
import { openapiErrors } from './codes-openapi.js'
import { readingErrors } from './codes-reading.js'
import { warnings } from './codes-warning.js'
import type { Diagnostic } from './diagnostic.js'

/** Every code of load, lint, the model stage and reviews, by stage. `duet lint --explain CODE` prints an entry. */
export const catalogue = {
  ...entries('error', { ...readingErrors, ...openapiErrors, ...duetErrors, ...gateErrors }),
  ...entries('warning', { ...warnings, ...gateWarnings }),
} as const

export type Code = keyof typeof catalogue

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
  severity: Diagnostic['severity'],
  texts: Record<Codes, CodeTexts>,
): Record<Codes, CodeDefinition> {
  const list = Object.entries<CodeTexts>(texts)
  const definitions = list.map(
    ([code, [title, cause, fix]]) => [code, { severity, title, cause, fix }] as const,
  )
  return Object.fromEntries(definitions) as Record<Codes, CodeDefinition>
}
