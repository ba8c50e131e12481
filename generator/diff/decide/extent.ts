import type { Json } from '../../document/document.js'
import { isArray, isObject } from '../../document/json.js'
import { referenced, type Side } from '../change/side.js'

/** Schemas that lead to more than so many objects are no question of milliseconds. */
export const extent = 400

/**
 * Why nothing is decided of a schema: it and all that its references lead to have more than so many objects, or AJV
 * refuses one of them. Undefined where it can be decided.
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
    // What is the same in both versions is not read as a rule, but where it may be refused.
    if (typeof at.$ref === 'string' && side.flaws.of.size === 0 && isSame(at.$ref)) continue
    if (target !== undefined) waiting.push(target.value)
    for (const member of Object.values(at))
      if (typeof member === 'object' && member !== null) waiting.push(member)
  }
  return undefined
}

/** The reason where one schema is none that AJV takes. */
export function refusal(flaw: string): string {
  return `AJV refuses a schema (${flaw})`
}
