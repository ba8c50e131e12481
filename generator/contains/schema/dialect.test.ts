import { describe, expect, it } from 'vitest'
import { type Dialect, dialects } from '../../document/vocabulary.js'
import { contains } from '../contains.js'
import type { Json } from '../values/value.js'

const contained = { verdict: 'contained' }

describe('dialects', () => {
  it('draft 4 has a boolean exclusiveMinimum next to its bound', () => {
    const strict = { type: 'number', minimum: 0, exclusiveMinimum: true }
    expect(contains(strict, { not: { enum: [0] } }, { dialect: 'draft4' })).toEqual(contained)
    expect(contains({ type: 'number', minimum: 0 }, strict, { dialect: 'draft4' })).toEqual({
      verdict: 'not-contained',
      witness: 0,
    })
  })

  it('draft 4 has const, as its validators do, though its specification came before the keyword', () => {
    const ask = (a: Json, b: Json) => contains(a, b, { dialect: 'draft4' })
    expect(ask({ const: 1 }, { type: 'integer' })).toEqual(contained)
    expect(ask({ properties: { a: { const: 1 } } }, { properties: { a: { enum: [1, 2] } } })).toEqual(
      contained,
    )
    expect(ask({ enum: [1, 2] }, { const: 1 })).toEqual({ verdict: 'not-contained', witness: 2 })
    expect(ask({ const: 1 }, { const: 2 })).toEqual({ verdict: 'not-contained', witness: 1 })
  })

  it.each(['draft4', 'draft6', 'draft7', '2019-09'] as const)('%s has items in a list', (dialect) => {
    const tuple = { type: 'array', items: [{ type: 'string' }], additionalItems: { type: 'null' } }
    expect(contains(tuple, { items: { type: ['string', 'null'] } }, { dialect })).toEqual(contained)
  })

  it.each(dialects)('%s knows its own meta-schema by address', (dialect) => {
    const address = {
      draft4: 'http://json-schema.org/draft-04/schema#',
      draft6: 'http://json-schema.org/draft-06/schema#',
      draft7: 'http://json-schema.org/draft-07/schema#',
      '2019-09': 'https://json-schema.org/draft/2019-09/schema',
      '2020-12': 'https://json-schema.org/draft/2020-12/schema',
    }[dialect]
    expect(contains({ enum: [{ minLength: -1 }] }, { $ref: address }, { dialect })).toEqual({
      verdict: 'not-contained',
      witness: { minLength: -1 },
    })
  })

  it('keywords next to $ref before 2019-09 count only for AJV, so the verdict is unknown', () => {
    const schema = { $ref: '#/definitions/any', type: 'string', definitions: { any: {} } }
    expect(contains({ type: 'null' }, schema, { dialect: 'draft7' }).verdict).toBe('unknown')
    expect(contains(schema, { type: 'string' }, { dialect: 'draft7' }).verdict).toBe('unknown')
    expect(contains({ type: 'string' }, schema, { dialect: 'draft7' })).toEqual(contained)
  })

  it('an empty tuple, in which AJV 8 passes over contains, is no proof', () => {
    const tuple = { type: 'array', items: [{ type: 'boolean' }], contains: { const: true } }
    expect(contains(tuple, { minItems: 1 }, { dialect: 'draft7' }).verdict).toBe('unknown')
    expect(
      contains({ ...tuple, minItems: 1 }, { contains: { type: 'boolean' } }, { dialect: 'draft7' }),
    ).toEqual(contained)
  })

  it('contains in an empty array after another, for which AJV 8 keeps the earlier result, is no proof', () => {
    // AJV accepts [[null], []] under `within`: it applies the verdict on [null] to [].
    const within = { items: { contains: { type: 'null' } } }
    const byName = { additionalProperties: { contains: { type: 'null' } } }
    const filled = { minItems: 1 }
    expect(contains(within, { items: filled }, { dialect: 'draft7' }).verdict).toBe('unknown')
    expect(contains(byName, { additionalProperties: filled }, { dialect: 'draft7' }).verdict).toBe('unknown')
    const referred = { items: { $ref: '#/definitions/x' }, definitions: { x: within.items } }
    expect(contains(referred, { items: filled }, { dialect: 'draft7' }).verdict).toBe('unknown')
    expect(contains(within.items, filled, { dialect: 'draft7' })).toEqual(contained)
  })

  it('formats are annotations from 2019-09 on, as specified', () => {
    const day = { type: 'string', format: 'date' }
    const ten = { minLength: 10 }
    for (const formats of ['asserted', 'specified'] as const) {
      const ask = (a: Json, b: Json, dialect: Dialect) => contains(a, b, { dialect, formats }).verdict
      const expected = formats === 'asserted' ? 'contained' : 'unknown'
      expect(ask(day, ten, '2020-12')).toBe(expected)
      expect(ask(day, ten, 'draft7')).toBe('contained')
      expect(ask({ const: 'x' }, day, '2019-09')).toBe(formats === 'asserted' ? 'not-contained' : 'unknown')
      expect(ask(day, { type: 'string' }, '2020-12')).toBe('contained')
      expect(ask({ const: 1 }, day, '2020-12')).toBe('not-contained')
    }
  })

  it('whether a text is checked for its contents is left to validators of draft 7', () => {
    const coded = { type: 'string', contentEncoding: 'base64' }
    expect(contains({ const: '%' }, coded, { dialect: 'draft7' }).verdict).toBe('unknown')
    expect(contains({ const: '%' }, coded, { dialect: '2020-12' })).toEqual(contained)
  })

  it('a schema that AJV refuses is refused again', () => {
    const schema = { type: 'all' }
    for (let i = 0; i < 2; i++)
      expect(contains(schema, {}, { dialect: 'draft7' })).toEqual({
        verdict: 'unknown',
        reason: expect.stringContaining('AJV refuses the schema'),
      })
  })

  it('an item that only AJV counts as evaluated is not evaluated', () => {
    const schema = { prefixItems: [true], contains: { type: 'string' }, unevaluatedItems: false }
    expect(contains({ const: [1, 'a', 2] }, schema, { dialect: '2020-12' })).toEqual({
      verdict: 'not-contained',
      witness: [1, 'a', 2],
    })
    expect(contains({ const: [1, 'a'] }, schema, { dialect: '2020-12' })).toEqual(contained)
  })

  it.each([
    ['2019-09', 'unknown'],
    ['2020-12', 'contained'],
  ] as const)('unevaluatedItems over another in %s is %s', (dialect, verdict) => {
    const nothing = { not: {} }
    // AJV accepts [1, 1] here, and the specification does not.
    const schema = { not: { unevaluatedItems: false, anyOf: [{ unevaluatedItems: true }] } }
    expect(contains(schema, { not: { type: 'array' } }, { dialect }).verdict).toBe(verdict)
    const conditional = {
      contains: { type: 'string' },
      // biome-ignore lint/suspicious/noThenProperty: the keyword is called so
      anyOf: [{ type: 'array', unevaluatedItems: false, if: false, then: { unevaluatedItems: true } }],
    }
    expect(contains(conditional, nothing, { dialect }).verdict).toBe(verdict)
  })

  it('what a failing `if` would evaluate is not evaluated', () => {
    // biome-ignore-start lint/suspicious/noThenProperty: the keyword is called so
    const schema = {
      type: 'object',
      if: { properties: { kind: { type: 'string' } } },
      then: { properties: { name: { type: 'string' } } },
      else: { properties: { code: { type: 'string' } } },
      unevaluatedProperties: { type: 'object' },
    }
    // biome-ignore-end lint/suspicious/noThenProperty: the keyword is called so
    const strict = { ...schema, else: { ...schema.else, required: ['code'] } }
    expect(contains(schema, strict, { dialect: '2020-12' })).toEqual({
      verdict: 'not-contained',
      witness: { kind: {} },
    })
    expect(
      contains(schema, { properties: { kind: { type: ['string', 'object'] } } }, { dialect: '2020-12' }),
    ).toEqual(contained)
  })

  it('keywords next to $ref count from 2019-09 on', () => {
    const schema = { $ref: '#/$defs/any', type: 'string', $defs: { any: {} } }
    expect(contains(schema, { type: 'string' }, { dialect: '2019-09' })).toEqual(contained)
  })

  it('references resolve against $id', () => {
    const schema = {
      $id: 'http://example.com/root.json',
      allOf: [{ $ref: 'item.json#short' }],
      definitions: { item: { $id: 'item.json', definitions: { s: { $id: '#short', type: 'string' } } } },
    }
    expect(contains({ enum: ['a', 1] }, schema, { dialect: 'draft7' })).toEqual({
      verdict: 'not-contained',
      witness: 1,
    })
  })

  it('a dynamic reference to the root recurs', () => {
    const tree = {
      $dynamicAnchor: 'node',
      type: 'object',
      properties: { child: { $dynamicRef: '#node' } },
      additionalProperties: false,
    }
    expect(contains({ const: { child: { child: {} } } }, tree, { dialect: '2020-12' })).toEqual(contained)
    expect(contains(tree, { maxProperties: 1 }, { dialect: '2020-12' })).toEqual(contained)
  })

  // AJV 8 calls the schema that contains such a reference, ignores its sibling keywords, treats any
  // `$recursiveAnchor` as an anchor, and supports `$dynamicRef` in 2019-09.
  it.each<[string, Dialect, Json, Json]>([
    [
      'a reference without an anchor, within a schema that is referred to',
      '2019-09',
      {
        type: 'object',
        properties: { a: { $ref: '#/$defs/x' } },
        $defs: { x: { type: ['object', 'string'], properties: { b: { $recursiveRef: '#' } } } },
      },
      { properties: { a: { properties: { b: { type: 'object' } } } } },
    ],
    [
      'a keyword beside a reference',
      '2020-12',
      { $dynamicAnchor: 'x', properties: { a: { $dynamicRef: '#x', not: { required: ['z'] } } } },
      { properties: { a: { not: { required: ['z'] } } } },
    ],
    [
      'an anchor where no schema with an address begins',
      '2019-09',
      { allOf: [{ $recursiveAnchor: true }, { items: { $recursiveRef: '#' } }], type: 'array' },
      { type: 'array', items: { type: 'array' } },
    ],
    [
      'a keyword of the next draft',
      '2019-09',
      { type: 'object' },
      { type: 'object', properties: { a: { $dynamicRef: '#' } } },
    ],
  ])('%s is not taken for what AJV does not do', (_, dialect, a, b) => {
    expect(contains(a, b, { dialect }).verdict).toBe('unknown')
  })
})
