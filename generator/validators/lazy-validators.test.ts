// @module-tag long

import { describe, expect, it } from 'vitest'
import { sidesOf } from '../../test/diff/compared.js'
import { emit } from '../emit/emit.js'
import { contractOf } from '../mock/contract.js'
import { LazyValidators } from './lazy-validators.js'

const document = JSON.stringify({
  openapi: '3.1.1',
  info: { title: 'Shop', version: '1.0.0' },
  paths: {
    '/trees': {
      post: {
        operationId: 'trees.add',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Tree' } } },
        },
        responses: {
          200: {
            description: 'Fine',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Closed' } } },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Tree: {
        type: 'object',
        required: ['name', 'price'],
        properties: {
          id: { type: 'integer', readOnly: true },
          name: { type: 'string', minLength: 1, pattern: '^\\w+$' },
          price: { type: 'number', multipleOf: 0.01, default: 1 },
          planted: { type: 'string', format: 'date' },
          children: { type: 'array', uniqueItems: true, items: { $ref: '#/components/schemas/Tree' } },
        },
      },
      Named: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
      Closed: {
        allOf: [{ $ref: '#/components/schemas/Named' }],
        properties: { size: { type: 'integer' } },
        unevaluatedProperties: false,
      },
    },
  },
})

describe('validators that are written when first called', () => {
  it.each([
    ['params', { name: 'oak' }],
    ['params', { name: '', price: 0.005 }],
    ['params', { name: 'oak', children: [{ name: 'a b' }, { planted: 'today' }] }],
    ['params', { name: 'oak', id: 7 }],
    ['params', { name: 'oak', children: [{ name: 'a' }, { name: 'a' }] }],
    ['result', { name: 'oak', size: 1 }],
    ['result', { name: 'oak', size: 1, more: true }],
    ['result', { size: 1.5 }],
  ] as const)('say of %s %j what the generated module says', async (side, value) => {
    const [{ model }] = await sidesOf(document, document)
    const [operation] = model?.operations ?? []
    if (model === undefined || operation === undefined) throw new Error('The document has no operation')
    const generated = (await contractOf(await emit(model, [], 'openapi.json'))).validators['trees.add']?.[
      side
    ]
    const lazy = new LazyValidators(model).of(operation)[side]
    const [one, other] = [structuredClone(value), structuredClone(value)]
    expect(lazy(one)).toBe(generated?.(other))
    expect(one).toEqual(other)
    expect(lazy.errors).toEqual(generated?.errors)
  })

  it('take the members of a part in an error body, if no other schema asks for them', async () => {
    const schema = { allOf: [{ properties: { reason: true } }], unevaluatedProperties: false }
    const failure = { description: 'None', content: { 'application/json': { schema } } }
    const paths = { '/trees': { get: { operationId: 'trees.get', responses: { 204: {}, 404: failure } } } }
    const text = JSON.stringify({ openapi: '3.1.1', info: { title: 'Shop', version: '1.0.0' }, paths })
    const [{ model }] = await sidesOf(text, text)
    const [operation] = model?.operations ?? []
    if (model === undefined || operation === undefined) throw new Error('The document has no operation')
    const body = new LazyValidators(model).of(operation).errors?.['404']
    expect([body?.({ reason: 'felled' }), body?.({ other: 1 })]).toEqual([true, false])
  })
})
