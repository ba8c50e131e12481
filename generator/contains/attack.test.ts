import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Dialect } from '../document/vocabulary.js'
import { contains } from './contains.js'
import { type Accepts, Judge } from './judge.js'
import type { Json } from './values/value.js'

// Small schemas with related constants, against every value of a small universe. ATTACK=number of runs for a
// long test, SEED for other seeds.

const leaves: Json[] = [null, true, false, 0, 1, 2, 3, 1.5, -1, '', 'a', 'b', 'ab', 'ba', 'aa']
const universe: readonly Json[] = [
  ...leaves,
  ...arrays([null, true, 0, 1, 2, 'a', 'b', [], [1], {}], 2),
  ...arrays([0, 1, 2, 'a'], 3),
  ...arrays([1, 'a'], 5),
  ...arrays(arrays([1, 2], 2), 3).filter((value) => JSON.stringify(value).includes(']')),
  ...objects(['a', 'b', 'ab'], [undefined, null, 0, 1, 2, 'a', [1]]),
  ...objects(['', 'a', 'b', 'aa', 'ba', 'x'], [undefined, 1, 'a']),
  ...objects(['a', 'b'], [undefined, {}, { a: 1 }, { b: 1 }, { a: {} }, { a: 1, b: 'a' }, [1, 2], [[]]]),
]

function arrays(items: readonly Json[], longest: number): Json[] {
  const all: Json[][] = [[]]
  for (const list of all) if (list.length < longest) for (const item of items) all.push([...list, item])
  return all
}

function objects(keys: readonly string[], members: readonly (Json | undefined)[]): Json[] {
  return keys.reduce<{ [key: string]: Json }[]>(
    (made, key) =>
      made.flatMap((one) =>
        members.map((member) => (member === undefined ? one : { ...one, [key]: member })),
      ),
    [{}],
  )
}

const keys = fc.constantFrom('a', 'b', 'ab')
const patterns = fc.constantFrom('^a', 'b$', '^[ab]*$', '^.$', '^(?!a)', '^(a|b)$', 'a.?b', '^a*$')
const small = fc.nat({ max: 3 })
const typeNames = fc.constantFrom('null', 'boolean', 'number', 'integer', 'string', 'array', 'object')
const listed = fc.uniqueArray(
  fc.oneof(fc.constantFrom(...leaves), fc.constantFrom<Json>([], {}, [1], { a: 1 }, [1, 2], { a: 1, b: 1 })),
  { minLength: 1, maxLength: 3, selector: (one) => JSON.stringify(one) },
)

type Keywords = { readonly [keyword: string]: fc.Arbitrary<Json> }

