import { registerSchema, unregisterSchema, validate } from '@hyperjump/json-schema/draft-2020-12'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sidesOf } from '../../test/diff/compared.js'
import { runs } from '../../test/runs.js'
import { contains } from '../contains/contains.js'
import { judgeOf } from '../contains/judge.js'
import type { Json, JsonObject } from '../document/document.js'
import { LazyValidators } from '../validators/lazy-validators.js'
import { evaluatingItems } from './evaluation.js'

/** What a service accepts as a param that is an array. */
async function served(schema: Json, components: JsonObject = {}): Promise<(value: Json) => boolean> {
  const body = { required: true, content: { 'application/json': { schema } } }
  const document = JSON.stringify({
    openapi: '3.1.1',
    info: { title: 'Shop', version: '1.0.0' },
    paths: { '/a': { post: { operationId: 'a.do', requestBody: body, responses: { 204: {} } } } },
    components: { schemas: components },
  })
  const [old] = await sidesOf(document, document)
  const [operation] = old.model?.operations ?? []
  if (old.model === undefined || operation === undefined) throw new Error('the document has no operation')
  const { params } = new LazyValidators(old.model).of(operation)
  return (value) => params({ body: value })
}

/** A service and the judge of containment take some values, and refuse others. */
function evaluates(schema: JsonObject, components: JsonObject, taken: Json[], refused: Json[]): void {
  it('is accepted by a service if the rest matches', async () => {
    const accepts = await served(schema, components)
    expect(taken.filter((value) => !accepts(value))).toEqual([])
    expect(refused.filter(accepts)).toEqual([])
  })

  it('contains what matches', () => {
    const whole = { ...schema, components: { schemas: components } }
    for (const value of taken)
      expect(contains({ const: value }, whole, { dialect: '2020-12' })).toEqual({ verdict: 'contained' })
    for (const witness of refused)
      expect(contains({ const: witness }, whole, { dialect: '2020-12' })).toEqual({
        verdict: 'not-contained',
        witness,
      })
  })
}

const named = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })
const integers = { contains: { type: 'integer' } }
const text = { type: 'string' }

// JSON Schema 2020-12, core, sections 10.3.1.3 and 11.2: `contains` evaluates the items that match it.
describe.each<[string, JsonObject, Json[], Json[]]>([
  ['`contains`', { ...integers, unevaluatedItems: false }, [[1], [1, 2]], [[1, 'a'], ['a']]],
  ['`contains`, and others are texts', { ...integers, unevaluatedItems: text }, [[1, 'a']], [[1, null]]],
  [
    '`contains` that nothing must match',
    { ...integers, minContains: 0, unevaluatedItems: false },
    [[], [1]],
    [['a']],
  ],
  ['`contains` in a part', { allOf: [integers], unevaluatedItems: false }, [[1]], [[1, 'a']]],
  [
    '`contains` in a schema that is referred to',
    { ...named('Integers'), unevaluatedItems: false },
    [[1]],
    [[1, 'a']],
  ],
  [
    '`contains` after first items',
    { prefixItems: [text], ...integers, unevaluatedItems: false },
    [['a', 1]],
    [
      ['a', 'b', 1],
      ['a', 1, 'b'],
    ],
  ],
  [
    '`contains` in a branch',
    { anyOf: [integers, { minItems: 2 }], unevaluatedItems: { type: 'null' } },
    [[1], [1, null], [null, null]],
    [
      [1, 'a'],
      ['a', 'a'],
    ],
  ],
  [
    '`items` in a branch',
    { anyOf: [{ items: { type: 'integer' } }, { minItems: 3 }], unevaluatedItems: text },
    [
      [1, 2],
      ['a', 'b', 'c'],
    ],
    [
      [1, 'a'],
      ['a', 'b', 1],
    ],
  ],
  [
    '`items` in an `if`',
    { if: { items: { type: 'integer' } }, unevaluatedItems: false },
    [[1, 2], []],
    [[1, 'a']],
  ],
])('an array that has %s', (_, schema, taken, refused) => {
  evaluates(schema, { Integers: integers }, taken, refused)
})

