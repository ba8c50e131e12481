import { catalogue } from '../../diagnostics/catalogue.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import type { Document, Json } from '../../document/document.js'
import { formatPointer, parsePointer, valueAt } from '../../document/pointer.js'

/** The schemas that AJV refuses, each with the reason, by pointer and by value. */
export interface Flaws {
  readonly at: ReadonlyMap<string, string>
  readonly of: ReadonlyMap<Json, string>
  /** The operations with two params that clash, each with the reason, by pointer. */
  readonly clashes: ReadonlyMap<string, string>
}

/**
 * Finds the schemas that violate the meta-schema, have an invalid pattern, or refer to no schema or to themselves for
 * the same value. Tools interpret such schemas differently, so nothing certain follows from them.
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

/** Whether a diagnostic means that nothing certain follows from the schema that it is about. */
export function isFlaw(diagnostic: Diagnostic): boolean {
  return catalogue[diagnostic.code].isAmbiguous === true
}

/** The pointer itself, and the schema whose keyword it is or is inside. */
function owners(segments: readonly string[]): string[][] {
  const found = [[...segments], segments.slice(0, -1)]
  const holder = segments.at(-2)
  if (holder !== undefined && holders.has(holder)) found.push(segments.slice(0, -2))
  return found
}

/** Keywords whose values contain names or values. */
const holders = new Set([
  'patternProperties',
  'required',
  'enum',
  'type',
  'dependentRequired',
  'dependentSchemas',
])
