import type { Json } from '../../contract/parsed-json.js'
import type { Violation } from '../../contract/problem-details.js'
import { inexact, report } from '../../contract/violations.js'

/** The inexact numbers of one call. */
export interface InexactNumbers {
  readonly id: Violation | undefined
  /** Paths are relative to the params. */
  readonly params: readonly Violation[]
}

/**
 * Groups a body's inexact numbers by call: `/` and its index in a batch, '' for a single call. One pass,
 * since any call of a batch may contain all of them.
 *
 * @param place where a call has its params
 */
export function inexactByCall(
  { value, inexact: pointers, isRounded }: Json,
  place = '/params/',
): ReadonlyMap<string, InexactNumbers> {
  const calls = new Map<string, { id: Violation | undefined; params: Violation[] }>()
  for (const pointer of pointers) {
    const start = Array.isArray(value) ? pointer.indexOf('/', 1) : 0
    if (start === -1) continue
    const isParam = pointer.startsWith(place, start)
    if (!isParam && pointer.slice(start) !== '/id') continue
    const call = pointer.slice(0, start)
    const numbers = calls.get(call) ?? { id: undefined, params: [] }
    calls.set(call, numbers)
    if (isParam) report(numbers.params, inexact(pointer.slice(start + place.length - 1), isRounded))
    else numbers.id = inexact('/id', isRounded)
  }
  return calls
}
