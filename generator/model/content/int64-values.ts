import { nativeInt64 } from 'duet-runtime/json'
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import { childPointer } from '../../document/cursor.js'
import type { Document, Json } from '../../document/document.js'
import { isArray, isObject, own } from '../../document/json.js'
import { keywordsThat, valueKeywords } from '../../document/vocabulary.js'
import { isInt64 } from '../../schema/int64.js'
import type { Schema } from '../../schema/schema.js'
import { int64Finder } from './datetimes.js'

/** Schemas with an integer that may have lost digits as a double, by JSON pointer. */
export type RoundedSchemas = ReadonlyMap<string, Schema>

/** Whether a schema's own keywords have an integer beyond the exact range of a double. */
export function mayBeRounded(schema: Schema): boolean {
  return isObject(schema) && [...values, ...bounds].some((keyword) => hasUnsafe(own(schema, keyword)))
}

/**
 * Reports values and bounds of int64 integers that the document's numbers, which are doubles, cannot
 * represent. A bound at or beyond the limit of its format loses nothing, because the format has the same
 * limit.
 */
export function checkInt64Values(
  rounded: RoundedSchemas,
  schemas: ReadonlyMap<string, Schema>,
  document: Document,
  diagnostics: Diagnostic[],
): void {
  const { find } = int64Finder(schemas)
  for (const [pointer, schema] of rounded) {
    if (!isObject(schema)) continue
    const refuse = (keyword: string): void => {
      const at = document.locate(childPointer(pointer, keyword))
      const message = `${keyword} has an integer beyond 2^53 - 1, so a double may have lost digits`
      diagnostics.push(diagnose('int64-value-rounded', message, at))
    }
    const graph = find(schema)
    for (const keyword of values) {
      const value = own(schema, keyword)
      const found = keyword === 'enum' && isArray(value) ? value : [value]
      if (
        graph !== undefined &&
        found.some((each) => hasUnsafe(nativeInt64(each, 'bigint', graph), 'bigint'))
      )
        refuse(keyword)
    }
    if (!isInt64(schema)) continue
    const [least, most] = own(schema, 'format') === 'uint64' ? [0, 2 ** 64] : [-(2 ** 63), 2 ** 63]
    for (const keyword of bounds) {
      const bound = own(schema, keyword)
      if (typeof bound !== 'number' || Math.abs(bound) <= Number.MAX_SAFE_INTEGER) continue
      if (keyword === 'multipleOf' || (bound > least && bound < most)) refuse(keyword)
    }
  }
}

/** Keywords whose values are instances of their schema. A sample may be another's. */
const values = keywordsThat(({ name, role }) => valueKeywords.has(name) && role !== 'words')

const bounds = keywordsThat(({ role, of }) => role === 'assertion' && of === 'number')

/** Whether a JSON value is or contains a number, or a bigint, whose digits a double may not represent. */
function hasUnsafe(value: Json | unknown, type: 'number' | 'bigint' = 'number'): boolean {
  if (typeof value === 'number' || typeof value === 'bigint')
    return typeof value === type && (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER)
  return typeof value === 'object' && value !== null
    ? Object.values(value).some((part) => hasUnsafe(part, type))
    : false
}
