import { compareText, objectOf } from '../document/cursor.js'
import type { Json, JsonObject } from '../document/document.js'
import { isArray, isObject, type MutableObject, setOwn } from '../document/json.js'
import { decimalText, keepDigits } from '../document/written-digits.js'
import { keepOrderOf } from '../document/written-order.js'

/** The same value with every object's keys sorted; arrays keep their order. */
export function canonical(value: Json): Json {
  if (isArray(value)) {
    const result = value.map(canonical)
    keepDigits(value, result)
    return result
  }
  if (!isObject(value)) return value
  return canonicalObject(value)
}

export function canonicalObject(value: JsonObject): JsonObject {
  const result: MutableObject = {}
  for (const key of Object.keys(value).sort()) setOwn(result, key, canonical(value[key] ?? null))
  keepOrderOf(value, result)
  keepDigits(value, result)
  return result
}

/** An OpenAPI document with its top level in the usual order, and all keys below it sorted. */
export function canonicalDocument(root: JsonObject): JsonObject {
  const rank = (key: string): number => {
    const index = topLevel.indexOf(key)
    return index === -1 ? topLevel.length : index
  }
  const entries = Object.entries(root).sort(([a], [b]) => rank(a) - rank(b) || compareText(a, b))
  return objectOf(entries.map(([key, value]) => [key, canonical(value)]))
}

/** A text that two values share exactly if JSON Schema calls them equal: ignores key order and the sign of zero. */
export function fingerprint(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  let text = ''
  if (isArray(value)) return `[${itemFingerprints(value).join()}]`
  for (const key of Object.keys(value).sort())
    text += `${text && ','}${JSON.stringify(key)}:${memberFingerprint(value, key)}`
  return `{${text}}`
}

/** The fingerprints of an array's items. They keep digits that a double does not hold. */
export function itemFingerprints(values: readonly Json[]): string[] {
  return values.map((item, index) =>
    typeof item === 'number' ? decimalText(values, index) : fingerprint(item),
  )
}

/** The fingerprint of a member, with digits that a double does not hold. */
export function memberFingerprint(holder: JsonObject, key: string): string {
  const value = holder[key] ?? null
  return typeof value === 'number' ? decimalText(holder, key) : fingerprint(value)
}

const topLevel = [
  'openapi',
  'info',
  'jsonSchemaDialect',
  'servers',
  'security',
  'tags',
  'externalDocs',
  'paths',
  'webhooks',
  'components',
]
