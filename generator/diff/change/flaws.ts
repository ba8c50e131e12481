import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import type { Document, Json } from '../../document/document.js'
import { formatPointer, parsePointer, valueAt } from '../../document/pointer.js'

/** Schemas that AJV refuses, each with what is wrong with it, by their pointers and by themselves. */
export interface Flaws {
  readonly at: ReadonlyMap<string, string>
  readonly of: ReadonlyMap<Json, string>
  /** Operations of which two params clash, each with what is wrong, by their pointers. */
  readonly clashes: ReadonlyMap<string, string>
}

/**
 * Where a document's schemas are none by the meta-schema, have a pattern that is no regular expression, or refer to
 * no schema, or to themselves on the same value. Nothing certain can be said of such a schema, since every tool reads something else into it.
 */
export function flawsOf(document: Document, diagnostics: readonly Diagnostic[]): Flaws {
  const at = new Map<string, string>()
  const of = new Map<Json, string>()
  const clashes = new Map<string, string>()
  for (const diagnostic of diagnostics) {
    const { code, pointer, message } = diagnostic
    if (code === 'params-clash' && pointer !== undefined) clashes.set(pointer, message)
    const segments = pointer === undefined || !isFlaw(diagnostic) ? undefined : parsePointer(pointer)
    if (segments === undefined) continue
    for (const owner of owners(segments)) {
      at.set(formatPointer(owner), message)
      const value = valueAt(document.root, owner)
      if (typeof value === 'object' && value !== null) of.set(value, message)
    }
  }
  return { at, of, clashes }
}

/** Whether a diagnostic says that nothing certain can be said of the schema where it stands. */
export function isFlaw({ code }: Diagnostic): boolean {
  return codes.has(code)
}

const codes = new Set([
  'wrong-type',
  'invalid-value',
  'value-ignored',
  'pattern-invalid',
  'reference-missing',
  'reference-anchor',
  'reference-kind',
  'reference-cycle',
  'schema-recursion',
])

/** The place itself, and the schema whose keyword it is or stands in. */
function owners(segments: readonly string[]): string[][] {
  const found = [[...segments], segments.slice(0, -1)]
  const holder = segments.at(-2)
  if (holder !== undefined && holders.has(holder)) found.push(segments.slice(0, -2))
  return found
}

/** Keywords whose value holds names or values of its own. */
const holders = new Set([
  'patternProperties',
  'required',
  'enum',
  'type',
  'dependentRequired',
  'dependentSchemas',
])
