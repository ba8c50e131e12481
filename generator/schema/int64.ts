import type { JsonObject } from '../document/document.js'
import { isArray, isObject, own } from '../document/json.js'
import type { Schema } from './schema.js'

/** What int64 and uint64 integers are in TypeScript. */
export type Int64 = (typeof int64Types)[number]

export const int64Types = ['number', 'bigint', 'string'] as const

/**
 * Whether integers of a schema are an int64 that is no number. The keyword is the model's own; no document's schema keeps one
 * of its name.
 */
export function isInt64(schema: Schema): boolean {
  return isObject(schema) && own(schema, '$int64') === true
}

/** Whether a schema of a document is one of int64 or uint64 integers. */
export function isInt64Format(schema: JsonObject): boolean {
  const types = own(schema, 'type')
  const format = own(schema, 'format')
  if (format !== 'int64' && format !== 'uint64') return false
  return types === 'integer' || (isArray(types) && types.includes('integer'))
}
