import type { JsonObject } from '../document/document.js'
import { isArray, isObject, own } from '../document/json.js'
import type { Schema } from './schema.js'

/** The TypeScript types of int64 and uint64 integers. */
export type Int64 = (typeof int64Types)[number]

export const int64Types = ['number', 'bigint', 'string'] as const

/**
 * Whether a schema is an int64 that is not a number in TypeScript. Only the model sets this keyword; documents
 * cannot.
 */
export function isInt64(schema: Schema): boolean {
  return isObject(schema) && own(schema, '$int64') === true
}

/** Whether a schema of a document describes int64 or uint64 integers. */
export function isInt64Format(schema: JsonObject, formats: readonly string[] = ['int64', 'uint64']): boolean {
  const types = own(schema, 'type')
  const format = own(schema, 'format')
  if (typeof format !== 'string' || !formats.includes(format)) return false
  return types === 'integer' || (isArray(types) && types.includes('integer'))
}
