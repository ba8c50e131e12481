import { objectOf } from '../../document/cursor.js'
import type { Json } from '../../document/document.js'
import { isArray, isObject } from '../../document/json.js'
import { fingerprint } from '../../schema/canonical.js'

/** A value with its scalars as text, as REST writes them. A list of one item is the text of the item. */
export function asTexts(value: Json): Json {
  if (isArray(value)) return value.length === 1 ? asTexts(value[0] ?? null) : value.map(asTexts)
  if (!isObject(value)) return value === null ? '' : String(value)
  return objectOf(Object.entries(value).map(([name, member]) => [name, asTexts(member)]))
}

/** Whether REST writes two values as the same text. */
export function haveOneText(one: Json = null, other: Json = null): boolean {
  return fingerprint(asTexts(one)) === fingerprint(asTexts(other))
}
