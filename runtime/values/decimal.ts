/** A decimal number: sign, significant digits, and the power of ten of the last digit. */
export interface Decimal {
  readonly negative: boolean
  /** No leading and no trailing zeros; empty for zero. */
  readonly digits: string
  readonly exponent: number
}

/** Parses a JSON number token, or the text of `String(number)`. The caller has checked the grammar. */
export function decimalOf(text: string): Decimal {
  const negative = text.charCodeAt(0) === MINUS
  let end = text.search(/[eE]/)
  let exponent = 0
  if (end === -1) end = text.length
  else exponent = Number(text.slice(end + 1))
  const mantissa = text.slice(negative ? 1 : 0, end)
  const point = mantissa.indexOf('.')
  const all = point === -1 ? mantissa : mantissa.slice(0, point) + mantissa.slice(point + 1)
  if (point !== -1) exponent -= mantissa.length - point - 1
  let first = 0
  while (first < all.length && all.charCodeAt(first) === ZERO) first++
  let last = all.length
  while (last > first && all.charCodeAt(last - 1) === ZERO) last--
  if (first === last) return { negative: false, digits: '', exponent: 0 }
  return { negative, digits: all.slice(first, last), exponent: exponent + all.length - last }
}

/** Whether a double holds the number exactly: parsing and printing lose no digit. */
export function isExact(token: string): boolean {
  const value = Number(token)
  if (!Number.isFinite(value)) return false
  const printed = String(value)
  if (printed === token) return true
  // A quick test: most inexact numbers are integers.
  if (value !== 0 && WHOLE.test(token) && WHOLE.test(printed)) return false
  const written = decimalOf(token)
  const held = decimalOf(printed)
  return (
    written.digits === held.digits && written.exponent === held.exponent && written.negative === held.negative
  )
}

/** The integer of a JSON number token; undefined for a fraction, and for more digits than 64 bits have. */
export function integerOf(token: string): bigint | undefined {
  const { negative, digits, exponent } = decimalOf(token)
  if (exponent < 0 || digits.length + exponent > DIGITS_OF_64_BITS) return undefined
  const value = BigInt(digits + '0'.repeat(exponent))
  return negative ? -value : value
}

/**
 * Whether a number surely equals its unknown source text: a safe integer, or at most 15 significant digits,
 * which every double keeps. Cannot detect further digits that rounded to such a number.
 */
export function isCertain(value: number): boolean {
  if (Number.isInteger(value)) return Number.isSafeInteger(value)
  return Number.isFinite(value) && decimalOf(String(value)).digits.length <= KEPT_DIGITS
}

/**
 * `multipleOf` of JSON Schema in decimal arithmetic: 0.3 is a multiple of 0.1, unlike with the remainder of
 * doubles. Both numbers count as their shortest decimal text.
 */
export function isMultipleOf(value: number | bigint, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return Number(value) % divisor === 0
  if (!Number.isFinite(divisor) || divisor === 0) return false
  if (typeof value === 'bigint') return areMultiples(value, divisor)
  if (!Number.isFinite(value)) return false
  const inverse = inverseOf(divisor)
  if (inverse !== undefined && Math.abs(value) * inverse < LEAST_OF_16_DIGITS) {
    return Math.round(value * inverse) / inverse === value
  }
  return areMultiples(value, divisor)
}

function areMultiples(value: number | bigint, divisor: number): boolean {
  const dividend = decimalOf(String(value))
  const unit = decimalOf(String(divisor))
  const scale = Math.min(dividend.exponent, unit.exponent)
  return scaled(dividend, scale) % scaled(unit, scale) === 0n
}

/** A token has no leading zeros, so equal integers have equal texts. */
const WHOLE = /^-?\d+$/

/** Decimal digits that a double preserves (IEEE 754 binary64). */
const KEPT_DIGITS = 15

/** Digits of 2^64 - 1. */
const DIGITS_OF_64_BITS = 20

const MINUS = 45
const ZERO = 48

/**
 * Numbers below this have at most 15 digits before the point. A multiple of 10^-n with at most 15 digits in
 * all has a double of its own, so converting it to an integer and back returns the same number; no other
 * number does.
 */
const LEAST_OF_16_DIGITS = 1e15

/** Powers of ten up to this one are exact doubles. */
const EXACT_POWERS = 22

/** 10^n of a divisor 10^-n; undefined for any other. Caches the last one, since schemas use few divisors. */
function inverseOf(divisor: number): number | undefined {
  if (divisor !== lastDivisor) {
    const { negative, digits, exponent } = decimalOf(String(divisor))
    const isPower = !negative && digits === '1' && exponent <= 0 && exponent >= -EXACT_POWERS
    lastInverse = isPower ? 10 ** -exponent : undefined
    lastDivisor = divisor
  }
  return lastInverse
}

let lastDivisor = 1
let lastInverse: number | undefined = 1

function scaled({ digits, exponent }: Decimal, scale: number): bigint {
  return BigInt(digits) * 10n ** BigInt(exponent - scale)
}
