import type { Coercion } from '../../contract/operation.js'
import { pointerTo } from '../../contract/pointer.js'
import type { Violation } from '../../contract/problem-details.js'
import { inexact, report } from '../../contract/violations.js'
import { integerOf, isExact } from '../../values/decimal.js'
import { type JsonObject, setMember } from '../../values/object.js'
import type { Divided } from './style.js'

/**
 * Converts text to the JSON value that the schema's types allow: null (from empty text, if strings are not
 * allowed), a boolean, a number by JSON's grammar, else the text itself, for which the validator then reports
 * the expected type. The narrower type wins: `10` is a number for `["integer", "string"]`. A number that a
 * double would round stays text if a string is allowed, and is otherwise a violation at `path`.
 */
export function coerceText(
  text: string,
  { types, binary, int64 }: Coercion,
  path: string,
  violations: Violation[],
): unknown {
  if (binary === true && !types.includes('string')) return new Blob([text])
  if (text === '') return types.includes('null') && !types.includes('string') ? null : text
  if (types.includes('boolean')) {
    if (text === 'true') return true
    if (text === 'false') return false
  }
  const fractional = types.includes('number')
  if ((!fractional && !types.includes('integer')) || !JSON_NUMBER.test(text)) return text
  const value = Number(text)
  if (!fractional && !Number.isInteger(value)) return text
  if (text.length <= ALWAYS_EXACT || isExact(text)) return value
  const integer = int64 === true ? integerOf(text) : undefined
  if (integer !== undefined) return integer
  if (types.includes('string')) return text
  report(violations, inexact(path))
  return value
}

/** The same for a parameter that its style divides into items or members. */
export function coerceDivided(
  divided: Divided,
  coercion: Coercion,
  path: string,
  violations: Violation[],
): unknown {
  if (divided.text !== undefined) return coerceText(divided.text, coercion, path, violations)
  if (divided.items !== undefined) return coerceItems(divided.items, coercion, path, violations)
  const object: JsonObject = {}
  for (const [name, text] of divided.members) {
    const at = pointerTo(path, name)
    setMember(object, name, coerceText(text, memberCoercion(coercion, name), at, violations))
  }
  return object
}

/** The conversion of one member of an object; text if the schema does not describe it. */
export function memberCoercion({ properties, values }: Coercion, name: string): Coercion {
  const named = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : values
  return named ?? AS_TEXT
}

/** The conversion of one item of an array, by its position. */
export function itemCoercion({ prefix, items }: Coercion, index: number): Coercion {
  return prefix?.[index] ?? items ?? AS_TEXT
}

/** Whether one empty text means an empty list, since the first item could not be empty text. */
export function isEmptyList(text: string, coercion: Coercion): boolean {
  const { types } = itemCoercion(coercion, 0)
  return text === '' && !types.includes('string') && !types.includes('null')
}

/** The conversion of text that the schema does not describe. */
export const AS_TEXT: Coercion = { types: ['string'] }

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** A number of up to four characters has neither 16 digits nor an exponent of three. */
const ALWAYS_EXACT = 4

function coerceItems(
  texts: readonly string[],
  coercion: Coercion,
  path: string,
  violations: Violation[],
): unknown[] {
  if (texts.length === 1 && isEmptyList(texts[0] ?? '', coercion)) return []
  return texts.map((text, index) =>
    coerceText(text, itemCoercion(coercion, index), `${path}/${index}`, violations),
  )
}
