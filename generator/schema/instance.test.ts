import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { examples } from '../../test/keyword-examples.js'
import { accepted, definitions, isContested, schemas, values } from '../../test/random-schemas.js'
import { runs } from '../../test/runs.js'
import type { Json, JsonObject } from '../document/document.js'
import { isCurrent, isValidated, keywords } from '../document/vocabulary.js'
import { refuses } from './instance.js'

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

const several = fc.array(values, { minLength: 1, maxLength: 8 })

it('accepts what a validator accepts', () => {
  fc.assert(
    fc.property(schemas, several, (schema, tried) => {
      const taken = accepted(schema, tried)
      expect(taken.filter((value) => refuses(schema, value, resolve))).toEqual([])
    }),
    { numRuns: runs(100, 20_000) },
  )
})

it('refuses what a validator refuses', () => {
  fc.assert(
    fc.property(schemas, several, (schema, tried) => {
      fc.pre(!isContested(schema))
      const taken = accepted(schema, tried)
      expect(tried.filter((value) => !refuses(schema, value, resolve))).toEqual(taken)
    }),
    { numRuns: runs(250, 20_000) },
  )
})
