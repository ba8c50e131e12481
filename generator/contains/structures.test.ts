import { describe, expect, it } from 'vitest'
import { contains } from './contains.js'
import type { Json } from './values/value.js'

const ask = (a: Json, b: Json) => contains(a, b, { dialect: '2020-12' })
const contained = { verdict: 'contained' }

describe('arrays', () => {
  it('arrays with a given item are counted, whatever its position', () => {
    // [1, 1], [1, 2] and [2, 1]: there are three, but not four.
    const items = { items: { enum: [1, 2] }, contains: { const: 1 }, maxContains: 2, type: 'array' }
    const pairs = { ...items, minItems: 2, maxItems: 2 }
    const different = { type: 'array', items: pairs, uniqueItems: true }
    expect(ask({ ...different, minItems: 3 }, false).verdict).toBe('not-contained')
    expect(ask({ ...different, minItems: 4 }, false)).toEqual(contained)
  })

  it.each<[Json, Json]>([
    [{ type: 'array', items: { type: 'integer' } }, { items: { type: 'number' } }],
    // Three different booleans do not exist.
    [{ type: 'array', items: { type: 'boolean' }, uniqueItems: true }, { maxItems: 2 }],
    [
      { type: 'array', items: { enum: [1, 2, 3] }, uniqueItems: true, minItems: 3 },
      { contains: { const: 2 } },
    ],
    [{ type: 'array', prefixItems: [{ type: 'string' }, false] }, { maxItems: 1 }],
    [{ type: 'array', allOf: [{ contains: { const: 1 } }, { contains: { const: 2 } }] }, { minItems: 2 }],
    [
      {
        type: 'array',
        contains: { type: 'integer' },
        minContains: 2,
        items: { type: ['integer', 'string'] },
      },
      { minItems: 2 },
    ],
    [{ type: 'array', items: { type: 'boolean' }, minItems: 1, maxItems: 1 }, { enum: [[true], [false]] }],
    [
      { type: 'array', contains: { const: 1 }, minContains: 0, maxContains: 0 },
      { items: { not: { const: 1 } } },
    ],
    [
      { type: 'array', items: { type: 'integer', minimum: 1, maximum: 50 }, uniqueItems: true, minItems: 51 },
      false,
    ],
  ])('%j is contained in %j', (a, b) => expect(ask(a, b)).toEqual(contained))

  it.each<[Json, Json, Json]>([
    [{ type: 'array' }, { minItems: 1 }, []],
    [{ type: 'array', items: { const: 1 } }, { uniqueItems: true }, [1, 1]],
    [
      { type: 'array', items: { enum: [1, 2] }, uniqueItems: true, minItems: 2 },
      { prefixItems: [{ const: 1 }] },
      [2, 1],
    ],
    [
      { type: 'array', items: { const: 'a' } },
      { contains: true, minContains: 0, maxContains: 2 },
      ['a', 'a', 'a'],
    ],
  ])('of %j against %j the witness is %j', (a, b, witness) =>
    expect(ask(a, b)).toEqual({ verdict: 'not-contained', witness }),
  )
})

describe('objects', () => {
  it.each<[Json, Json]>([
    [
      { properties: { a: { type: 'string' } }, additionalProperties: { type: 'integer' } },
      { additionalProperties: { type: ['string', 'integer'] } },
    ],
    [{ type: 'object', propertyNames: { enum: ['a', 'b'] } }, { maxProperties: 2 }],
    [{ type: 'object', propertyNames: { pattern: '^[ab]$' }, minProperties: 2 }, { required: ['a', 'b'] }],
    [{ type: 'object', required: ['a', 'b', 'c'], maxProperties: 2 }, false],
    [
      { dependentRequired: { a: ['b'], b: ['c'] }, required: ['a'] },
      { anyOf: [{ required: ['c'] }, { not: { type: 'object' } }] },
    ],
    [
      { patternProperties: { '^a': { minimum: 3 }, b$: { maximum: 2 } } },
      { properties: { ab: { not: { type: 'number' } } } },
    ],
    [{ type: 'object', properties: { a: false } }, { not: { required: ['a'] } }],
    [
      {
        type: 'object',
        properties: { a: { type: 'boolean' } },
        required: ['a'],
        additionalProperties: false,
      },
      { enum: [{ a: true }, { a: false }] },
    ],
  ])('%j is contained in %j', (a, b) => expect(ask(a, b)).toEqual(contained))

  it.each<[Json, Json, Json]>([
    [{ type: 'object' }, { minProperties: 1 }, {}],
    [
      { type: 'object', properties: { a: { const: 1 } }, required: ['a'] },
      { properties: { a: { const: 2 } } },
      { a: 1 },
    ],
    [
      { type: 'object', not: { enum: [{}] }, additionalProperties: false, properties: { k: { const: 0 } } },
      false,
      { k: 0 },
    ],
  ])('of %j against %j the witness is %j', (a, b, witness) =>
    expect(ask(a, b)).toEqual({ verdict: 'not-contained', witness }),
  )
})

