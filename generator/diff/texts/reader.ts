import type { Json } from '../../document/document.js'
import { isArray, own } from '../../document/json.js'
import { asObject, type Side } from '../change/side.js'
import { resolve } from '../same/same.js'
import { typesOfText } from './coerced.js'

/** A schema by which one version makes texts of values, or values of texts. */
export interface Reader {
  readonly side: Side
  readonly schema: Json
  /** What a text may become. */
  readonly types: readonly string[]
}

export function isOfParts(type: string): boolean {
  return type === 'array' || type === 'object'
}

export function readerOf(side: Side, schema: Json): Reader {
  return { side, schema, types: typesOfText(side, schema) }
}

/** Types of values that are one text; null is no text. */
export function scalarsOf(types: readonly string[]): string[] {
  return types.filter((type) => type !== 'null' && !isOfParts(type))
}

/** Whether a text without a delimiter is read as a single value, and others as a list. */
export function isListOr(types: readonly string[]): boolean {
  return types.includes('array') && !types.includes('object') && scalarsOf(types).length > 0
}

/** A schema that has no other types. They go where it lists its own, since what stands beside them is read, too. */
export function only({ side, schema }: Reader, types: readonly string[]): Reader {
  const at = asObject(resolve(side, schema))
  return readerOf(
    side,
    isArray(own(at, 'type')) ? { ...at, type: [...types] } : { allOf: [schema, { type: [...types] }] },
  )
}

/** Types but for null; a number that is whole is written as one that need not be. */
export function withoutNull(types: readonly string[]): string {
  return types
    .filter((type) => type !== 'null')
    .join()
    .replace('integer', 'number')
}
