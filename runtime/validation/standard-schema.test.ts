import { expect, expectTypeOf, test } from 'vitest'
import { contractOf } from '../fixtures/contract.js'
import { type StandardSchema, standardSchemas } from './standard-schema.js'

interface Types {
  'orders.place': {
    params: { items: { sku: string }[]; gift?: boolean }
    input: { items: { sku: string }[]; gift: boolean }
    result: { id: number }
  }
}

const item = { type: 'object', required: ['sku'], properties: { sku: { type: 'string' } } }
const gift = { type: 'boolean', default: false }
const result = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }
const { validators } = contractOf({
  'orders.place': {
    path: '/orders',
    params: {
      type: 'object',
      required: ['items'],
      properties: { items: { type: 'array', items: item }, gift },
      additionalProperties: false,
    },
    result,
  },
})
const openrpc = {
  methods: [
    {
      name: 'orders.place',
      params: [
        {
          name: 'items',
          required: true,
          schema: { type: 'array', items: { $ref: '#/components/schemas/Item' } },
        },
        { name: 'gift', required: false, schema: gift },
        { name: '__tz', required: false, schema: { type: 'string' } },
      ],
      result: { name: 'result', schema: result },
    },
  ],
  components: { schemas: { Item: item, Other: {} } },
}
const schemas = standardSchemas<Types>(validators, () => openrpc)
const { params } = schemas['orders.place']

test('returns a valid value with its defaults, and leaves the input unchanged', () => {
  const value = { items: [{ sku: 'a' }] }
  expect(params['~standard'].validate(value)).toEqual({ value: { items: [{ sku: 'a' }], gift: false } })
  expect(value).toEqual({ items: [{ sku: 'a' }] })
})

test('each issue has a path of names and positions', () => {
  expect(params['~standard'].validate({ items: [{ sku: 'a' }, {}], gifts: true })).toEqual({
    issues: [
      { message: expect.any(String), path: ['gifts'] },
      { message: expect.any(String), path: ['items', 1, 'sku'] },
    ],
  })
})

test('a cyclic value is an issue', () => {
  const items: unknown[] = []
  items.push(items)
  expect(params['~standard'].validate({ items })).toEqual({
    issues: [{ message: 'must nest at most 64 levels deep', path: [] }],
  })
})

test('the JSON Schema is self-contained, without additions of the protocol', () => {
  const target = 'draft-2020-12'
  expect(params['~standard'].jsonSchema.input({ target })).toEqual({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    required: ['items'],
    properties: { items: { type: 'array', items: { $ref: '#/$defs/Item' } }, gift },
    $defs: { Item: item },
  })
  expect(schemas['orders.place'].result['~standard'].jsonSchema.output({ target })).toMatchObject(result)
  expect(params['~standard'].jsonSchema.input({ target: 'draft-07' })).toMatchObject({
    $schema: 'http://json-schema.org/draft-07/schema#',
    required: ['items'],
  })
  expect(() => params['~standard'].jsonSchema.input({ target: 'openapi-3.0' })).toThrow('draft-2020-12')
})

test('has the params types without and with defaults', () => {
  expectTypeOf(params).toEqualTypeOf<
    StandardSchema<Types['orders.place']['params'], Types['orders.place']['input']>
  >()
  expect(params['~standard']).toMatchObject({ version: 1, vendor: 'duet' })
})
