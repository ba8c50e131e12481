import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { examples } from '../../test/keyword-examples.js'
import { runs } from '../../test/runs.js'
import { judgeOf } from '../contains/judge.js'
import type { Json, JsonObject } from '../document/document.js'
import { isCurrent, isValidated, keywords } from '../document/vocabulary.js'
import { refuses } from './instance.js'

const definitions: JsonObject = {
  Text: { type: 'string' },
  Whole: { type: 'integer' },
  Named: { properties: { a: true }, required: ['a'] },
}
const resolve = (reference: string): Json | undefined => definitions[reference.split('/').pop() ?? '']

describe('a schema and one value', () => {
  const checked = keywords.filter((one) => isCurrent(one) && isValidated(one) && one.upgraded === undefined)
  // What a dynamic reference leads to depends on where the schema is used.
  const decided = checked.filter(({ name }) => examples[name].taken !== undefined && name !== '$dynamicRef')

  it.each(decided.map(({ name }) => [name, examples[name]] as const))(
    'is decided by %s',
    (name, { taken = null, beside, ...example }) => {
      expect(refuses({ ...beside, [name]: example.old }, taken, resolve)).toBe(false)
      expect(refuses({ ...beside, [name]: example.new }, taken, resolve)).toBe(true)
    },
  )

  it.each<[string, Json, Json, boolean]>([
    ['0.3 by thirds', { multipleOf: 0.1 }, 0.3, false],
    ['members in another order', { enum: [{ a: 2, b: 1 }] }, { b: 1, a: 2 }, false],
    ['members in another order below const', { const: [{ a: 2, b: 1 }] }, [{ b: 1, a: 2 }], false],
    [
      'items that differ in the order of members',
      { uniqueItems: true },
      [
        { a: 2, b: 1 },
        { b: 1, a: 2 },
      ],
      true,
    ],
    ['a member named as one of prototypes', { required: ['constructor'] }, {}, true],
    ['two matching branches', { oneOf: [{ minimum: 1 }, { maximum: 9 }] }, 5, true],
    ['an unknown format', { format: 'unheard-of' }, 'a', false],
    ['a format of numbers', { format: 'int32' }, 2 ** 40, true],
  ])('compares %s', (_, schema, value, expected) => {
    expect(refuses(schema, value, resolve)).toBe(expected)
  })

  const open: JsonObject = { $ref: '#/components/schemas/Missing' }
  it.each<[string, Json, Json, boolean]>([
    ['a missing reference', open, 1, false],
    ['its negation', { not: open }, 1, false],
    ['it next to a certain refusal', { allOf: [open, false] }, 1, true],
    ['it next to a certain branch', { anyOf: [open, true] }, 1, false],
    ['the negation of that', { not: { anyOf: [open, true] } }, 1, true],
    ['one certain branch of two', { oneOf: [open, true] }, 1, false],
    ['two certain branches of three', { oneOf: [open, true, true] }, 1, true],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ['a condition whose both ends refuse', { if: open, then: false, else: false }, 1, true],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ['a condition of which one end refuses', { if: open, then: false }, 1, false],
    ['a dynamic reference', { not: { $dynamicRef: '#a' } }, 1, false],
  ])('leaves open only what is not decided: %s', (_, schema, value, expected) => {
    expect(refuses(schema, value, resolve)).toBe(expected)
  })

  it('leaves open what a schema that refers to itself says', () => {
    const loop = { $ref: 'Loop' }
    expect(refuses(loop, 1, () => loop)).toBe(false)
    expect(refuses({ not: loop }, 1, () => loop)).toBe(false)
  })

  it('ends where each schema refers to the next one twice', () => {
    const next = (reference: string): Json => {
      const following = { $ref: String(Number(reference) + 1) }
      return { allOf: [following, following] }
    }
    expect(refuses({ $ref: '0' }, 1, next)).toBe(false)
  })
})

const name = fc.constantFrom('a', 'b', 'ab')
const few = fc.integer({ min: 0, max: 3 })
const mapOf = <T>(values: fc.Arbitrary<T>) =>
  fc.dictionary(name, values, { maxKeys: 2, noNullPrototype: true })
const values = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Json>(null, true, 0, 1, 2, 3, 0.1, 0.3, -1.5, '', 'a', 'ab', '💶', '2026-01-31'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value

const schemas = fc.letrec<{ schema: Json }>((tie) => {
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
    enum: fc.array(values, { minLength: 1, maxLength: 3 }),
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
function isContested(schema: Json): boolean {
  const text = JSON.stringify(schema)
  const has = (...keywords: string[]) => keywords.some((keyword) => text.includes(`"${keyword}":`))
  return (
    (has('unevaluatedItems', 'unevaluatedProperties') && has('contains', 'if')) ||
    text.split('"unevaluatedItems":').length > 2 ||
    (has('prefixItems') && has('contains', 'uniqueItems'))
  )
}

it('decides as a validator does', () => {
  fc.assert(
    fc.property(schemas, fc.array(values, { minLength: 1, maxLength: 8 }), (schema, tried) => {
      const accepts = judgeOf('2020-12', 'decimals').compile({ allOf: [schema], $defs: definitions })
      fc.pre(typeof accepts === 'function' && !isContested(schema))
      const refused = tried.filter((value) => refuses(schema, value, resolve))
      expect(refused).toEqual(tried.filter((value) => typeof accepts === 'function' && !accepts(value)))
    }),
    { numRuns: runs(250, 20_000) },
  )
})

it('never refuses what a validator accepts', () => {
  fc.assert(
    fc.property(schemas, values, (schema, value) => {
      const accepts = judgeOf('2020-12', 'decimals').compile({ allOf: [schema], $defs: definitions })
      fc.pre(typeof accepts === 'function' && accepts(value))
      expect(refuses(schema, value, resolve)).toBe(false)
    }),
    { numRuns: runs(100, 20_000) },
  )
})
