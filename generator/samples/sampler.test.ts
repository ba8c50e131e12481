import { Ajv2020 } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../document/document.js'
import type { Schema } from '../schema/schema.js'
import { Sampler } from './sampler.js'
import { validSample } from './valid-sample.js'

// Shared, since each instance compiles the meta-schema first.
const ajv = new Ajv2020({ allErrors: true, formats: fullFormats, strict: false, addUsedSchema: false })

function sampled(schema: JsonObject, schemas: Record<string, Schema> = {}, seed = '1'): unknown {
  const accepts = ajv.compile({ ...schema, components: { schemas } })
  const sample = validSample(new Sampler(new Map(Object.entries(schemas)), 'result'), schema, accepts, seed)
  return 'value' in sample ? sample.value : `none: ${sample.reason}`
}

const tree: Schema = {
  type: 'object',
  required: ['name', 'left', 'more'],
  properties: {
    name: { type: 'string' },
    left: { anyOf: [{ $ref: '#/components/schemas/Tree' }, { type: 'null' }] },
    more: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
    right: { $ref: '#/components/schemas/Tree' },
  },
}

describe('a value made from a schema', () => {
  it.each<[JsonObject]>([
    [{ type: 'integer', minimum: 3, maximum: 4 }],
    [{ type: ['string', 'null'], minLength: 2 }],
    [{ enum: ['a', null] }],
    [{ const: { a: [1] } }],
    [{ type: 'array', items: { enum: [1, 2, 3] }, minItems: 3, uniqueItems: true }],
    [{ type: 'array', items: { type: 'boolean' }, minItems: 2, uniqueItems: true }],
    [{ type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false, minItems: 2 }],
    [
      {
        type: 'array',
        items: { type: ['string', 'integer'] },
        contains: { type: 'integer' },
        minContains: 2,
      },
    ],
    [{ type: 'object', required: ['a', '__proto__', 'toString'], additionalProperties: { type: 'integer' } }],
    [{ type: 'object', minProperties: 3, additionalProperties: { type: 'integer' } }],
    [
      {
        type: 'object',
        minProperties: 2,
        patternProperties: { '^x-[a-z]+$': {} },
        additionalProperties: false,
      },
    ],
    [{ type: 'object', propertyNames: { pattern: '^[A-Z]{4}$' }, minProperties: 1 }],
    [{ properties: { a: {}, b: {} }, dependentRequired: { a: ['c'] }, additionalProperties: false }],
    [{ properties: { a: {}, b: {}, c: {} }, maxProperties: 1 }],
    [
      {
        allOf: [
          { properties: { a: { minimum: 3 } }, required: ['a'] },
          { properties: { a: { type: 'integer', maximum: 3 } } },
        ],
      },
    ],
    [{ allOf: [{ type: 'number' }, { type: 'integer' }, { multipleOf: 7 }] }],
    [
      {
        oneOf: [
          { type: 'object', required: ['a'] },
          { type: 'object', required: ['b'] },
        ],
        properties: { a: {}, b: {} },
      },
    ],
    [
      {
        anyOf: [{ required: ['a'] }, { required: ['b'] }],
        properties: { a: { type: 'string' } },
        type: 'object',
      },
    ],
    [
      JSON.parse(
        '{"type":"object","if":{"required":["kind"]},"then":{"required":["size"]},"else":{"required":["name"]}}',
      ),
    ],
    [
      {
        type: 'object',
        properties: { a: { type: 'string' } },
        required: ['a'],
        unevaluatedProperties: false,
      },
    ],
    [{ not: { type: 'object' }, type: ['object', 'string'] }],
    [{ type: 'integer', example: 'not a number' }],
    [{ type: 'object', properties: { a: { type: 'integer' } }, example: { a: 'x' } }],
    [
      {
        type: 'object',
        properties: { a: false, b: { type: 'object', required: ['c'], properties: { c: false } } },
      },
    ],
    [{}],
  ])('of %j is valid', (schema) => {
    for (const seed of ['1', '2', '3', '4']) {
      expect(JSON.stringify(sampled(schema, {}, seed))).not.toMatch(/^"none: /)
    }
  })

  it('is the same for the same seed, and another one for another', () => {
    const schema: JsonObject = { type: 'array', items: { type: 'string', format: 'uuid' }, minItems: 3 }
    expect(sampled(schema, {}, '1')).toEqual(sampled(schema, {}, '1'))
    expect(sampled(schema, {}, '1')).not.toEqual(sampled(schema, {}, '2'))
  })

  it('is the example of the schema if it is valid', () => {
    const properties = {
      a: { type: 'string', example: 'Ada' },
      b: { type: 'integer', examples: [7] },
      c: { type: 'boolean', default: false },
      d: { $ref: '#/components/schemas/D' },
    }
    const schemas = { D: { type: 'string', example: 'Delta' } }
    expect(sampled({ type: 'object', properties }, schemas)).toEqual({ a: 'Ada', b: 7, c: false, d: 'Delta' })
  })

  it('keeps the valid members of an invalid example', () => {
    const schema: JsonObject = {
      type: 'object',
      properties: {
        name: { type: 'string', example: 'Ada' },
        age: { type: 'integer', example: 'old', minimum: 30, maximum: 30 },
      },
    }
    expect(sampled(schema)).toEqual({ name: 'Ada', age: 30 })
  })

  it('ends if its schema recurs', () => {
    const value = sampled({ $ref: '#/components/schemas/Tree' }, { Tree: tree })
    expect(JSON.stringify(value).length).toBeLessThan(20_000)
    expect(value).toHaveProperty('left.left.name')
  })

  it('names its branch by the discriminator', () => {
    const schemas: Record<string, Schema> = {
      Cat: {
        type: 'object',
        properties: { kind: { type: 'string' }, lives: { const: 9 } },
        required: ['lives'],
      },
    }
    const schema: JsonObject = {
      oneOf: [{ $ref: '#/components/schemas/Cat' }],
      discriminator: { propertyName: 'kind', mapping: { feline: '#/components/schemas/Cat' } },
    }
    expect(sampled(schema, schemas)).toEqual({ kind: 'feline', lives: 9 })
  })

  it('of the result’s side has no writeOnly property', () => {
    const properties = { a: { type: 'string', writeOnly: true }, b: { const: 1, readOnly: true } }
    const sampler = (side: 'params' | 'result') => new Sampler(new Map(), side)
    const options = { seed: '1', refused: new Map() }
    expect(sampler('result').sample({ properties, required: ['a'] }, options)).toEqual({ b: 1 })
    expect(Object.keys(sampler('params').sample({ properties }, options) as object)).toEqual(['a'])
  })

  it.each<[JsonObject, string]>([
    [{ type: 'string', pattern: '^a(?!a)a$' }, 'must match pattern "^a(?!a)a$"'],
    [{ type: 'integer', minimum: 2, maximum: 1 }, 'must be >= 2'],
    [{ type: 'array', minItems: 1e9 }, 'must NOT have fewer than 1000000000 items'],
  ])('of %j is missing, with a reason', { tags: 'long' }, (schema, reason) => {
    expect(sampled(schema)).toContain(`none: ${reason}`)
  })
})
