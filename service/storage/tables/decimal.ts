/** Size of a numeric column: its significant digits, and those after the point. At most 15, and 6 after the point. */
export interface NumericSize {
  readonly precision: number
  readonly scale: number
}

/** `clients.credit`. */
export const creditSize: NumericSize = { precision: 15, scale: 4 }

/**
 * A number as an exact decimal for a numeric column. Undefined if the column can't hold it exactly. The decimal of a
 * double is the shortest that reads back as the same double (ECMA-262, Number::toString), which preserves any decimal
 * of up to 15 digits: nothing is ever rounded.
 */
export function toNumeric(value: number, { precision, scale }: NumericSize): string | undefined {
  // Numbers from 1e21 up and from 1e-7 down are written with exponents. They fit no column size.
  const match = /^-?(\d+)(?:\.(\d+))?$/.exec(String(value))
  if (match === null) return undefined
  const [text, whole = '', fraction = ''] = match
  return whole.length <= precision - scale && fraction.length <= scale ? text : undefined
}

/** A numeric of at most 15 significant digits as a double. */
export function fromNumeric(text: string): number {
  return Number(text)
}
