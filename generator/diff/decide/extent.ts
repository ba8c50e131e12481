import type { Json } from '../../document/document.js'
import { isArray, isObject } from '../../document/json.js'
import { referenced, type Side } from '../change/side.js'

/** Containment of schemas that lead to more objects takes longer than milliseconds. */
export const extent = 400

/**
 * Why a schema stays undecided: it and its references have more objects than `limit`, or AJV refuses one of them.
 * Undefined if it can be decided.
 */
export function obstacle(
  side: Side,
  schema: Json,
  limit: number,
  isSame: (reference: string) => boolean = () => false,
): string | undefined {
  const seen = new Set<Json>()
  const waiting: Json[] = [schema]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (isArray(at)) waiting.push(...at)
    if (!isObject(at) || seen.has(at)) continue
    seen.add(at)
    if (seen.size > limit) return `the schema leads to more than ${limit} others`
    const flaw = side.flaws.of.get(at)
    if (flaw !== undefined) return refusal(flaw)
    const target = referenced(side, at.$ref)
    // Usually, what is the same in both versions is not read. If schemas have flaws it is, because AJV may refuse it.
    if (typeof at.$ref === 'string' && side.flaws.of.size === 0 && isSame(at.$ref)) continue
    if (target !== undefined) waiting.push(target.value)
    for (const member of Object.values(at))
      if (typeof member === 'object' && member !== null) waiting.push(member)
  }
  return undefined
}

/** The reason if AJV refuses a schema. */
export function refusal(flaw: string): string {
  return `AJV refuses a schema (${flaw})`
}
