import { expect, it } from 'vitest'
import type { Schema } from '../schema/schema.js'
import { Sampler } from './sampler.js'

const sample = (schema: Schema, schemas: ReadonlyMap<string, Schema>) =>
  new Sampler(schemas, 'result').sample(schema, { seed: '1', refused: new Map() })

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })

it.each(['down', 'up'])(
  'follows a row of 5,000 references, %s the list of components',
  { tags: 'long' },
  (direction) => {
    const last: [string, Schema] = ['S5000', { const: 'end' }]
    const row = Array.from({ length: 5000 }, (_, index): [string, Schema] => [
      `S${index}`,
      reference(`S${index + 1}`),
    ])
    const components = [...row, last]
    const schemas = new Map(direction === 'down' ? components : components.reverse())
    expect(sample(reference('S0'), schemas)).toBe('end')
    expect(sample({ oneOf: [reference('S0')] }, schemas)).toBe('end')
  },
)

it('follows 5,000 allOf in one another', () => {
  let schema: Schema = { const: 'end' }
  for (let depth = 0; depth < 5000; depth += 1) schema = { allOf: [schema] }
  expect(sample(schema, new Map())).toBe('end')
  expect(sample({ anyOf: [schema] }, new Map())).toBe('end')
})

it('merges 1,000 allOf that say something of the same property', () => {
  const allOf = Array.from({ length: 1000 }, (_, index) => ({
    properties: { size: { type: 'integer', minimum: index } },
  }))
  const schema = { required: ['size'], allOf }
  expect(sample(schema, new Map())).toEqual({ size: expect.any(Number) })
})
