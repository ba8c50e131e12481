import type { Json, JsonObject } from '../../document/document.js'
import { isObject } from '../../document/json.js'
import { digitsOf } from '../../document/written-digits.js'
import { below, type Rule } from './rule.js'

/**
 * Values that no caller can send: a service refuses numbers that a double does not hold. Bounds are not reported, since
 * the nearest double divides the values of callers as well.
 */
export const roundedNumbers: Rule = (context) => ({
  schema({ value, path }) {
    if (!isObject(value)) return
    for (const keyword of ['enum', 'const', 'default']) {
      const found = roundedIn(value, keyword)
      if (found === undefined) continue
      const message = `${found} has more digits than a double holds: the service reads it as ${Number(found)}`
      context.report('number-rounded', below(path, keyword), message)
    }
  },
})

/** The first number of a member that a double does not hold. */
function roundedIn(holder: JsonObject | readonly Json[], key: string | number): string | undefined {
  const value: Json | undefined = Reflect.get(holder, key)
  if (typeof value === 'number') return digitsOf(holder, key)
  if (typeof value !== 'object' || value === null) return undefined
  for (const name of Object.keys(value)) {
    const found = roundedIn(value, name)
    if (found !== undefined) return found
  }
  return undefined
}
