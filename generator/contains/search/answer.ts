import type { Json } from '../values/value.js'

/**
 * The result of a search: distinct values that satisfy a goal. `complete`: there are no others. No values and
 * not complete means undecided, and `reason` explains why.
 */
export interface SearchResult {
  readonly values: readonly Json[]
  readonly complete: boolean
  readonly reason?: string | undefined
}

export const nothing: SearchResult = { values: [], complete: true }

/** No value was found, but none was ruled out. */
export function undecided(reason: string | undefined): SearchResult {
  return { values: [], complete: false, reason: reason ?? 'no value was found' }
}

/** The first `want` combinations of one value from each list. The first lists vary last. */
export function* combinations(lists: readonly (readonly Json[])[], want: number): Iterable<Json[]> {
  const sizes = lists.map((list) => list.length)
  if (sizes.includes(0)) return
  const at = lists.map(() => 0)
  for (let made = 0; made < want; made++) {
    yield lists.map((list, i) => list[at[i] ?? 0] ?? null)
    let place = lists.length - 1
    while (place >= 0) {
      const next = (at[place] ?? 0) + 1
      if (next < (sizes[place] ?? 0)) {
        at[place] = next
        break
      }
      at[place] = 0
      place -= 1
    }
    if (place < 0) return
  }
}

/** How many combinations there are. */
export function combinationCount(lists: readonly (readonly Json[])[]): number {
  return lists.reduce((product, list) => product * list.length, 1)
}
