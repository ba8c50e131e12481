import { fullFormats, zonedDateTime } from 'duet-runtime/validation'
import type { Json } from '../document/document.js'

/** Whether validators know a format. */
export function isKnownFormat(name: Json): boolean {
  return typeof name === 'string' && Object.hasOwn(fullFormats, name)
}

/**
 * Whether a text or number matches a format, as generated validators check it (full definitions of
 * ajv-formats). True for formats that are unknown or apply to another type. `zoned`: a date-time with
 * `x-timezone`, whose offset is optional.
 */
export function fitsFormat(value: Json, name: string, zoned = false): boolean {
  if (zoned && name === 'date-time') return typeof value !== 'string' || zonedDateTime(value)
  const format: unknown = Object.hasOwn(fullFormats, name) ? Reflect.get(fullFormats, name) : undefined
  const { type = 'string', validate = format }: { type?: unknown; validate?: unknown } =
    typeof format === 'object' && format !== null ? format : {}
  if (typeof value !== type) return true
  if (validate instanceof RegExp) return typeof value !== 'string' || validate.test(value)
  return typeof validate !== 'function' || validate(value) === true
}
