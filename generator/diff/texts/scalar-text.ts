import { isExact } from 'duet-runtime/validation'
import type { Json } from '../../document/document.js'

/** Any number in JSON's grammar. */
export const number = String.raw`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`

/** The text of a scalar. */
export function written(value: Json): string {
  return value === null ? '' : String(value)
}

/** Whether a text is refused because a double would round its number. */
export function isRounded(text: string, types: readonly string[]): boolean {
  if (types.includes('string') || !new RegExp(number).test(text) || isExact(text)) return false
  return types.includes('number') || (types.includes('integer') && Number.isInteger(Number(text)))
}

/** Reads a text as the narrowest of some types that fits. A text that fits none stays a string. */
export function read(text: string, types: readonly string[]): Json {
  if (text === '') return types.includes('null') && !types.includes('string') ? null : text
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  const isNumber = new RegExp(number).test(text) && (isExact(text) || !types.includes('string'))
  const value = isNumber ? Number(text) : Number.NaN
  if (types.includes('number') && Number.isFinite(value)) return value
  if (types.includes('integer') && Number.isInteger(value)) return value
  return text
}
