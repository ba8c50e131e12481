import { expect, it } from 'vitest'
import { generate, loadValidators, statementOf } from '../../../test/scenarios/scenario.js'
import type { JsonObject } from '../../document/document.js'
import { referenceTo, type Schema } from '../schema.js'
import { defaultOf, settleDefaults } from './defaults.js'

const ref = (name: string) => ({ $ref: referenceTo(name) })
const schemas = new Map<string, Schema>([
  ['One', { type: 'integer', default: 1 }],
  ['Two', { type: 'integer', default: 2 }],
  ['Row', ref('One')],
  ['Bad', { type: 'integer', default: 'x' }],
])

it.each<[string, Schema, unknown]>([
  ['its own', { default: 3, $ref: referenceTo('One') }, 3],
  ['that of its reference', ref('One'), 1],
  ['that at the end of a row of references', ref('Row'), 1],
  ['that of a part', { allOf: [{ type: 'integer' }, { default: 1 }] }, 1],
  ['that of a part of a part', { allOf: [{ allOf: [ref('Row')] }] }, 1],
  ['one that two parts agree on', { allOf: [ref('One'), { default: 1 }] }, 1],
  ['its own, whatever its parts say', { default: 3, allOf: [ref('One'), ref('Two')] }, 3],
  ['none where parts differ', { allOf: [ref('One'), ref('Two')] }, undefined],
  ['none where a part refuses it', { allOf: [ref('One'), { minimum: 2 }] }, undefined],
  ['none that its schema refuses', ref('Bad'), undefined],
  ['none that multipleOf refuses', { type: 'integer', multipleOf: 10, default: 25 }, undefined],
  ['one that equals a value of an enum', { enum: [{ a: 2, b: 1 }], default: { b: 1, a: 2 } }, { b: 1, a: 2 }],
  ['none of a branch of oneOf', { oneOf: [ref('One'), { type: 'string' }] }, undefined],
  ['none of a branch of anyOf', { anyOf: [ref('One'), { type: 'string' }] }, undefined],
  ['that of an only branch', { anyOf: [ref('One')] }, 1],
  ['one beside branches', { anyOf: [{ type: 'integer' }], default: 4 }, 4],
  ['false, like any other value', { allOf: [{ default: false }] }, false],
  ['null, like any other value', { allOf: [{ default: null }] }, null],
  ['none of a schema that allows all', true, undefined],
])('the default of a schema is %s', (_, schema, value) => {
  expect(defaultOf(schemas, schema)).toStrictEqual(value)
})

it('is at the property, wherever the property is', () => {
  const settle = settleDefaults(new Map(schemas))
  const at = (property: Schema) => ({ items: { allOf: [{ properties: { a: property } }] } })
  expect(settle(at(ref('Row')))).toEqual(at({ ...ref('Row'), default: 1 }))
  expect(settle(at(ref('Bad')))).toEqual(at(ref('Bad')))
})

it('leaves a schema without defaults as it is', () => {
  const schema = { properties: { a: { type: 'string' } } }
  expect(settleDefaults(new Map(schemas))(schema)).toBe(schema)
})

it('is dropped if filling it in would never end', () => {
  const node = (child: Schema, value: JsonObject): JsonObject => ({
    type: 'object',
    properties: { child, list: { type: 'array', items: ref('Node'), default: [] } },
    default: value,
  })
  const settled = (schema: Schema): Schema | undefined => {
    const map = new Map<string, Schema>([['Node', schema]])
    settleDefaults(map)
    return map.get('Node')
  }
  const through = node(ref('Node'), {})
  expect(settled(through)).toEqual(through)
  expect(settled(node({ ...ref('Node'), default: {} }, {}))).toEqual(through)
  const ends = { child: { child: null } }
  expect(settled(node({ anyOf: [ref('Node'), { type: 'null' }], default: ends }, ends))).toEqual(
    node({ anyOf: [ref('Node'), { type: 'null' }], default: ends }, ends),
  )
})

it('is dropped if two defaults would fill in each other', () => {
  const map = new Map<string, Schema>([
    ['A', { type: 'object', properties: { b: ref('B') }, default: {} }],
    ['B', { type: 'object', properties: { a: ref('A') }, default: {} }],
  ])
  const before = new Map(map)
  settleDefaults(map)
  expect(map).toEqual(before)
})

it('is filled in by the validator of the params, for parameters and at any depth of a body', async () => {
  const schema = {
    type: 'object',
    required: ['size'],
    properties: { size: ref('Size'), color: { allOf: [{ type: 'string' }, { default: 'red' }] } },
  }
  const { files } = await generate({
    openapi: '3.1.0',
    info: { title: 'A', version: '1.0.0' },
    paths: {
      '/a': {
        post: {
          operationId: 'a.create',
          parameters: [{ name: 'limit', in: 'query', schema: ref('Row') }],
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: { ...schema, properties: { v: schema, ...schema.properties } } },
            },
          },
          responses: { '204': { description: 'Fine' } },
        },
      },
    },
    components: {
      schemas: {
        Size: { type: 'integer', default: 5 },
        Limit: { type: 'integer', default: 9 },
        Row: ref('Limit'),
      },
    },
  })
  const params = { v: {} }
  expect(loadValidators(files.get('validators.js') ?? '')['a.create']?.params(params)).toBe(true)
  expect(params).toEqual({ limit: 9, size: 5, color: 'red', v: { size: 5, color: 'red' } })
  const types = files.get('types.ts') ?? ''
  expect(statementOf(types, 'ACreateInput')).toContain(' size: Size')
  expect(statementOf(types, 'ACreateInput')).not.toContain('size?: Size')
  expect(statementOf(types, 'ACreateParams')).toContain(' size?: Size')
})
