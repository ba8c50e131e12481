import { type NameSource, reserved } from './source.js'
import type { TakenNames } from './taken-names.js'
import { partOf, wordsOf } from './words.js'

/** The first possible name that is free. */
export function settle(wished: readonly string[], source: NameSource, taken: TakenNames): string {
  const [wanted = ''] = wished
  for (const name of possibleNames(wished, source)) if (isFree(name, taken)) return name
  for (;;) {
    const name = `${wanted}_${taken.count(wanted)}`
    if (isFree(name, taken)) return name
  }
}

/** Whether no operation has this name, and none has a name that starts or continues it. */
export function isFree(name: string, taken: TakenNames): boolean {
  return !reserved.has(name) && !taken.meets(name)
}

/** Whether `settle` could return this name for the operation. */
export function isPossible(name: string, wished: readonly string[], source: NameSource): boolean {
  const [wanted = ''] = wished
  if (name.startsWith(wanted) && /^_\d+$/.test(name.slice(wanted.length))) return true
  for (const possible of possibleNames(wished, source)) if (possible === name) return true
  return false
}

function* possibleNames(wished: readonly string[], { verb }: NameSource): Generator<string> {
  const [wanted = ''] = wished
  yield* wished
  yield `${wanted}_${partOf(wordsOf(verb))}`
  const parts = wanted.split('.')
  for (let joined = 2; joined <= parts.length; joined++) {
    yield [...parts.slice(0, -joined), parts.slice(-joined).join('_')].join('.')
  }
}
