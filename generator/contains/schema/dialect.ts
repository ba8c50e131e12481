import { type Dialect, dialects, keywordNamed } from '../../document/vocabulary.js'

/**
 * How a schema is read where AJV and the specification part ways. A verdict counts only where both readings agree.
 *
 * ajv: draft 4 and 6 know the keywords of draft 7; `const` counts in every draft by both, since whoever writes it means it; keywords beside $ref count in every draft; `contains` marks every
 * item as evaluated, and is passed over in arrays too short for a tuple's first schema.
 */
export type Reading = 'ajv' | 'specification'

/**
 * Whether formats assert something. asserted: as AJV has it. specified: from 2019-09 on they are annotations unless a
 * meta-schema says otherwise, so that nothing is decided by them.
 */
export type Formats = 'asserted' | 'specified'

/**
 * How `multipleOf` divides. doubles: as AJV has it, so that nothing is decided where rounding tells. decimals: exactly, as the
 * specification and generated validators have it.
 */
export type Arithmetic = 'doubles' | 'decimals'

/** Whether a keyword means anything in a dialect, as read. */
export function knows(dialect: Dialect, reading: Reading, keyword: string): boolean {
  const since = keywordNamed(keyword)?.since
  if (since === undefined) return true
  const [byAjv, bySpecification] = since
  const age = dialects.indexOf(dialect)
  return age >= dialects.indexOf(reading === 'ajv' ? byAjv : bySpecification)
}

/** Whether keywords beside $ref count. */
export function keepsSiblings(dialect: Dialect, reading: Reading): boolean {
  return reading === 'ajv' || isModern(dialect)
}

/** Whether the dialect's `contains` has bounds, and arrays and objects may be `unevaluated`. */
export function isModern(dialect: Dialect): boolean {
  return dialect === '2019-09' || dialect === '2020-12'
}