describe('recursion', () => {
  const tree = (leaf: Json): Json => ({
    $ref: '#/$defs/tree',
    $defs: {
      tree: {
        type: 'object',
        properties: { value: leaf, children: { type: 'array', items: { $ref: '#/$defs/tree' } } },
        required: ['value'],
      },
    },
  })

  it('trees of integers are trees of numbers', () => {
    expect(ask(tree({ type: 'integer' }), tree({ type: 'number' }))).toEqual(contained)
    expect(ask(tree({ type: 'number' }), tree({ type: 'integer' })).verdict).toBe('not-contained')
  })

  it('a difference three levels down is found', () => {
    const deep = {
      properties: { children: { items: { properties: { children: { items: { required: ['x'] } } } } } },
    }
    expect(ask(tree({ const: 0 }), deep)).toEqual({
      verdict: 'not-contained',
      witness: { value: 0, children: [{ value: 0, children: [{ value: 0 }] }] },
    })
  })

  it('an object that must hold one of its own kind has no instance', () => {
    const endless = {
      $ref: '#/$defs/o',
      $defs: { o: { type: 'object', properties: { o: { $ref: '#/$defs/o' } }, required: ['o'] } },
    }
    expect(ask(endless, false)).toEqual(contained)
  })

  it('two that need each other have none either', () => {
    const needs = (name: string): Json => ({
      type: 'object',
      properties: { x: { $ref: `#/$defs/${name}` } },
      required: ['x'],
    })
    const schema = {
      anyOf: [{ $ref: '#/$defs/a' }, { type: 'null' }],
      $defs: { a: needs('b'), b: needs('a') },
    }
    expect(ask(schema, { type: 'null' })).toEqual(contained)
  })

  it('the whole of JSON is anything', () => {
    const json = {
      $ref: '#/$defs/j',
      $defs: {
        j: {
          anyOf: [
            { type: ['null', 'boolean', 'number', 'string'] },
            { type: 'array', items: { $ref: '#/$defs/j' } },
            { type: 'object', additionalProperties: { $ref: '#/$defs/j' } },
          ],
        },
      },
    }
    expect(ask(true, json)).toEqual(contained)
  })
})

describe('unevaluated', () => {
  it.each<[Json, Json]>([
    [
      {
        type: 'object',
        allOf: [{ properties: { a: true } }],
        properties: { b: true },
        unevaluatedProperties: false,
      },
      { maxProperties: 2, propertyNames: { enum: ['a', 'b'] } },
    ],
    [{ type: 'array', prefixItems: [true], unevaluatedItems: false }, { maxItems: 1 }],
    [
      { $ref: '#/$defs/base', unevaluatedProperties: false, $defs: { base: { properties: { a: true } } } },
      { properties: { b: false } },
    ],
  ])('%j is contained in %j', (a, b) => expect(ask(a, b)).toEqual(contained))

  it('items that only a failing branch evaluates stay unevaluated', () => {
    const schema = {
      type: 'object',
      anyOf: [{ properties: { a: { const: 1 } }, required: ['a'] }, { properties: { b: true } }],
      unevaluatedProperties: false,
    }
    expect(ask(schema, { not: { const: { a: 2 } } })).toEqual(contained)
    expect(ask({ const: { a: 1 } }, schema)).toEqual(contained)
    expect(ask({ const: { a: 2 } }, schema)).toEqual({ verdict: 'not-contained', witness: { a: 2 } })
  })
})
