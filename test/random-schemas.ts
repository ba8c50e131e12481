import * as fc from 'fast-check'
import { judgeOf } from '../generator/contains/judge.js'
import type { Json, JsonObject } from '../generator/document/document.js'
import { fingerprint } from '../generator/schema/canonical.js'

/** Where references of the schemas lead. */
export const definitions: JsonObject = {
  Text: { type: 'string' },
  Whole: { type: 'integer' },
  Named: { properties: { a: true }, required: ['a'] },
}
const name = fc.constantFrom('a', 'b', 'ab')
const few = fc.integer({ min: 0, max: 3 })
const mapOf = <T>(values: fc.Arbitrary<T>) =>
  fc.dictionary(name, values, { maxKeys: 2, noNullPrototype: true })
/** Values of which schemas accept some. */
export const values = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Json>(null, true, 0, 1, 2, 3, 0.1, 0.3, -1.5, '', 'a', 'ab', '💶', '2026-01-31'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value

/** Schemas with any keyword that validators check, and references to the definitions. */
export const schemas = fc.letrec<{ schema: Json }>((tie) => {
  const part = tie('schema')
  const parts = fc.array(part, { minLength: 1, maxLength: 3 })
  const texts = fc.uniqueArray(name)
  const limits = { maximum: few, exclusiveMaximum: few, minimum: few, exclusiveMinimum: few }
  const sizes = { maxLength: few, minLength: few, maxItems: few, minItems: few }
  const counts = { maxProperties: few, minProperties: few, minContains: few, maxContains: few }
  const lists = { allOf: parts, anyOf: parts, oneOf: parts, prefixItems: parts }
  const maps = { dependentSchemas: mapOf(part), properties: mapOf(part), patternProperties: mapOf(part) }
  const rests = {
    items: part,
    additionalProperties: part,
    unevaluatedItems: part,
    unevaluatedProperties: part,
  }
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  const singles = { contains: part, propertyNames: part, not: part, if: part, then: part, else: part }
  const keywords: { readonly [keyword: string]: fc.Arbitrary<Json> } = {
    ...{ ...limits, ...sizes, ...counts, ...lists, ...maps, ...rests, ...singles },
    $ref: fc.constantFrom(...Object.keys(definitions).map((key) => `#/$defs/${key}`)),
    type: fc.constantFrom('array', 'boolean', 'integer', 'null', 'number', 'object', 'string'),
    const: values,
    enum: fc.uniqueArray(values, { minLength: 1, maxLength: 3, selector: fingerprint }),
    multipleOf: fc.constantFrom(0.1, 0.5, 2),
    pattern: fc.constantFrom('^a', 'b$'),
    format: fc.constantFrom('date', 'int32', 'unheard-of'),
    uniqueItems: fc.boolean(),
    required: texts,
    dependentRequired: mapOf(texts),
  }
  const pairs = Object.entries(keywords).map(([key, argument]) => argument.map((one) => [key, one] as const))
  const objects = fc.array(fc.oneof(...pairs), { maxLength: 4 }).map((found) => Object.fromEntries(found))
  return { schema: fc.oneof({ depthSize: 'small' }, fc.boolean(), objects, objects) }
}).schema

/** Whether AJV may read a schema in its own way, so that some verdicts are open. */
export function isContested(schema: Json): boolean {
  const text = JSON.stringify(schema)
  const has = (...keywords: string[]) => keywords.some((keyword) => text.includes(`"${keyword}":`))
  return has('prefixItems') && has('contains', 'uniqueItems')
}

/** The values that AJV accepts. Skips schemas for which AJV fails. */
export function accepted(schema: Json, tried: readonly Json[]): Json[] {
  const accepts = judgeOf('2020-12', 'decimals').compile({ allOf: [schema], $defs: definitions })
  try {
    if (typeof accepts === 'function') return tried.filter(accepts)
  } catch {}
  fc.pre(false)
  return []
}
