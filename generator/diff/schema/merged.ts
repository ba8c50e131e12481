import type { Cursor } from '../../document/cursor.js'
import type { JsonObject } from '../../document/document.js'
import { own } from '../../document/json.js'
import { asObject, type Side } from '../change/side.js'
import { merged, type Sameness } from '../same/same.js'
import { namesOf, pick } from '../same/within.js'

/**
 * Both schemas with their `allOf` branches merged in, if a property moved between a branch and the schema itself. A
 * moved property is not a removed one, and is compared with its counterpart. Undefined if nothing moved.
 */
export function withMovedMerged(
  { old, new_ }: Pick<Versions, 'old' | 'new_'>,
  a: Cursor,
  b: Cursor,
): readonly [Cursor, Cursor] | undefined {
  const [before, after] = [asObject(a.value), asObject(b.value)]
  const [one, other] = [merged(old, before) ?? before, merged(new_, after) ?? after]
  const has = (schema: JsonObject, name: string): boolean =>
    Object.hasOwn(asObject(own(schema, 'properties')), name)
  const isMoved = namesOf(own(one, 'properties'), own(other, 'properties')).some(
    (name) => has(one, name) && has(other, name) && has(before, name) !== has(after, name),
  )
  return isMoved
    ? [
        { ...a, value: one },
        { ...b, value: other },
      ]
    : undefined
}

/**
 * The parts of two schemas that may differ. If one refers to what the other says, only the siblings of the reference
 * differ. If one refers to the component that the other is, and that component changed, both are compared as references
 * to it.
 */
export function differingParts(
  sameness: Sameness,
  first: Cursor,
  second: Cursor,
): readonly [JsonObject, JsonObject] {
  const [a, b] = [asObject(first.value), asObject(second.value)]
  const refers = (one: JsonObject): boolean => typeof own(one, '$ref') === 'string'
  const without = ({ $ref: _, ...rest }: JsonObject): JsonObject => rest
  if (refers(a) === refers(b)) return [a, b]
  const [reference, target] = refers(a) ? [pick(a, ['$ref']), second] : [pick(b, ['$ref']), first]
  if (sameness.of(refers(a) ? reference : a, refers(a) ? b : reference))
    return refers(a) ? [without(a), replaced(a, b)] : [replaced(b, a), without(b)]
  // A component that refers to itself tells nothing about its old content.
  if (own(reference, '$ref') !== target.pointer || first.pointer === second.pointer) return [a, b]
  return refers(a) ? [a, reference] : [reference, b]
}

/** What the siblings of a reference replace in its target: a default. */
function replaced(siblings: JsonObject, target: JsonObject): JsonObject {
  return Object.hasOwn(siblings, 'default') ? pick(target, ['default']) : {}
}

/** Whether two schemas differ only in what they put inside an `allOf` and what next to it. */
export function isRefactored({ old, new_, sameness }: Versions, a: JsonObject, b: JsonObject): boolean {
  const [one, other] = [merged(old, a), merged(new_, b)]
  return (one !== undefined || other !== undefined) && sameness.of(one ?? a, other ?? b)
}

interface Versions {
  readonly old: Side
  readonly new_: Side
  readonly sameness: Sameness
}