function schemas(dialect: Dialect): fc.Arbitrary<Json> {
  const modern = dialect === '2020-12' || dialect === '2019-09'
  const late = dialect !== 'draft4'
  const tuples = dialect === '2020-12' ? 'prefixItems' : 'items'
  return fc.letrec<{ schema: Json }>((tie) => {
    const part = tie('schema')
    const list = fc.array(part, { minLength: 1, maxLength: 3 })
    const map = (names: fc.Arbitrary<string>, of: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
      fc.dictionary(names, of, { minKeys: 1, maxKeys: 2, noNullPrototype: true })
    const type = fc.oneof(typeNames, fc.uniqueArray(typeNames, { minLength: 1, maxLength: 3 }))
    const names = fc.uniqueArray(keys, { minLength: 1, maxLength: 2 })
    // biome-ignore lint/suspicious/noThenProperty: the keyword is called so
    const conditions = { if: part, then: part, else: part }
    const flavours: readonly (readonly [Json, Keywords])[] = [
      [
        {},
        {
          type,
          enum: listed,
          allOf: list,
          anyOf: list,
          oneOf: list,
          not: part,
          ...(late ? { const: listed.map(([one]) => one ?? null), ...conditions } : {}),
        },
      ],
      [
        { type: 'number' },
        {
          multipleOf: fc.constantFrom(1, 2, 3, 1.5, 0.5),
          minimum: small,
          maximum: small,
          not: part,
          oneOf: list,
          enum: listed,
          ...(late ? { exclusiveMinimum: small } : { exclusiveMinimum: fc.constant(true), minimum: small }),
        },
      ],
      [
        { type: 'string' },
        { minLength: small, maxLength: small, pattern: patterns, not: part, anyOf: list, enum: listed },
      ],
      [
        { type: 'array' },
        {
          items: part,
          [tuples]: list,
          minItems: small,
          maxItems: small,
          uniqueItems: fc.boolean(),
          ...(late ? { contains: part } : {}),
          ...(modern
            ? { minContains: small, maxContains: small, unevaluatedItems: part, anyOf: list, ...conditions }
            : {}),
          ...(dialect === '2020-12' ? {} : { additionalItems: part }),
          allOf: list,
          not: part,
        },
      ],
      [
        { type: 'object' },
        {
          properties: map(keys, part),
          patternProperties: map(patterns, part),
          additionalProperties: part,
          required: names,
          minProperties: small,
          maxProperties: small,
          ...(late ? { propertyNames: part } : {}),
          ...(modern
            ? {
                dependentRequired: map(keys, names),
                dependentSchemas: map(keys, part),
                unevaluatedProperties: part,
              }
            : { dependencies: map(keys, fc.oneof(part, names)) }),
          anyOf: list,
          not: part,
        },
      ],
    ]
    const flavoured = fc.constantFrom(...flavours).chain(([start, keywords]) =>
      fc
        .tuple(
          fc.boolean(),
          fc.uniqueArray(fc.constantFrom(...Object.keys(keywords)), { minLength: 1, maxLength: 4 }),
        )
        .chain(([typed, chosen]) =>
          fc
            .record(Object.fromEntries(chosen.map((name) => [name, keywords[name] ?? part])), {
              noNullPrototype: true,
            })
            .map((rest): Json => ({ ...(typed ? Object(start) : {}), ...rest })),
        ),
    )
    const scalar: fc.Arbitrary<Json> = fc.oneof(
      typeNames.map((name) => ({ type: name })),
      listed.map((values) => ({ enum: values })),
      fc.constantFrom<Json>({}, { not: {} }, ...(late ? [true, false] : [])),
      ...[fc.constant<Json>({ $ref: '#/definitions/x' })],
    )
    return { schema: fc.oneof({ maxDepth: 4, depthSize: 'small' }, scalar, flavoured) }
  }).schema
}

function whole(dialect: Dialect): fc.Arbitrary<{ readonly [key: string]: Json }> {
  const part = schemas(dialect)
  const object = (value: Json): Json =>
    typeof value === 'boolean' ? { allOf: [value ? {} : { not: {} }] } : value
  return fc.tuple(part, part).map(([root, x]) => ({ ...Object(object(root)), definitions: { x: object(x) } }))
}

function says(accepts: Accepts, value: Json): boolean | undefined {
  try {
    return accepts(value)
  } catch {
    return undefined
  }
}

const { ATTACK, SEED } = process.env

describe.each(['draft4', 'draft7', '2019-09', '2020-12'] as const)('%s', (dialect) => {
  const judge = new Judge(dialect)
  const checked = (a: Json, b: Json): void => {
    const [acceptsA, acceptsB] = [judge.compile(a), judge.compile(b)]
    if (typeof acceptsA === 'string' || typeof acceptsB === 'string') return
    const answer = contains(a, b, { dialect, budgetMs: 100 })
    if (answer.verdict === 'not-contained')
      expect([says(acceptsA, answer.witness), says(acceptsB, answer.witness)]).toEqual([true, false])
    if (answer.verdict !== 'contained') return
    const missing = universe.find(
      (value) => says(acceptsA, value) === true && says(acceptsB, value) === false,
    )
    expect(missing, 'in A and not in B').toBeUndefined()
  }
  const runs = { numRuns: Number(ATTACK ?? 6), seed: Number(SEED ?? 7) }

  it('of small schemas no verdict contradicts AJV on any value of a small universe', () => {
    fc.assert(fc.property(whole(dialect), whole(dialect), checked), runs)
  })

  it('nothing is called empty that has a value', () => {
    fc.assert(
      fc.property(whole(dialect), (a) => checked(a, { not: {} })),
      runs,
    )
    fc.assert(
      fc.property(whole(dialect), whole(dialect), (a, b) =>
        checked(
          {
            definitions: a.definitions ?? {},
            allOf: [
              { ...a, definitions: {} },
              { ...b, definitions: {} },
            ],
          },
          { not: {} },
        ),
      ),
      runs,
    )
  })

  it('no containment is claimed that fails for a value', () => {
    fc.assert(
      fc.property(whole(dialect), (b) => checked({}, b)),
      runs,
    )
  })
})
