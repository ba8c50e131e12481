import type { Formula } from '../formula/formula.js'
import { fromNumber } from '../values/rational.js'
import { formatDefinition, numberFormat } from '../words/format.js'
import { isModern } from './dialect.js'
import type { Subschema } from './subschema.js'

/** Bounds, multipleOf, and formats of numbers. */
export function* numberKeywords(schema: Subschema): Iterable<Formula> {
  const { formulas } = schema
  for (const [side, inclusive, exclusive] of [
    ['min', 'minimum', 'exclusiveMinimum'],
    ['max', 'maximum', 'exclusiveMaximum'],
  ] as const) {
    const limit = schema.number(inclusive)
    // Draft 4 has a boolean next to the bound; later drafts have a separate bound.
    if (limit !== undefined) yield formulas.bound(side, fromNumber(limit), schema.get(exclusive) === true)
    const strict = schema.number(exclusive)
    if (strict !== undefined) yield formulas.bound(side, fromNumber(strict), true)
  }
  const divisor = schema.number('multipleOf')
  if (divisor !== undefined && divisor > 0) {
    if (!Number.isInteger(divisor)) schema.reader.note('decimal')
    yield formulas.multiple(fromNumber(divisor))
  }
  const format = schema.format()
  const numeric = format === undefined ? undefined : numberFormat(format)
  if (numeric === undefined) return
  if (numeric.integer) yield formulas.multiple({ n: 1n, d: 1n })
  if (numeric.min !== undefined) yield formulas.bound('min', fromNumber(numeric.min), false)
  if (numeric.max !== undefined) yield formulas.bound('max', fromNumber(numeric.max), false)
}

/** Lengths, patterns and formats of strings. An unknown format asserts nothing, as in AJV without strict mode. */
export function* stringKeywords(schema: Subschema): Iterable<Formula> {
  const { formulas } = schema
  const { languages } = formulas
  const min = schema.number('minLength')
  if (min !== undefined) yield formulas.text(languages.length(min, Number.POSITIVE_INFINITY))
  const max = schema.number('maxLength')
  if (max !== undefined) yield formulas.text(languages.length(0, max))
  const pattern = schema.get('pattern')
  if (typeof pattern === 'string') yield formulas.text(languages.pattern(pattern))
  if (schema.reader.dialect === 'draft7' && (schema.has('contentEncoding') || schema.has('contentMediaType')))
    schema.reader.note('content')
  const format = schema.format()
  if (format !== undefined && formatDefinition(format) !== undefined)
    yield formulas.text(languages.format(format))
}

/** Whether `contains` has bounds of its own. */
export function containsBounds(schema: Subschema): { readonly min: number; readonly max: number } {
  if (!isModern(schema.reader.dialect)) return { min: 1, max: Number.POSITIVE_INFINITY }
  return {
    min: schema.number('minContains') ?? 1,
    max: schema.number('maxContains') ?? Number.POSITIVE_INFINITY,
  }
}
