/** Size of a numeric column: all its significant digits, and those after the point. At most 15 digits, 6 after the point. */
export interface NumericSize {
  readonly precision: number
  readonly scale: number
}

/** `clients.credit`. */
export const creditSize: NumericSize = { precision: 15, scale: 4 }

/**
 * A number as the decimal that a numeric column takes, digit for digit; undefined where the column can't hold
 * it exactly. The decimal of a double is the shortest that reads back as the same double (ECMA-262,
 * Number::toString), and any decimal of up to 15 digits survives that way: nothing is ever rounded.
 */
export function toNumeric(value: number, { precision, scale }: NumericSize): string | undefined {
  // Exponents are written from 1e21 up and from 1e-7 down: outside of every size there may be.
  const match = /^-?(\d+)(?:\.(\d+))?$/.exec(String(value))
  if (match === null) return undefined
  const [text, whole = '', fraction = ''] = match
  return whole.length <= precision - scale && fraction.length <= scale ? text : undefined
}

/** A numeric of at most 15 significant digits as the double that stands for it. */
export function fromNumeric(text: string): number {
  return Number(text)
}