// JSON Schema 2020-12, core, sections 10.2 and 11.3: a branch evaluates members only where it holds.
describe.each<[string, JsonObject, Json[], Json[]]>([
  [
    'a branch that fails, though one of its own branches holds',
    {
      anyOf: [{ properties: { c: text }, oneOf: [named('First'), true] }, true],
      unevaluatedProperties: text,
    },
    [[{ c: 'a' }], [{ d: 'a' }]],
    [[{ c: null }]],
  ],
  [
    'a branch that only the item before matches',
    { anyOf: [{ properties: { b: text } }, true], unevaluatedProperties: false },
    [[{ b: 'a' }], [{}]],
    [[{ b: 'a' }, { b: 1 }]],
  ],
  [
    'a branch next to a reference',
    { ...named('First'), anyOf: [{ properties: { b: text } }, true], unevaluatedProperties: false },
    [[{ a: 1 }], [{ a: 1, b: 'a' }]],
    [[{ a: 1, b: 1 }]],
  ],
  [
    'references that count nothing for each other',
    {
      allOf: [named('First'), named('Second')],
      properties: { c: { ...named('First'), unevaluatedProperties: false } },
      unevaluatedProperties: false,
    },
    [[{ a: 1, b: 1 }], [{ a: 1, b: 1, c: { a: 1 } }]],
    [[{ a: 1, b: 1, c: { a: 1, b: 1 } }]],
  ],
  [
    'a pattern next to a branch that evaluates all',
    {
      anyOf: [{ additionalProperties: text }],
      patternProperties: { '^b': true },
      unevaluatedProperties: false,
    },
    [[{ b: 'a' }]],
    [[{ b: 1 }]],
  ],
  [
    'a discriminator',
    {
      type: 'object',
      properties: { c: true },
      required: ['kind'],
      discriminator: { propertyName: 'kind' },
      oneOf: [named('Left'), named('Right')],
      unevaluatedProperties: false,
    },
    [[{ kind: 'Left', a: 1, c: 1 }], [{ kind: 'Right', b: 1, c: 1 }]],
    [
      [{ kind: 'Right', a: 1 }],
      [
        { kind: 'Left', a: 1 },
        { kind: 'Right', a: 1 },
      ],
    ],
  ],
])('an object that has %s', (_, schema, taken, refused) => {
  const kind = (name: string, key: string): JsonObject => ({
    type: 'object',
    properties: { kind: { const: name }, [key]: true },
    required: ['kind'],
  })
  const components = {
    First: { properties: { a: true }, required: ['a'] },
    Second: { properties: { b: true }, required: ['b'] },
    Left: kind('Left', 'a'),
    Right: kind('Right', 'b'),
  }
  evaluates({ type: 'array', items: schema }, components, taken, refused)
})

// JSON Schema 2020-12, core, sections 10.2.2.1 and 11.3: `if` evaluates members only where it holds.
it('an object contains what an `if` alone evaluates', () => {
  const schema = (value: Json): JsonObject => ({
    type: 'object',
    properties: { c: {} },
    if: { properties: { e: { const: value } }, required: ['e'] },
    unevaluatedProperties: false,
  })
  const written = { type: 'object', properties: { c: {}, e: { const: 1 } }, additionalProperties: false }
  const options = { dialect: '2020-12' } as const
  expect(contains(schema(1), written, options)).toEqual({ verdict: 'contained' })
  expect(contains(written, schema(1), options)).toEqual({ verdict: 'contained' })
  expect(contains(schema(1), schema(2), options)).toEqual({ verdict: 'not-contained', witness: { e: 1 } })
})

const small = fc.constantFrom<Json>(null, 1, 'a')
const several = fc.array(fc.array(small, { maxLength: 4 }), { minLength: 1, maxLength: 8 })
const item = fc.constantFrom<Json>(true, false, { type: 'integer' }, { type: 'string' }, { const: 'a' })
const definitions = { a: { contains: { const: 1 } }, b: { prefixItems: [{ type: 'string' }] } }

const schemas = fc.letrec<{ schema: Json }>((tie) => {
  const list = fc.array(tie('schema'), { minLength: 1, maxLength: 2 })
  const keywords: Record<string, fc.Arbitrary<Json>> = {
    $ref: fc.constantFrom('#/$defs/a', '#/$defs/b'),
    contains: item,
    minContains: fc.constant(0),
    prefixItems: fc.array(item, { minLength: 1, maxLength: 2 }),
    items: item,
    unevaluatedItems: item,
    minItems: fc.constantFrom(1, 2, 3),
    ...{ allOf: list, anyOf: list, oneOf: list, not: tie('schema'), if: tie('schema') },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ...{ then: tie('schema'), else: tie('schema') },
  }
  const pairs = Object.entries(keywords).map(([key, argument]) => argument.map((one) => [key, one] as const))
  const objects = fc.array(fc.oneof(...pairs), { maxLength: 4 }).map((found) => Object.fromEntries(found))
  return { schema: fc.oneof({ depthSize: 'small' }, fc.boolean(), objects, objects) }
}).schema

