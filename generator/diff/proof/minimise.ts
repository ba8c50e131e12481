import type { Json } from '../../load/document.js'
import { isArray, isObject } from '../../load/json.js'
import { objectOf } from '../../model/cursor.js'

/** Values that are tried for one proof. */
const most = 120

/**
 * A value with as little in it as it takes for a test to hold: members and elements that need not be there are gone,
 * texts are short and numbers plain. The same for the same value and test.
 */
export async function minimised(value: Json, holds: (value: Json) => Promise<boolean>): Promise<Json> {
  let least = value
  let tried = 0
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false
    for (const candidate of smaller(least)) {
      if (tried++ >= most) return least
      if (!(await holds(candidate))) continue
      least = candidate
      isSmaller = true
      break
    }
  }
  return least
}

/** Values with one thing less, the largest steps first. */
function* smaller(value: Json): Iterable<Json> {
  if (isArray(value)) {
    if (value.length > 3) yield value.slice(0, Math.floor(value.length / 2))
    for (let index = value.length - 1; index >= 0; index--) yield value.toSpliced(index, 1)
    for (const [index, item] of value.entries())
      for (const less of smaller(item)) yield value.with(index, less)
  } else if (isObject(value)) {
    const members = Object.entries(value)
    for (const [name] of members) yield objectOf(members.filter(([other]) => other !== name))
    for (const [name, member] of members)
      for (const less of smaller(member))
        yield objectOf(members.map(([other, old]) => [other, other === name ? less : old]))
  } else if (typeof value === 'string') {
    const signs = [...value]
    if (signs.length > 1) yield signs.slice(0, Math.floor(signs.length / 2)).join('')
    if (signs.length > 0) yield signs.slice(0, -1).join('')
  } else if (typeof value === 'number') {
    if (value !== 0) yield 0
    if (!Number.isInteger(value)) yield Math.trunc(value)
  }
}
