import type { Code } from '../../diagnostics/catalogue.js'
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import { type Cursor, member } from '../../document/cursor.js'
import type { Document } from '../../document/document.js'
import type { Operation } from '../model.js'

/**
 * `deprecated` with `x-deprecated-since` and `x-sunset`, as seconds since the epoch. A date without a time is
 * its first moment in UTC. Undefined for an operation that is not deprecated and has no sunset.
 */
export function readDeprecation(
  document: Document,
  operation: Cursor,
  diagnostics: Diagnostic[],
): Operation['deprecation'] {
  const since = moment(
    document,
    member(operation, 'x-deprecated-since'),
    'deprecation-date-invalid',
    diagnostics,
  )
  const sunset = moment(document, member(operation, 'x-sunset'), 'sunset-invalid', diagnostics)
  if (member(operation, 'deprecated')?.value !== true && sunset === undefined) return undefined
  return { ...(since !== undefined && { since }), ...(sunset !== undefined && { sunset }) }
}

function moment(
  document: Document,
  cursor: Cursor | undefined,
  code: Code,
  diagnostics: Diagnostic[],
): number | undefined {
  if (cursor === undefined) return undefined
  const { value } = cursor
  const time = typeof value === 'string' && isoDate.test(value) ? Date.parse(value) : Number.NaN
  if (!Number.isNaN(time)) return Math.floor(time / 1000)
  const remedy = "Write it as '2026-01-31' or '2026-01-31T00:00:00Z'."
  const message = `${JSON.stringify(value)} is not a date`
  diagnostics.push(diagnose(code, message, document.locate(cursor.pointer), { remedy }))
  return undefined
}

const isoDate = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2}))?$/
