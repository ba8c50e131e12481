import { outlineOf } from '../values/json-scan.js'
import type { JsonObject } from '../values/object.js'
import { inexactNumbers } from './exact-numbers.js'
import type { Json } from './parsed-json.js'
import { ProblemError } from './problem.js'

/** Deepest nesting of arrays and objects that is accepted. */
export const MAX_DEPTH = 64

/**
 * Parses JSON text. Throws a ProblemError `parse_error` for malformed or too deeply nested text,
 * `payload_too_large` for more than `mostValues` values and names: the time and memory to parse depend on
 * their number, not on their bytes.
 */
export function parseJson(text: string, mostValues = Number.POSITIVE_INFINITY): Json {
  const { depth, names, values, hasLongNumbers } = outlineOf(text, MAX_DEPTH, mostValues)
  if (depth > MAX_DEPTH) throw tooDeep()
  if (values > mostValues) {
    throw new ProblemError('payload_too_large', {
      detail: `A body may have at most ${mostValues} values and names.`,
    })
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ProblemError('parse_error', { detail: 'The text is not valid JSON (RFC 8259).' })
  }
  // RFC 7493 section 2.3: if a name occurs twice, another reader might take the other value.
  if (names > 1 && names !== namesOf(value)) {
    throw new ProblemError('parse_error', { detail: 'An object has a name twice.' })
  }
  return hasLongNumbers ? { value, inexact: inexactNumbers(text), text } : { value, inexact: NONE }
}

/** Throws for a parsed value that nests deeper than {@link parseJson} accepts. */
export function checkDepth(value: unknown, depth = 0): void {
  if (typeof value !== 'object' || value === null) return
  if (depth === MAX_DEPTH) throw tooDeep()
  for (const key of Object.keys(value)) checkDepth(Reflect.get(value, key), depth + 1)
}

const NONE: readonly string[] = []

/** The number of members in a parsed value. */
function namesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let names = 0
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) names += namesOf(value[i])
    return names
  }
  const members = value as JsonObject
  for (const name in members) if (Object.hasOwn(members, name)) names += 1 + namesOf(members[name])
  return names
}

function tooDeep(): ProblemError {
  return new ProblemError('parse_error', { detail: `JSON may nest at most ${MAX_DEPTH} levels deep.` })
}
