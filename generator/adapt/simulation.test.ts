import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../document/document.js'
import type { Schema } from '../schema/schema.js'
import { Simulation } from './simulation.js'

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

/** Whether component `A` of one version is found to be within that of the other. */
function holds(sent: Record<string, Schema>, received: Record<string, Schema>, name = 'A'): boolean {
  const resolve =
    (components: Record<string, Schema>) =>
    ({ $ref }: JsonObject): Schema | undefined =>
      typeof $ref === 'string' ? components[$ref.split('/').at(-1) ?? ''] : undefined
  const text = (schema: Json): string => JSON.stringify(schema)
  const areSame = (one: Schema, other: Schema): boolean =>
    text(one) === text(other) && !text(one).includes('$ref')
  return new Simulation(resolve(sent), resolve(received), areSame).holds(ref(name), ref(name))
}

describe('what is found', () => {
  const tree = (value: Schema): Schema => ({
    type: 'object',
    required: ['value'],
    properties: { value, children: { type: 'array', items: ref('A') } },
  })

  it('schemas that have themselves as a part', () => {
    expect(holds({ A: tree({ enum: ['a'] }) }, { A: tree({ enum: ['a', 'b'] }) })).toBe(true)
  })

  it.each([
    [{ type: 'integer' }, { type: ['number', 'null'] }],
    [
      { type: 'string', maxLength: 3, format: 'date' },
      { type: 'string', maxLength: 3 },
    ],
    [{ properties: { a: {}, b: {} } }, { properties: { a: {} } }],
    [
      { type: 'object', additionalProperties: false },
      { type: 'object', properties: { a: false } },
    ],
    [{ anyOf: [{ const: 1 }, { const: 2 }] }, { anyOf: [{ enum: [2, 3] }, { enum: [1] }] }],
    [{ oneOf: [{ const: 1 }, { const: 2 }] }, { anyOf: [{ enum: [2, 3] }, { enum: [1] }] }],
    [{ allOf: [{ type: 'object' }, { required: ['a'] }] }, { type: 'object', required: ['a'] }],
  ] satisfies [Schema, Schema][])('%j is within %j', (sent, received) => {
    expect(holds({ A: sent }, { A: received })).toBe(true)
  })
})

describe('what is not found', () => {
  it('schemas whose parts differ, though each has itself as a part', () => {
    const sent = {
      A: { properties: { b: ref('B'), x: { type: 'string' } } },
      B: { properties: { a: ref('A') } },
    }
    const received = { A: { properties: { b: ref('B'), x: { type: 'integer' } } }, B: sent.B }
    expect(holds(sent, received)).toBe(false)
    expect(holds(sent, received, 'B')).toBe(false)
  })

  it('what held only as long as another pair might', () => {
    const sent = {
      A: { properties: { c: ref('B'), d: { properties: { x: ref('X') } } } },
      B: ref('A'),
      X: { type: 'string' },
    }
    const received = { ...sent, X: { type: 'number' } }
    expect(holds(sent, received)).toBe(false)
    expect(holds(sent, received, 'B')).toBe(false)
  })

  it('schemas that lead to themselves without a level in between', () => {
    expect(holds({ A: { anyOf: [ref('A')] } }, { A: { anyOf: [ref('A')], type: 'string' } })).toBe(false)
    expect(holds({ A: { allOf: [ref('A')] } }, { A: { allOf: [ref('A')] } })).toBe(false)
  })

  it.each([
    [{ type: 'number' }, { type: 'integer' }],
    [{ enum: [1, 2] }, { const: 1, enum: [2] }],
    [{ const: 1 }, { const: 1, enum: [2] }],
    [{ properties: { a: {} } }, { properties: { a: { type: 'string' } } }],
    [{ properties: { a: {} } }, { additionalProperties: false, properties: { b: {} } }],
    [{}, { properties: { a: { type: 'string' } } }],
    [{ oneOf: [{ const: 1 }, { const: 2 }] }, { oneOf: [{ enum: [1, 2] }, { const: 2 }] }],
    [{ patternProperties: { a: {} }, additionalProperties: false }, { additionalProperties: false }],
    [{ prefixItems: [{}], items: { type: 'string' } }, { items: { type: 'string' } }],
    [{ not: { const: 1 } }, { not: { const: 2 } }],
  ] satisfies [Schema, Schema][])('%j within %j', (sent, received) => {
    expect(holds({ A: sent }, { A: received })).toBe(false)
  })
})
