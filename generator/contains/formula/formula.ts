import type { Rational } from '../values/rational.js'
import type { Json } from '../values/value.js'
import type { Language } from '../words/language.js'

/** Sets of JSON types, as bits. The booleans are two types of one value each. */
export const types = {
  null: 1,
  false: 2,
  true: 4,
  boolean: 6,
  number: 8,
  string: 16,
  array: 32,
  object: 64,
  all: 127,
} as const

/**
 * A condition on one JSON value, in negation normal form. Each distinct condition is one object.
 *
 * The last four groups concern a single type, and are true for every value of another type, as schema
 * keywords are. Their negation has that type and the dual property.
 */
export type Formula = { readonly id: number; readonly mask: number } & (
  | { readonly kind: 'all' | 'any'; readonly parts: readonly Formula[] }
  | { readonly kind: 'one'; readonly parts: readonly Formula[]; readonly positive: boolean }
  | { readonly kind: 'reference'; readonly target: Target; readonly positive: boolean }
  | { readonly kind: 'type' }
  | { readonly kind: 'value'; readonly values: ReadonlyMap<string, Json>; readonly positive: boolean }
  | { readonly kind: 'bound'; readonly side: 'min' | 'max'; readonly value: Rational; readonly open: boolean }
  | { readonly kind: 'multiple'; readonly of: Rational; readonly positive: boolean }
  | { readonly kind: 'text'; readonly language: Language }
  | { readonly kind: 'items-size' | 'size'; readonly min: number; readonly max: number }
  | { readonly kind: 'unique'; readonly positive: boolean }
  | {
      readonly kind: 'every' | 'some'
      readonly from: number
      readonly to: number
      readonly part: Formula
    }
  | {
      readonly kind: 'count'
      readonly part: Formula
      readonly bound: 'least' | 'most'
      readonly count: number
    }
  | { readonly kind: 'every-key' | 'some-key'; readonly keys: Language; readonly part: Formula }
)

/** The target of a reference, read on demand. */
export interface Target {
  readonly id: number
  readonly formula: () => Formula
}

/** The only type that a formula concerns. Undefined if it concerns all types. */
export function concern(formula: Formula): number | undefined {
  switch (formula.kind) {
    case 'bound':
    case 'multiple':
      return types.number
    case 'text':
      return types.string
    case 'items-size':
    case 'unique':
    case 'every':
    case 'some':
    case 'count':
      return types.array
    case 'size':
    case 'every-key':
    case 'some-key':
      return types.object
    default:
      return undefined
  }
}

/** The type of a value, as one bit. */
export function typeOf(value: Json): number {
  if (value === null) return types.null
  if (value === true) return types.true
  if (value === false) return types.false
  if (typeof value === 'number') return types.number
  if (typeof value === 'string') return types.string
  return Array.isArray(value) ? types.array : types.object
}
