import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../test/runs.js'
import type { Dialect } from '../document/vocabulary.js'
import { contains } from './contains.js'
import { instances } from './instances.js'
import { type Accepts, Judge } from './judge.js'
import { isObject, type Json } from './values/value.js'

// Random schemas against AJV: no verdict may contradict AJV's verdict on any instance.

const keys = fc.constantFrom('a', 'b', 'ab', 'x1')
const scalar = fc.constantFrom<Json>(null, true, false, 0, 1, 2, 3, -1, 0.5, 1.5, '', 'a', 'b', 'ab', 'x1')
const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(keys, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value

const small = fc.nat({ max: 3 })
const patterns = fc.constantFrom('^a', 'b$', '^[ab]*$', '^x\\d', '^$', '^(?!a)', '\\bab\\b')
const typeNames = fc.constantFrom('null', 'boolean', 'number', 'integer', 'string', 'array', 'object')

function schemas(dialect: Dialect): fc.Arbitrary<Json> {
  return fc.letrec<{ schema: Json }>((tie) => {
    const part = tie('schema')
    const list = fc.array(part, { minLength: 1, maxLength: 3 })
    const map = <T>(names: fc.Arbitrary<string>, of: fc.Arbitrary<T>): fc.Arbitrary<{ [key: string]: T }> =>
      fc.dictionary(names, of, { maxKeys: 2, noNullPrototype: true })
    const keywords: { [keyword: string]: fc.Arbitrary<Json> } = {
      type: fc.oneof(typeNames, fc.uniqueArray(typeNames, { minLength: 1, maxLength: 3 })),
      enum: fc.uniqueArray(value, { minLength: 1, maxLength: 4, selector: (one) => JSON.stringify(one) }),
      multipleOf: fc.constantFrom(1, 2, 3, 1.5),
      minimum: small,
      maximum: small,
      minLength: small,
      maxLength: small,
      pattern: patterns,
      format: fc.constantFrom('ipv4', 'date', 'uuid', 'unknown', 'int32'),
      minItems: small,
      maxItems: small,
      uniqueItems: fc.boolean(),
      minProperties: small,
      maxProperties: small,
      required: fc.uniqueArray(keys, { minLength: 1, maxLength: 2 }),
      properties: map(keys, part),
      patternProperties: map(patterns, part),
      additionalProperties: part,
      dependencies: map(keys, fc.oneof(part, fc.uniqueArray(keys, { minLength: 1, maxLength: 2 }))),
      allOf: list,
      anyOf: list,
      oneOf: list,
      not: part,
      $ref: fc.constantFrom('#/definitions/a', '#/definitions/b'),
      items: part,
    }
    if (dialect === 'draft4') Object.assign(keywords, { additionalItems: part, items: fc.oneof(part, list) })
    else
      Object.assign(keywords, {
        const: value,
        exclusiveMinimum: small,
        contains: part,
        propertyNames: part,
      })
    // biome-ignore lint/suspicious/noThenProperty: the keyword is called so
    if (dialect === 'draft7') Object.assign(keywords, { if: part, then: part, else: part })
    if (dialect === '2020-12')
      Object.assign(keywords, {
        prefixItems: list,
        minContains: small,
        maxContains: small,
        dependentSchemas: map(keys, part),
        unevaluatedProperties: part,
        unevaluatedItems: part,
      })
    const object = fc
      .uniqueArray(fc.constantFrom(...Object.keys(keywords)), { minLength: 1, maxLength: 5 })
      .chain((names) =>
        fc.record(Object.fromEntries(names.map((name) => [name, keywords[name] ?? fc.constant(null)])), {
          noNullPrototype: true,
        }),
      )
    const plain = dialect === 'draft4' ? fc.constant<Json>({}) : fc.boolean()
    return { schema: fc.oneof({ depthSize: 'small' }, plain, object) }
  }).schema
}

/** A schema that defines the possible targets of its references. */
function whole(dialect: Dialect): fc.Arbitrary<{ readonly [key: string]: Json }> {
  const part = schemas(dialect)
  return fc.tuple(part, part, part).map(([root, a, b]) => ({
    ...(isObject(root) ? root : { allOf: [isObject(a) ? a : {}] }),
    definitions: { a: isObject(a) ? a : {}, b: isObject(b) ? b : {} },
  }))
}

function says(accepts: Accepts, instance: Json): boolean | undefined {
  try {
    return accepts(instance)
  } catch {
    return undefined
  }
}

// A fixed seed: longer runs look for new behaviour of AJV; an unrelated commit must not fail because of it.
const sample = { numRuns: runs(25, 60), seed: 4 }

describe.each(['draft4', 'draft7', '2020-12'] as const)('random schemas of %s', (dialect) => {
  const judge = new Judge(dialect)

  it('no verdict contradicts AJV on any instance tried', () => {
    fc.assert(
      fc.property(
        whole(dialect),
        whole(dialect),
        fc.array(value, { minLength: 40, maxLength: 40 }),
        (a, b, values) => {
          const [acceptsA, acceptsB] = [judge.compile(a), judge.compile(b)]
          if (typeof acceptsA === 'string' || typeof acceptsB === 'string') return
          const answer = contains(a, b, { dialect, budgetMs: 300 })
          if (answer.verdict === 'not-contained')
            expect([acceptsA(answer.witness), acceptsB(answer.witness)]).toEqual([true, false])
          if (answer.verdict !== 'contained') return
          for (const instance of [...values, ...instances(a, 8, { dialect })])
            if (says(acceptsA, instance) === true)
              expect([instance, says(acceptsB, instance)]).toEqual([instance, true])
        },
      ),
      sample,
    )
  })

  it('what logic alone proves is never denied', () => {
    fc.assert(
      fc.property(whole(dialect), schemas(dialect), (a, b) => {
        const { definitions = {}, ...alone } = a
        const claims: [Json, Json][] = [
          [a, structuredClone(a)],
          [{ allOf: [alone, b], definitions }, a],
          [a, { anyOf: [b, alone], definitions }],
          [a, { not: { not: alone }, definitions }],
          [{ allOf: [alone, { not: alone }], definitions }, { not: {} }],
        ]
        for (const [left, right] of claims)
          expect(contains(left, right, { dialect, budgetMs: 300 }).verdict).not.toBe('not-contained')
      }),
      sample,
    )
  })

  it('a constant is contained exactly where AJV accepts it', () => {
    fc.assert(
      fc.property(whole(dialect), value, (schema, instance) => {
        const accepts = judge.compile(schema)
        const accepted = typeof accepts === 'string' ? undefined : says(accepts, instance)
        const { verdict } = contains({ enum: [instance] }, schema, { dialect, budgetMs: 300 })
        if (accepted === undefined) expect(verdict).toBe('unknown')
        else expect(['unknown', accepted ? 'contained' : 'not-contained']).toContain(verdict)
      }),
      sample,
    )
  })
})
