import { Undecidable } from '../patterns/budget.js'
import type { Json } from './values/value.js'

/** The answer to: is every instance of A an instance of B? */
export type Verdict =
  | { readonly verdict: 'contained' }
  | { readonly verdict: 'not-contained'; readonly witness: Json }
  | { readonly verdict: 'unknown'; readonly reason: string }

export function unknown(reason: string): Verdict {
  return { verdict: 'unknown', reason }
}

/** The result of a search. Becomes a verdict of unknown if it exceeds budget or depth, or fails otherwise. */
export function guarded<T>(search: () => T): T | Verdict {
  try {
    return search()
  } catch (error) {
    if (error instanceof Undecidable) return unknown(error.message)
    if (error instanceof RangeError) return unknown('schemas are nested too deeply')
    return unknown(`the search failed: ${error instanceof Error ? error.message : String(error)}`)
  }
}
