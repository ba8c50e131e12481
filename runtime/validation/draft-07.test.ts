import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { judgeOf } from '../../generator/contains/judge.js'
import type { Json } from '../../generator/document/document.js'
import { holdingOf, isCurrent, isValidated, keywords } from '../../generator/document/vocabulary.js'
import { examples } from '../../test/keyword-examples.js'
import { accepted, definitions, isContested, schemas, values } from '../../test/random-schemas.js'
import { runs } from '../../test/runs.js'
import { inDraft07 } from './draft-07.js'

const $schema = 'http://json-schema.org/draft-07/schema#'

test('renames keywords that have another name in draft-07', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    properties: { pair: { prefixItems: [{ type: 'string' }], items: { prefixItems: [] } } },
    dependentRequired: { a: ['b'] },
    dependentSchemas: { c: { prefixItems: [{}] } },
  }
  expect(inDraft07(schema)).toEqual({
    $schema,
    properties: { pair: { items: [{ type: 'string' }], additionalItems: { items: [] } } },
    dependencies: { a: ['b'], c: { items: [{}] } },
  })
})

test('keeps siblings of a reference, and definitions where references point', () => {
  const schema = { $ref: '#/$defs/A', minProperties: 1, $defs: { A: { $ref: '#/$defs/B' }, B: {} } }
  expect(inDraft07(schema)).toEqual({
    $schema,
    allOf: [{ $ref: '#/$defs/A' }, { minProperties: 1 }],
    $defs: { A: { $ref: '#/$defs/B' }, B: {} },
  })
})

test('drops what draft-07 cannot express, and never makes the schema stricter', () => {
  const schema = {
    unevaluatedProperties: false,
    allOf: [
      { contains: { type: 'string' }, minContains: 0, maxContains: 2 },
      { contains: true, minContains: 2 },
    ],
  }
  expect(inDraft07(schema)).toEqual({ $schema, allOf: [{}, { contains: true }] })
})

test('does not treat values as schemas', () => {
  const schema = { const: { items: 1, prefixItems: [2] }, properties: { prefixItems: { type: 'string' } } }
  expect(inDraft07(schema)).toEqual({ $schema, ...schema })
})

const closed = { properties: { a: {} }, unevaluatedProperties: false }

test('widens what negates or chooses between schemas that draft-07 cannot express', () => {
  const wide = { properties: { a: {} } }
  const convert = (schema: object) =>
    inDraft07({ ...schema, $defs: { Closed: closed, Via: { $ref: '#/$defs/Closed' } } })
  const rest = { $schema, $defs: { Closed: wide, Via: { $ref: '#/$defs/Closed' } } }
  expect(convert({ not: closed })).toEqual(rest)
  expect(convert({ not: { not: closed } })).toEqual(rest)
  expect(convert({ not: { $ref: '#/$defs/Via' } })).toEqual(rest)
  expect(convert({ not: { contains: {}, minContains: 2 } })).toEqual(rest)
  expect(convert({ oneOf: [closed, { type: 'string' }] })).toEqual({
    ...{ ...rest, allOf: [{ anyOf: [wide, { type: 'string' }] }] },
  })
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  expect(convert({ if: closed, then: false })).toEqual(rest)
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  expect(convert({ if: closed, then: false, else: closed })).toEqual({
    ...rest,
    allOf: [{ anyOf: [false, wide] }],
  })
})

test('keeps what negates or chooses between other schemas', () => {
  const schema = {
    not: { $ref: '#/$defs/A' },
    oneOf: [{ $ref: '#/$defs/A' }, { type: 'string' }],
    if: { $ref: '#/$defs/A' },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: false,
    $defs: { A: { properties: { a: { $ref: '#/$defs/A' } } } },
  }
  expect(inDraft07(schema)).toEqual({ $schema, ...schema })
})

test('keeps both dependencies of one name', () => {
  const schema = { dependentRequired: { a: ['b'] }, dependentSchemas: { a: { maxProperties: 2 } } }
  const dependencies = { a: { maxProperties: 2 } }
  expect(inDraft07(schema)).toEqual({ $schema, dependencies: { a: ['b'] }, allOf: [{ dependencies }] })
})

const current = keywords.filter((keyword) => isCurrent(keyword) && isValidated(keyword))

test.each(
  current.flatMap(({ name, holds }) => (holdingOf(name) === undefined ? [] : [[name, holds] as const])),
)('converts the schemas of %s', (name, holds) => {
  const inner = { $anchor: 'here' }
  const held = holds === 'schemas' ? [inner] : holds === 'schema-map' ? { a: inner } : inner
  expect(JSON.stringify(inDraft07({ [name]: held }))).not.toContain('$anchor')
})

test.each(current.flatMap(({ name, since }) => (since?.[1].startsWith('20') === true ? [name] : [])))(
  'leaves no %s behind',
  (name) => {
    expect(inDraft07({ [name]: examples[name].old, contains: true })).not.toHaveProperty([name])
  },
)

/** A keyword that only the later draft has. */
const part = schemas.chain((inner) =>
  fc.constantFrom<Json[]>(
    { properties: { a: true }, unevaluatedProperties: inner },
    { prefixItems: [true], unevaluatedItems: inner },
    { contains: inner, minContains: 2 },
    { contains: inner, maxContains: 1 },
  ),
)
/** That where it counts. */
const later: fc.Arbitrary<Json> = fc.oneof(
  fc.record({ not: part }),
  fc.record({ oneOf: fc.tuple(part, schemas) }),
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  fc.record({ if: part, then: schemas }),
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  fc.record({ if: part, then: schemas, else: schemas }),
)

test('accepts whatever the schema accepts', () => {
  fc.assert(
    fc.property(
      fc.oneof(schemas, later),
      fc.array(values, { minLength: 1, maxLength: 8 }),
      (schema, tried) => {
        fc.pre(!isContested(schema))
        const taken = accepted(schema, tried)
        const converted = inDraft07({ allOf: [schema], $defs: { ...definitions } })
        const accepts = judgeOf('draft7', 'decimals').compile(JSON.parse(JSON.stringify(converted)))
        expect(taken.filter((value) => typeof accepts !== 'function' || !accepts(value))).toEqual([])
      },
    ),
    { numRuns: runs(150, 20_000) },
  )
})
