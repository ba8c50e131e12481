import type { Json } from '../../load/document.js'
import { isArray, isObject } from '../../load/json.js'
import { referenced, type Side } from '../side.js'

/** Whether a schema and all that its references lead to has no more than so many objects. */
export function isWithin(side: Side, schema: Json, limit: number): boolean {
  const seen = new Set<Json>()
  const waiting: Json[] = [schema]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (isArray(at)) waiting.push(...at)
    if (!isObject(at) || seen.has(at)) continue
    seen.add(at)
    if (seen.size > limit) return false
    const target = referenced(side, at.$ref)
    if (target !== undefined) waiting.push(target.value)
    for (const member of Object.values(at))
      if (typeof member === 'object' && member !== null) waiting.push(member)
  }
  return true
}
