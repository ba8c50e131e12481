import type { Json } from '../document/document.js'
import { isObject, own } from '../document/json.js'
import { parseFragment, valueAt } from '../document/pointer.js'

/** The pointer after following each `$ref` on the way. Undefined if it leads nowhere. */
export function throughReferences(root: Json, pointer: readonly string[]): readonly string[] | undefined {
  let way: readonly string[] = []
  let rest = pointer
  for (let hops = 0; hops < 100; ) {
    const [next, ...others] = rest
    if (next === undefined) return way
    const here = valueAt(root, way)
    if (valueAt(root, [...way, next]) !== undefined) {
      way = [...way, next]
      rest = others
      continue
    }
    const reference = isObject(here) ? own(here, '$ref') : undefined
    const target =
      typeof reference === 'string' && /^#\//.test(reference) && parseFragment(reference.slice(1))
    if (!target) return undefined
    hops += 1
    way = []
    rest = [...target, ...rest]
  }
  return undefined
}
