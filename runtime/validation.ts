/**
 * The imports of generated validators: formats, and the helpers of AJV's standalone code. Does not load the
 * AJV compiler.
 */
import { fullFormats as ajvFormats } from 'ajv-formats/dist/formats.js'
import { parseDatetime } from './values/datetime.js'
import { url } from './values/url-format.js'

export { MAX_VIOLATIONS } from './contract/violations.js'
export type { PatternStep, PatternSteps } from './patterns/counted-pattern.js'
export {
  type PatternData,
  type PatternTable,
  SURE_WIDTH,
  type TextCheck,
  textCheck,
} from './patterns/linear-pattern.js'
export { merged } from './validation/merged.js'
export { remembered } from './validation/remembered.js'
export { isExact, isMultipleOf } from './values/decimal.js'
export { duplicate } from './values/duplicate.js'
export { equal } from './values/equal.js'
export { anyText, isPlainArray, isPlainObject, quoted } from './values/written.js'

/** Length of a text in code points, for JSON Schema's `minLength` and `maxLength`. */
export function ucs2length(text: string): number {
  let length = text.length
  for (let i = 1; i < text.length; i++) {
    if (isHighSurrogate(text.charCodeAt(i - 1)) && isLowSurrogate(text.charCodeAt(i))) length--
  }
  return length
}

/** Format `zoned-date-time`: an RFC 3339 date-time with an optional offset, since `__tz` can supply it. */
export function zonedDateTime(text: string): boolean {
  return parseDatetime(text) !== undefined
}

/**
 * Formats of ajv-formats by name, with these changes: a `url` that does not backtrack, `zoned-date-time`, an
 * `int64` within the safe range of doubles, and integer formats that accept a bigint if no double holds the
 * integer.
 */
export const fullFormats = {
  ...ajvFormats,
  url,
  'zoned-date-time': zonedDateTime,
  int64: { type: 'number' as const, validate: Number.isSafeInteger },
  'exact-int64': { type: 'number' as const, validate: within(-(2n ** 63n), 2n ** 63n - 1n) },
  'exact-uint64': { type: 'number' as const, validate: within(0n, 2n ** 64n - 1n) },
}

/** Whether a value is a number, or a bigint that represents one. */
export function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

/** The same for an integer. */
export function isInteger(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value)
}

function within(least: bigint, most: bigint): (value: number) => boolean {
  return (value) => isInteger(value) && value >= least && value <= most
}

function isHighSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xd800
}

function isLowSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xdc00
}
