import { type NameSource, reserved } from './source.js'
import type { TakenNames } from './taken-names.js'
import { partOf, wordsOf } from './words.js'

/** The first name that is free and neither begins nor continues another: one of the wished ones, else one made of the first. */
export function settle(wished: readonly string[], source: NameSource, taken: TakenNames): string {
  const [wanted = ''] = wished
  for (const name of possibleNames(wished, source)) if (isFree(name, taken)) return name
  for (;;) {
    const name = `${wanted}_${taken.count(wanted)}`
    if (isFree(name, taken)) return name
  }
}

export function isFree(name: string, taken: TakenNames): boolean {
  return !reserved.has(name) && !taken.meets(name)
}

/** Whether an operation with these wishes may be called so. */
export function isPossible(name: string, wished: readonly string[], source: NameSource): boolean {
  const [wanted = ''] = wished
  const isCounted = name.startsWith(wanted) && /^_\d+$/.test(name.slice(wanted.length))
  return isCounted || possibleNames(wished, source).includes(name)
}

function possibleNames(wished: readonly string[], { verb }: NameSource): string[] {
  const [wanted = ''] = wished
  const parts = wanted.split('.')
  const joined = parts.slice(1).map((_, index) => {
    const kept = parts.slice(0, -(index + 2))
    return [...kept, parts.slice(kept.length).join('_')].join('.')
  })
  return [...wished, `${wanted}_${partOf(wordsOf(verb))}`, ...joined]
}
