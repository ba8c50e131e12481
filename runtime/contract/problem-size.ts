import { jsonText } from '../values/json-text.js'
import type { Problem, Violation } from './problem-details.js'

/** Largest response to one refused call, in bytes. */
export const REFUSAL_BYTES = 16 * 1024

/** Bytes reserved for the JSON-RPC envelope, with the longest id, escaped. */
const ENVELOPE_BYTES = 2 * 1024

/** Shortens a text; `…` marks the cut. Never splits a surrogate pair. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const last = text.charCodeAt(most - 1)
  const end = last >= FIRST_HIGH && last <= LAST_HIGH ? most - 1 : most
  return `${text.slice(0, end)}…`
}

/** Drops the violations that exceed the bytes; the first one always stays. */
export function withinBytes(problem: Problem, most = REFUSAL_BYTES - ENVELOPE_BYTES): Problem {
  const { errors } = problem
  if (errors === undefined) return problem
  let room = most - bytesOf({ ...problem, errors: [] })
  let fitting = 0
  for (const violation of errors) {
    room -= bytesOf(violation) + 1
    if (room < 0 && fitting > 0) break
    fitting++
  }
  return fitting === errors.length ? problem : { ...problem, errors: errors.slice(0, fitting) }
}

/** Shortens the texts of a violation. */
export function shortened(violation: Violation): Violation {
  const { path, keyword, message } = violation
  if (path.length + keyword.length + message.length <= MAX_TEXT) return violation
  return { path: cut(path, MAX_TEXT), keyword: cut(keyword, MAX_TEXT), message: cut(message, MAX_TEXT) }
}

/** Longest text in a problem, except the detail, in characters. */
const MAX_TEXT = 300

const FIRST_HIGH = 0xd800
const LAST_HIGH = 0xdbff

function bytesOf(value: unknown): number {
  return encoder.encode(jsonText(value)).length
}

const encoder = new TextEncoder()
