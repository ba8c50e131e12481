import type { Json } from '../../document/document.js'
import { isArray, own } from '../../document/json.js'
import { asObject, type Side } from '../change/side.js'
import { resolve } from '../same/same.js'
import { typesOfText } from './coerced.js'

/** A schema by which one version writes values as text, or reads text as values. */
export interface Reader {
  readonly side: Side
  readonly schema: Json
  /** The types that a text may become. */
  readonly types: readonly string[]
}

export function isContainer(type: string): boolean {
  return type === 'array' || type === 'object'
}

export function readerOf(side: Side, schema: Json): Reader {
  return { side, schema, types: typesOfText(side, schema) }
}

/** The types of values that are one text. Null has no text. */
export function scalarsOf(types: readonly string[]): string[] {
  return types.filter((type) => type !== 'null' && !isContainer(type))
}

/** Whether a text without delimiters is read as a single value, and other texts as a list. */
export function isListOrScalar(types: readonly string[]): boolean {
  return types.includes('array') && !types.includes('object') && scalarsOf(types).length > 0
}

/**
 * The schema limited to some types. They replace its own list of types, because the keywords next to that are read,
 * too.
 */
export function limitedTo({ side, schema }: Reader, types: readonly string[]): Reader {
  const at = asObject(resolve(side, schema))
  return readerOf(
    side,
    isArray(own(at, 'type')) ? { ...at, type: [...types] } : { allOf: [schema, { type: [...types] }] },
  )
}

/** The types except null. Integers count as numbers, which are written alike. */
export function withoutNull(types: readonly string[]): string {
  return types
    .filter((type) => type !== 'null')
    .join()
    .replace('integer', 'number')
}
