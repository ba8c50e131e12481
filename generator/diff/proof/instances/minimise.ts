import { objectOf } from '../../../document/cursor.js'
import type { Json } from '../../../document/document.js'
import { isArray, isObject } from '../../../document/json.js'

/** The number of values to try for one proof. */
const most = 400

/**
 * Reduces a value as far as a test still holds: no member or item can be removed, texts are short and numbers simple,
 * unless scalars are kept. Deterministic for a value and a test.
 */
export async function minimised(
  value: Json,
  holds: (value: Json) => Promise<boolean>,
  keepsScalars = false,
): Promise<Json> {
  let least = value
  let tried = 0
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false
    let candidates = smaller(least, keepsScalars)
    let failed = 0
    for (let next = candidates.next(); !next.done; next = candidates.next()) {
      if (tried++ >= most) return least
      if (!(await holds(next.value))) {
        failed += 1
        continue
      }
      least = next.value
      isSmaller = true
      // What could not be removed is tried again in the next round, when less depends on it.
      candidates = smaller(least, keepsScalars)
      for (let skipped = 0; skipped < failed; skipped++) candidates.next()
    }
  }
  return least
}

/** Values with one thing removed, the largest reductions first. */
function* smaller(value: Json, keepsScalars: boolean): Generator<Json, void> {
  if (isArray(value)) {
    if (value.length > 3) yield value.slice(0, Math.floor(value.length / 2))
    for (let index = value.length - 1; index >= 0; index--) yield value.toSpliced(index, 1)
    for (const [index, item] of value.entries())
      for (const less of smaller(item, keepsScalars)) yield value.with(index, less)
  } else if (isObject(value)) {
    const members = Object.entries(value)
    for (const [name] of members) yield objectOf(members.filter(([other]) => other !== name))
    for (const [name, member] of members)
      for (const less of smaller(member, keepsScalars))
        yield objectOf(members.map(([other, old]) => [other, other === name ? less : old]))
  } else if (keepsScalars) {
    return
  } else if (typeof value === 'string') {
    const signs = [...value]
    if (signs.length > 1) yield ''
    if (signs.length > 1) yield signs.slice(0, Math.floor(signs.length / 2)).join('')
    if (signs.length > 0) yield signs.slice(0, -1).join('')
  } else if (typeof value === 'number') {
    if (value !== 0) yield 0
    if (!Number.isInteger(value)) yield Math.trunc(value)
  }
}
