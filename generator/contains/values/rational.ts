import { Undecidable } from '../../patterns/budget.js'

/** An exact fraction in lowest terms; the denominator is positive. */
export interface Rational {
  readonly n: bigint
  readonly d: bigint
}

export const zero: Rational = { n: 0n, d: 1n }

/** The fraction n/d. Throws RangeError if d is 0. */
export function fraction(n: bigint, d: bigint): Rational {
  if (d === 0n) throw new RangeError('a fraction without denominator')
  const shared = gcd(n < 0n ? -n : n, d < 0n ? -d : d)
  const sign = d < 0n ? -1n : 1n
  return { n: (sign * n) / shared, d: (sign * d) / shared }
}

/**
 * The decimal number that a double prints: up to 15 digits, that is the one in the JSON text. Throws
 * Undecidable for the result of JSON.parse for 1e400.
 */
export function fromNumber(value: number): Rational {
  if (!Number.isFinite(value)) throw new Undecidable('a number exceeds the range of doubles')
  const [mantissa = '0', exponent = '0'] = String(value).split('e')
  const [whole = '0', part = ''] = mantissa.split('.')
  const digits = BigInt(whole + part)
  const power = Number(exponent) - part.length
  return power >= 0 ? { n: digits * 10n ** BigInt(power), d: 1n } : fraction(digits, 10n ** BigInt(-power))
}

/** The double whose decimal text is exactly this fraction. Undefined if there is none. */
export function toNumber(value: Rational): number | undefined {
  if (value.d === 1n && value.n > -(2n ** 53n) && value.n < 2n ** 53n) return Number(value.n)
  const text = decimalText(value)
  if (text === undefined) return undefined
  const number = Number(text)
  return Number.isFinite(number) && compare(fromNumber(number), value) === 0 ? number : undefined
}

export function compare(a: Rational, b: Rational): number {
  const left = a.n * b.d
  const right = b.n * a.d
  return left < right ? -1 : left > right ? 1 : 0
}

export function add(a: Rational, b: Rational): Rational {
  return fraction(a.n * b.d + b.n * a.d, a.d * b.d)
}

export function multiply(a: Rational, b: Rational): Rational {
  return fraction(a.n * b.n, a.d * b.d)
}

export function divide(a: Rational, b: Rational): Rational {
  return fraction(a.n * b.d, a.d * b.n)
}

/** The greatest integer that is not greater. */
export function floor(value: Rational): bigint {
  const quotient = value.n / value.d
  return value.n < 0n && quotient * value.d !== value.n ? quotient - 1n : quotient
}

/** The least integer that is not less. */
export function ceiling(value: Rational): bigint {
  return -floor({ n: -value.n, d: value.d })
}

/** Whether a is an integer times b. */
export function isMultiple(a: Rational, b: Rational): boolean {
  return divide(a, b).d === 1n
}

/** The least positive fraction that is a multiple of both. */
export function leastCommonMultiple(a: Rational, b: Rational): Rational {
  const n = (a.n / gcd(a.n, b.n)) * b.n
  return fraction(n < 0n ? -n : n, gcd(a.d, b.d))
}

/** A text that equal fractions share. */
export function key(value: Rational): string {
  return value.d === 1n ? `${value.n}` : `${value.n}/${value.d}`
}

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b]
  while (y !== 0n) [x, y] = [y, x % y]
  return x < 0n ? -x : x
}

/** Only finite decimals have a text. 400 places are more than a double distinguishes. */
function decimalText(value: Rational): string | undefined {
  let places = 0
  let denominator = value.d
  while (denominator !== 1n) {
    if (places > 400) return undefined
    const shared = gcd(denominator, 10n)
    if (shared === 1n) return undefined
    denominator /= shared
    places += 1
  }
  return `${(value.n * 10n ** BigInt(places)) / value.d}e-${places}`
}
