import { type Int64PlaceOf, withExactInt64 } from '../../contract/int64.js'
import { parseJson } from '../../contract/json.js'
import { tokensOf } from '../../contract/pointer.js'
import { report, reportInexact } from '../../contract/violations.js'
import type { JsonReader } from './query.js'

/** Reads params that are JSON text; `path` is the param's pointer. Invalid JSON is a violation. */
export function jsonReader(placeOf: Int64PlaceOf): JsonReader {
  return (text, path, violations) => {
    try {
      const json = parseJson(text)
      const { value, inexact } = withExactInt64(json, (keys, value) =>
        placeOf([...tokensOf(path), ...keys], value),
      )
      reportInexact(violations, inexact, (pointer) => path + pointer)
      return value
    } catch {
      report(violations, { path, keyword: 'json', message: 'must be JSON' })
      return text
    }
  }
}

/** Reads params that are JSON text, for params whose int64 integers are plain numbers. */
export const coerceJson: JsonReader = jsonReader(() => undefined)
