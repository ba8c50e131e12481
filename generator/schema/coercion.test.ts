import { describe, expect, it } from 'vitest'
import { coercionOf } from './coercion.js'
import type { Schema } from './schema.js'

const schemas = new Map<string, Schema>([
  ['Level', { enum: [1, 'high', null] }],
  ['Tree', { type: 'array', items: { $ref: '#/components/schemas/Tree' } }],
])
const typesOf = (schema: Schema) => coercionOf(schemas, schema).types

describe('coercionOf', () => {
  it('keeps text if the schema names no type', () => {
    expect(typesOf({})).toEqual(['string'])
    expect(typesOf(true)).toEqual(['string'])
  })

  it('allows the types of enums and constants', () => {
    expect(typesOf({ const: 1.5 })).toEqual(['number'])
    expect(typesOf({ $ref: '#/components/schemas/Level' })).toEqual(['null', 'integer', 'string'])
  })

  it('unites alternatives and intersects conjunctions', () => {
    expect(typesOf({ anyOf: [{ type: 'integer' }, { type: 'boolean' }] })).toEqual(['boolean', 'integer'])
    expect(typesOf({ allOf: [{ type: ['number', 'string'] }, { type: 'integer' }] })).toEqual(['integer'])
    expect(typesOf({ type: ['integer', 'number'] })).toEqual(['number'])
  })

  it('infers types from keywords of objects and lists only if no type is stated', () => {
    expect(typesOf({ prefixItems: [{}], oneOf: [{ type: 'object' }, { type: 'integer' }] })).toEqual([
      'integer',
      'object',
    ])
    expect(typesOf({ allOf: [{ items: {} }, { properties: { a: {} }, type: 'object' }] })).toEqual(['object'])
    expect(typesOf({ items: {}, anyOf: [{ minItems: 1 }, { maxItems: 2 }] })).toEqual(['array'])
    expect(typesOf({ anyOf: [{ items: {} }, { type: 'string' }] })).toEqual(['string', 'array'])
  })

  it('distinguishes the first items of a tuple by position, even with two schemas', () => {
    const tuple = { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'string' }] }
    expect(coercionOf(schemas, { ...tuple, items: { type: 'boolean' } })).toEqual({
      types: ['array'],
      items: { types: ['boolean'] },
      prefix: [{ types: ['integer'] }, { types: ['string'] }],
    })
    const both = { allOf: [{ prefixItems: [true, { type: 'boolean' }] }, { items: { type: 'integer' } }] }
    expect(coercionOf(schemas, both).prefix?.[0]?.types).toContain('integer')
  })

  it('reaches into items and properties, and ends on recursion', () => {
    expect(coercionOf(schemas, { type: 'object', properties: { on: { type: 'boolean' } } })).toEqual({
      types: ['object'],
      properties: { on: { types: ['boolean'] } },
    })
    expect(coercionOf(schemas, { $ref: '#/components/schemas/Tree' }).items?.types).toEqual(['array'])
  })
})