it('arrays are judged as another validator judges them', async () => {
  await fc.assert(
    fc.asyncProperty(schemas, item, several, async (part, rest, tried) => {
      const text = JSON.stringify(part)
      // AJV ignores `contains` in an array that is shorter than `prefixItems`.
      fc.pre(!text.includes('"prefixItems"') || !text.includes('"contains"'))
      const whole = { allOf: [part], unevaluatedItems: rest, $defs: definitions }
      expect(tried.filter(judged(whole))).toEqual(tried.filter(await specified(whole)))
    }),
    { numRuns: runs(150, 5000) },
  )
})

const members = fc.dictionary(
  fc.constantFrom('a', 'b', 'c'),
  fc.oneof(small, fc.dictionary(fc.constantFrom('a', 'c'), small, { maxKeys: 2, noNullPrototype: true })),
  { maxKeys: 3, noNullPrototype: true },
)
const lists = fc.array(fc.array(members, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 })
const components: JsonObject = {
  First: { properties: { a: true } },
  Second: { properties: { b: { type: 'string' } }, required: ['b'] },
  Nested: {
    properties: { c: named('Nested') },
    anyOf: [named('Second'), true],
    unevaluatedProperties: { type: 'integer' },
  },
  Patterns: { patternProperties: { '^[ab]': { type: 'integer' } }, properties: { c: named('Patterns') } },
}

const ofMembers = fc.letrec<{ schema: Json }>((tie) => {
  const part = tie('schema')
  const list = fc.array(part, { minLength: 1, maxLength: 3 })
  const mapOf = (...keys: string[]) =>
    fc.dictionary(fc.constantFrom(...keys), fc.oneof(item, item, part), {
      minKeys: 1,
      maxKeys: 2,
      noNullPrototype: true,
    })
  const keywords: Record<string, fc.Arbitrary<Json>> = {
    $ref: fc.constantFrom(...Object.keys(components)).map((name) => `#/components/schemas/${name}`),
    properties: mapOf('a', 'b', 'c'),
    patternProperties: mapOf('^a', '[bc]'),
    dependentSchemas: mapOf('a', 'b'),
    additionalProperties: item,
    unevaluatedProperties: item,
    required: fc.constantFrom(['a'], ['b'], ['a', 'c']),
    maxProperties: fc.constantFrom(1, 2),
    ...{ allOf: list, anyOf: list, oneOf: list, not: part, if: part },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ...{ then: part, else: part },
  }
  const pairs = Object.entries(keywords).map(([key, argument]) => argument.map((one) => [key, one] as const))
  const objects = fc.array(fc.oneof(...pairs), { maxLength: 4 }).map((found) => Object.fromEntries(found))
  return { schema: fc.oneof({ depthSize: 'medium' }, fc.boolean(), objects, objects, objects) }
}).schema

it.each<[string, (schema: JsonObject) => Promise<(value: Json) => boolean>, number]>([
  ['judge', async (schema) => judged({ ...schema, components: { schemas: components } }), runs(150, 5000)],
  ['service', async (schema) => served(schema, components), runs(40, 2000)],
])('a %s takes the objects that another validator takes', async (_, read, numRuns) => {
  await fc.assert(
    fc.asyncProperty(ofMembers, item, lists, async (part, rest, tried) => {
      const schema = { type: 'array', items: { allOf: [part], unevaluatedProperties: rest } }
      const accepts = await read(schema)
      const other = await specified({ ...schema, components: { schemas: components } })
      expect(tried.filter(accepts)).toEqual(tried.filter(other))
    }),
    { numRuns },
  )
})

function judged(schema: JsonObject): (value: Json) => boolean {
  const accepts = judgeOf('2020-12').compile(schema)
  if (typeof accepts !== 'function') throw new Error(accepts)
  return accepts
}

async function specified(schema: JsonObject): Promise<(value: Json) => boolean> {
  const address = 'https://example.com/schema'
  registerSchema(JSON.parse(JSON.stringify(schema)), address, 'https://json-schema.org/draft/2020-12/schema')
  try {
    const judge = await validate(address)
    return (value) => judge(JSON.parse(JSON.stringify(value))).valid
  } finally {
    unregisterSchema(address)
  }
}

it('ends where each schema refers to the next one twice', () => {
  const next = (schema: JsonObject): Json | undefined => {
    if (schema.$ref === undefined || schema.$ref === '40') return undefined
    const following = { $ref: String(Number(schema.$ref) + 1) }
    return { allOf: [following, { ...following }], anyOf: [{ ...following }, { ...following }] }
  }
  expect(evaluatingItems({ $ref: '0', unevaluatedItems: false }, next)).not.toHaveProperty('unevaluatedItems')
})
