import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { instances } from './instances.js'

const schema = {
  type: ['object', 'array'],
  properties: { name: { type: 'string', minLength: 2 }, age: { type: 'integer', minimum: 3 } },
  required: ['age'],
  items: { type: 'number', multipleOf: 0.5 },
}

describe('instances of a schema', () => {
  it('are different, accepted, and the same for a seed', () => {
    const made = instances(schema, 12, { dialect: '2020-12', seed: 7 })
    const accepts = new Ajv2020({ strict: false }).compile(schema)
    expect(made.length).toBeGreaterThanOrEqual(8)
    expect(new Set(made.map((value) => JSON.stringify(value))).size).toBe(made.length)
    expect(made.every((value) => accepts(value))).toBe(true)
    expect(instances(schema, 12, { dialect: '2020-12', seed: 7 })).toEqual(made)
  })

  it('are complete if they are few', () => {
    expect(instances({ type: 'boolean' }, 9, { dialect: '2020-12' }).sort()).toEqual([false, true])
    expect(instances(false, 9, { dialect: '2020-12' })).toEqual([])
  })
})
