import { anywhere, withExactInt64 } from 'duet-runtime/json'
import type { Json } from '../../document/document.js'
import { parsed } from '../../document/json.js'

/** JSON in which an integer of 64 bits is a bigint if a double does not hold it. Validators of exact integers take it. */
export function exactly(text: string): Json | undefined {
  const value = parsed(text)
  if (value === undefined || !mayBeLong(text)) return value
  return withExactInt64({ value, inexact: [], text }, anywhere).value as Json
}

/** Whether a JSON text may have a number that a double does not hold. */
export function mayBeLong(text: string): boolean {
  return /[\d.]{16}/.test(text)
}
