import type { JsonObject } from '../document/document.js'
import { own } from '../document/json.js'
import type { Random } from './random.js'

/** A number within a schema's bounds, near the lower one. Undefined if none is found. */
export function sampleNumber(schema: JsonObject, isInteger: boolean, random: Random): number | undefined {
  const step = stepOf(schema, isInteger)
  const least = lowest(schema, step)
  const most = highest(schema, step)
  const from = least ?? (most === undefined ? 1 : most - spread)
  const exact = Math.max(from, Math.floor(Number.MAX_SAFE_INTEGER / Math.max(step, 1)))
  const to = Math.min(most ?? from + spread, from + spread, exact)
  if (from <= to) return times(random.integer(from, to), step)
  return isInteger || own(schema, 'multipleOf') !== undefined ? undefined : between(schema, random)
}

/** Maximum steps between a value and its bound: small numbers read better. */
const spread = 999

function stepOf(schema: JsonObject, isInteger: boolean): number {
  const multiple = own(schema, 'multipleOf')
  if (typeof multiple !== 'number' || multiple <= 0) return isInteger ? 1 : 0.01
  if (!isInteger || Number.isInteger(multiple)) return multiple
  // The smallest integer multiple of a fraction: 2.5 gives 5.
  const scale = 10 ** decimalsOf(multiple)
  const numerator = Math.round(multiple * scale)
  return numerator / divisor(numerator, scale)
}

function lowest(schema: JsonObject, step: number): number | undefined {
  const bounds: number[] = []
  const { minimum, exclusiveMinimum } = schema
  if (typeof minimum === 'number') bounds.push(Math.ceil(quotient(minimum, step)))
  if (typeof exclusiveMinimum === 'number') bounds.push(Math.floor(quotient(exclusiveMinimum, step)) + 1)
  return bounds.length === 0 ? undefined : Math.max(...bounds)
}

function highest(schema: JsonObject, step: number): number | undefined {
  const bounds: number[] = []
  const { maximum, exclusiveMaximum } = schema
  if (typeof maximum === 'number') bounds.push(Math.floor(quotient(maximum, step)))
  if (typeof exclusiveMaximum === 'number') bounds.push(Math.ceil(quotient(exclusiveMaximum, step)) - 1)
  return bounds.length === 0 ? undefined : Math.min(...bounds)
}

/** A number between bounds that are closer than a step. */
function between(schema: JsonObject, random: Random): number | undefined {
  const ends = [
    own(schema, 'minimum') ?? own(schema, 'exclusiveMinimum'),
    own(schema, 'maximum') ?? own(schema, 'exclusiveMaximum'),
  ]
  const [least, most] = ends
  if (typeof least !== 'number' || typeof most !== 'number' || least > most) return undefined
  return least === most ? least : least + (0.25 + random.next() / 2) * (most - least)
}

/** Division of decimals: 0.3 / 0.1 is 3. */
function quotient(value: number, step: number): number {
  const result = value / step
  const nearest = Math.round(result)
  return times(nearest, step) === value ? nearest : result
}

function times(count: number, step: number): number {
  const decimals = decimalsOf(step)
  return decimals === 0 ? count * step : Number((count * step).toFixed(Math.min(decimals, 100)))
}

function decimalsOf(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e')
  return Math.max(0, (digits.split('.')[1] ?? '').length - Number(exponent))
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b)
}
