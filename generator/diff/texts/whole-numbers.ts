import type { JsonObject } from '../../document/document.js'
import { own } from '../../document/json.js'
import { choices } from '../../document/vocabulary.js'
import { asObject } from '../change/side.js'
import { resolve } from '../same/same.js'
import { listOf } from '../same/within.js'
import { type Reader, readerOf } from './reader.js'

/** A range of whole numbers, both ends included. An undefined bound is open. */
export interface Range {
  readonly from: number | undefined
  readonly to: number | undefined
}

/** A pattern for the whole numbers of a range, as callers write them: decimal digits without leading zeros. */
export function wholeNumbers({ from, to }: Range): string {
  const found: string[] = []
  if (to === undefined || to >= 0) found.push(...digits(Math.max(from ?? 0, 0), to))
  if (from === undefined || from < 0)
    found.push(
      ...digits(Math.max(-(to ?? -1), 1), from === undefined ? undefined : -from).map((one) => `-${one}`),
    )
  return `^(?:${found.join('|')})$`
}

/**
 * A pattern for the multiples of a decimal as callers write them, with no more decimal places than it has, and some
 * samples. Undefined without such a `multipleOf`.
 */
export function decimalsOf({ side, schema }: Reader): { pattern: string; samples: string[] } | undefined {
  const {
    multipleOf: step,
    minimum,
    exclusiveMinimum,
    maximum,
    exclusiveMaximum,
  } = asObject(resolve(side, schema))
  const decimals = /^[0-9]+\.([0-9]{1,6})$/.exec(String(step))?.[1]?.length
  if (typeof step !== 'number' || decimals === undefined) return undefined
  const [from, to] = [minimum ?? exclusiveMinimum, maximum ?? exclusiveMaximum]
  const ends = [from, to].filter((end) => typeof end === 'number')
  const near = ends.flatMap((end) => [end, end + step, end - step])
  const floor = (end: unknown): number | undefined => (typeof end === 'number' ? Math.floor(end) : undefined)
  const isPositive = typeof from === 'number' && from >= 0
  const whole = isPositive
    ? wholeNumbers({ from: floor(from), to: floor(to) }).slice(1, -1)
    : '-?(?:0|[1-9][0-9]*)'
  return {
    pattern: `^${whole}(?:\\.[0-9]{1,${decimals}})?$`,
    samples: near.map((end) => String(Number(end.toFixed(decimals)))),
  }
}

/** Patterns for numbers from zero on: at least one for each count of digits. */
function digits(from: number, to: number | undefined): string[] {
  if (to !== undefined && from > to) return []
  const [least, most] = [String(from), to === undefined ? undefined : String(to)]
  const found: string[] = []
  for (let count = least.length; count <= (most ?? least).length; count++) {
    const low = count === least.length ? least : `1${'0'.repeat(count - 1)}`
    const high = count === most?.length ? most : '9'.repeat(count)
    found.push(between(low, high))
  }
  return most === undefined ? [...found, `[1-9][0-9]{${least.length},}`] : found
}

/** A pattern for the texts from one to another with the same number of digits. */
function between(low: string, high: string): string {
  const [first, last, rest] = [Number(low[0]), Number(high[0]), low.length - 1]
  if (rest < 0) return ''
  if (first === last) return first + between(low.slice(1), high.slice(1))
  const [least, most] = ['0'.repeat(rest), '9'.repeat(rest)]
  // Digits that can be followed by any others share one part. Otherwise the pattern for 32 bits would have thousands.
  const from = low.slice(1) === least ? first : first + 1
  const to = high.slice(1) === most ? last : last - 1
  const parts = [
    ...(from > first ? [first + between(low.slice(1), most)] : []),
    ...(from <= to ? [`[${from}-${to}][0-9]{${rest}}`] : []),
    ...(to < last ? [last + between(least, high.slice(1))] : []),
  ]
  return `(?:${parts.join('|')})`
}

/** Ranges that contain every whole number of a schema, by its own bounds and those of its alternatives. */
export function rangesOf({ side, schema }: Reader): Range[] {
  const whole = asObject(resolve(side, schema))
  const branches = choices.map((keyword) => listOf(whole, keyword)).find((list) => list.length > 0)
  if (branches === undefined) return [rangeOf(whole)]
  return branches.flatMap((branch) => {
    const { types } = readerOf(side, branch)
    const isNumeric =
      types.includes('integer') ||
      types.includes('number') ||
      own(asObject(resolve(side, branch)), 'type') === undefined
    return isNumeric ? [joined(rangeOf(whole), rangeOf(asObject(resolve(side, branch))))] : []
  })
}

function rangeOf(schema: JsonObject): Range {
  const bound = (key: string, step: number, round: (value: number) => number): number | undefined => {
    const value = own(schema, key)
    if (typeof value !== 'number') return undefined
    const whole = step !== 0 && Number.isInteger(value) ? value + step : round(value)
    return Math.abs(whole) < 1e15 ? whole : undefined
  }
  const [minimum, maximum] = [bound('minimum', 0, Math.ceil), bound('maximum', 0, Math.floor)]
  const [above, below] = [bound('exclusiveMinimum', 1, Math.ceil), bound('exclusiveMaximum', -1, Math.floor)]
  const explicit = joined({ from: minimum, to: maximum }, { from: above, to: below })
  return own(schema, 'format') === 'int32' ? joined(explicit, int32) : explicit
}

const int32: Range = { from: -(2 ** 31), to: 2 ** 31 - 1 }

function joined(one: Range, other: Range): Range {
  const pick = (a: number | undefined, b: number | undefined, of: (...values: number[]) => number) =>
    a === undefined ? b : b === undefined ? a : of(a, b)
  return { from: pick(one.from, other.from, Math.max), to: pick(one.to, other.to, Math.min) }
}

/** The bounds of a range as keywords. */
export function bounds({ from, to }: Range): JsonObject {
  return { ...(from !== undefined && { minimum: from }), ...(to !== undefined && { maximum: to }) }
}
