/** The drafts of JSON Schema that AJV supports. */
export const dialects = ['draft4', 'draft6', 'draft7', '2019-09', '2020-12'] as const
export type Dialect = (typeof dialects)[number]

/**
 * How to read a schema where AJV and the specification differ. A verdict counts only if both readings agree.
 *
 * ajv: draft 4 and 6 support the keywords of draft 7; keywords next to $ref count in every draft; `contains`
 * marks every item as evaluated, and is ignored in arrays too short for a tuple's first schema. Both: `const`
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
  const since = Object.hasOwn(introduced, keyword) ? introduced[keyword] : undefined
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

/** The first dialect with a keyword: for AJV, and in the specification. */
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
