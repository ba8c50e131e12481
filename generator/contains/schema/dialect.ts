import { type Dialect, dialects, keywordNamed } from '../../document/vocabulary.js'

/**
 * How to read a schema where AJV and the specification differ. A verdict counts only if both readings agree.
 *
 * ajv: draft 4 and 6 support the keywords of draft 7; keywords next to $ref count in every draft; `contains`
 * is ignored in arrays too short for a tuple's first schema. Both: `const`
 * counts in every draft, since its author means it.
 */
export type Reading = 'ajv' | 'specification'

/**
 * Whether formats are assertions. asserted: like AJV. specified: from 2019-09 on they are annotations unless
 * a meta-schema declares otherwise, so they decide nothing.
 */
export type Formats = 'asserted' | 'specified'

/**
 * How `multipleOf` divides. doubles: like AJV, so nothing is decided if rounding matters. decimals: exactly,
 * like the specification and generated validators.
 */
export type Arithmetic = 'doubles' | 'decimals'

/** Whether a keyword has a meaning in a dialect, under a reading. */
export function knows(dialect: Dialect, reading: Reading, keyword: string): boolean {
  const since = keywordNamed(keyword)?.since
  if (since === undefined) return true
  const [byAjv, bySpecification] = since
  const age = dialects.indexOf(dialect)
  return age >= dialects.indexOf(reading === 'ajv' ? byAjv : bySpecification)
}

/** Whether keywords next to $ref count. */
export function keepsSiblings(dialect: Dialect, reading: Reading): boolean {
  return reading === 'ajv' || isModern(dialect)
}

/** Whether the dialect's `contains` has bounds, and arrays and objects may be `unevaluated`. */
export function isModern(dialect: Dialect): boolean {
  return dialect === '2019-09' || dialect === '2020-12'
}
