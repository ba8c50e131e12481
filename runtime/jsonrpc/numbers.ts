import type { Json } from '../core/json.js'
import type { Violation } from '../core/problem.js'
import { inexact, MAX_VIOLATIONS } from '../core/violations.js'

/** What is wrong with the numbers of one call. */
export interface InexactNumbers {
  readonly id: Violation | undefined
  /** Paths begin at the params. */
  readonly params: readonly Violation[]
}

/**
 * The inexact numbers of a body by the call that they stand in: `/` and its index in a batch, '' for a
 * single call. Sorted once, since any of a batch's calls may hold them all.
 */
export function inexactByCall({
  value,
  inexact: pointers,
  isRounded,
}: Json): ReadonlyMap<string, InexactNumbers> {
  if (pointers.length === 0) return NONE
  const calls = new Map<string, { id: Violation | undefined; params: Violation[] }>()
  let full: string | undefined
  for (const pointer of pointers) {
    if (full !== undefined && pointer.startsWith(full)) continue
    const start = Array.isArray(value) ? pointer.indexOf('/', 1) : 0
    if (start === -1) continue
    const place = pointer.slice(0, start)
    const numbers = calls.get(place) ?? { id: undefined, params: [] }
    calls.set(place, numbers)
    if (pointer.startsWith(PARAMS, start)) {
      if (numbers.params.length === MAX_VIOLATIONS) full = place + PARAMS
      else numbers.params.push(inexact(pointer.slice(start + PARAMS.length - 1), isRounded))
    } else if (pointer.slice(start) === '/id') numbers.id = inexact('/id', isRounded)
  }
  return calls
}

const PARAMS = '/params/'

const NONE: ReadonlyMap<string, InexactNumbers> = new Map()
