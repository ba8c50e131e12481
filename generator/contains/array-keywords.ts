import type { Formula } from './formula.js'
import { containsBounds } from './scalar-keywords.js'
import type { Subschema } from './schema-reader.js'

const infinity = Number.POSITIVE_INFINITY

/** Items, their number and uniqueness, and `contains`. */
export function* arrayKeywords(schema: Subschema): Iterable<Formula> {
  const { formulas } = schema
  const { prefix, rest } = itemSchemas(schema)
  for (const [i, part] of prefix.entries()) yield formulas.every(i, i + 1, schema.read(part))
  if (rest !== undefined) yield formulas.every(prefix.length, infinity, schema.read(rest))
  const min = schema.number('minItems')
  if (min !== undefined) yield formulas.size('items-size', min, infinity)
  const max = schema.number('maxItems')
  if (max !== undefined) yield formulas.size('items-size', 0, max)
  if (schema.get('uniqueItems') === true) yield formulas.unique()
  const contains = schema.get('contains')
  if (contains === undefined) return
  const part = schema.read(contains)
  const bounds = containsBounds(schema)
  yield formulas.count(part, 'least', bounds.min)
  if (bounds.max !== infinity) yield formulas.count(part, 'most', bounds.max)
}

/** Schemas by position, and the one for what follows, whatever the dialect calls them. */
export function itemSchemas(schema: Subschema): {
  readonly prefix: readonly Subschema['schema'][string][]
  readonly rest: Subschema['schema'][string] | undefined
} {
  const items = schema.get('items')
  if (schema.reader.dialect === '2020-12') return { prefix: schema.list('prefixItems'), rest: items }
  if (Array.isArray(items)) return { prefix: items, rest: schema.get('additionalItems') }
  return { prefix: [], rest: items }
}
