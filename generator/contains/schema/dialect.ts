/** The drafts of JSON Schema that AJV knows. */
export const dialects = ['draft4', 'draft6', 'draft7', '2019-09', '2020-12'] as const
export type Dialect = (typeof dialects)[number]

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
  const since = Object.hasOwn(introduced, keyword) ? introduced[keyword] : undefined
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

/** The first dialect with a keyword: by AJV, and by the specification. */
const introduced: { readonly [keyword: string]: readonly [Dialect, Dialect] } = {
  contains: ['draft4', 'draft6'],
  propertyNames: ['draft4', 'draft6'],
  if: ['draft4', 'draft7'],
  dependentRequired: ['2019-09', '2019-09'],
  dependentSchemas: ['2019-09', '2019-09'],
  minContains: ['2019-09', '2019-09'],
  maxContains: ['2019-09', '2019-09'],
  unevaluatedItems: ['2019-09', '2019-09'],
  unevaluatedProperties: ['2019-09', '2019-09'],
  $recursiveRef: ['2019-09', '2019-09'],
  $dynamicRef: ['2019-09', '2020-12'],
  prefixItems: ['2020-12', '2020-12'],
}
