import type { Formula } from '../formula/formula.js'
import { isObject, type Json } from '../values/value.js'
import { telling } from './keyword.js'
import { containsBounds } from './scalar-keywords.js'
import type { Subschema } from './subschema.js'

const infinity = Number.POSITIVE_INFINITY

/** Items, their number and uniqueness, and `contains`. */
export function* arrayKeywords(schema: Subschema): Iterable<Formula> {
  const { formulas } = schema
  const { prefix, rest } = itemSchemas(schema)
  for (const [i, part] of prefix.entries()) yield formulas.every(i, i + 1, schema.read(part))
  if (rest !== undefined) yield formulas.every(prefix.length, infinity, schema.readEach(rest))
  const min = schema.number('minItems')
  if (min !== undefined) yield formulas.size('items-size', min, infinity)
  const max = schema.number('maxItems')
  if (max !== undefined) yield formulas.size('items-size', 0, max)
  const heeded = whereChecked(schema, prefix)
  if (schema.get('uniqueItems') === true) yield heeded(formulas.unique())
  const contains = schema.get('contains')
  if (contains === undefined) return
  const part = schema.readEach(contains)
  const bounds = containsBounds(schema)
  if (bounds.min === 1 && bounds.max === infinity) schema.reader.note('lasting')
  yield heeded(formulas.count(part, 'least', bounds.min))
  if (bounds.max !== infinity) yield heeded(formulas.count(part, 'most', bounds.max))
}

/**
 * AJV 8 ignores uniqueItems and contains in an array that ends before the first position with an effective
 * schema: the generated `if (valid)` around them reads a result that was never set.
 */
function whereChecked(schema: Subschema, prefix: readonly Json[]): (formula: Formula) => Formula {
  const { formulas, reader } = schema
  const first = prefix.findIndex((part) => part === false || (isObject(part) && telling(part).length > 0))
  if (first < 0) return (formula) => formula
  return (formula) => {
    reader.note('reading')
    reader.note('lasting')
    if (reader.reading === 'specification') return formula
    return formulas.any([formulas.size('items-size', 0, first), formula])
  }
}

/** Schemas by position, and the one for all later positions, independent of the dialect's keywords. */
export function itemSchemas(schema: Subschema): {
  readonly prefix: readonly Json[]
  readonly rest: Json | undefined
} {
  const items = schema.get('items')
  if (schema.reader.dialect === '2020-12') return { prefix: schema.list('prefixItems'), rest: items }
  if (Array.isArray(items)) return { prefix: items, rest: schema.get('additionalItems') }
  return { prefix: [], rest: items }
}
