import type { Json } from '../../document/document.js'
import { isArray, isObject } from '../../document/json.js'
import { hasMergedNumbers } from '../../document/written-digits.js'
import { referenced, type Side } from '../change/side.js'

/** The most objects of a schema, with its references, for which containment takes only milliseconds. */
export const mostObjects = 400

/**
 * Why a schema stays undecided: it and its references have more objects than `limit`, or AJV refuses one of them.
 * Undefined if it can be decided. `numbers`: the decimals of the doubles in the other schema, to which it adds its own.
 */
export function obstacle(
  side: Side,
  schema: Json,
  limit: number,
  isSame: (reference: string) => boolean = () => false,
  numbers: Map<number, string> = new Map(),
): string | undefined {
  const seen = new Set<Json>()
  const waiting: Json[] = [schema]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (typeof at === 'object' && at !== null && hasMergedNumbers(at, numbers)) return mergedNumbers
    if (isArray(at)) waiting.push(...at)
    if (!isObject(at) || seen.has(at)) continue
    seen.add(at)
    if (seen.size > limit) return `the schema leads to more than ${limit} others`
    const flaw = side.flaws.of.get(at)
    if (flaw !== undefined) return refusal(flaw)
    const target = referenced(side, at.$ref)
    // A schema that both versions have needs no reading, unless AJV may refuse it.
    if (typeof at.$ref === 'string' && side.flaws.of.size === 0 && isSame(at.$ref)) continue
    if (target !== undefined) waiting.push(target.value)
    for (const member of Object.values(at))
      if (typeof member === 'object' && member !== null) waiting.push(member)
  }
  return undefined
}

const mergedNumbers = 'it has numbers that differ only in digits that a double does not hold'

/** Whether a schema stays undecided because no automaton matches one of its patterns. */
export function isOfPattern(reason: string): boolean {
  return reason.startsWith('a pattern ')
}

/** Says that AJV refuses a schema, and why. */
export function refusal(flaw: string): string {
  return `AJV refuses a schema (${flaw})`
}
