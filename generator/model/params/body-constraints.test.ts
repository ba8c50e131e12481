import { expect, it } from 'vitest'
import { sidesOf } from '../../../test/diff/compared.js'
import { LazyValidators } from '../../validators/lazy-validators.js'

const closed = { type: 'object', properties: { c: {} }, unevaluatedProperties: false }
const renamed = { c: { type: 'string', 'x-rpc-param': 'd' } }

async function paramsOf(
  schema: object,
  required = true,
  q: object = {},
): Promise<(params: object) => boolean> {
  const { model, operation } = await operationOf(schema, required, q)
  return new LazyValidators(model).of(operation).params
}

const paramsSchema = async (schema: object) => (await operationOf(schema, true, {})).operation.params

async function operationOf(schema: object, required: boolean, q: object) {
  const document = JSON.stringify({
    openapi: '3.1.1',
    info: { title: 'Shop', version: '1.0.0' },
    paths: {
      '/a': {
        post: {
          operationId: 'a.do',
          parameters: [{ name: 'q', in: 'query', schema: { type: 'string', ...q } }],
          requestBody: { required, content: { 'application/json': { schema } } },
          responses: { 200: { description: 'Fine' } },
        },
      },
    },
    components: { schemas: { Closed: closed, Renamed: { required: ['c'] } } },
  })
  const [{ model }] = await sidesOf(document, document)
  const [operation] = model?.operations ?? []
  if (model === undefined || operation === undefined) throw new Error('no operation')
  return { model, operation }
}

it.each<[string, object, boolean, string]>([
  ['as a whole', closed, true, 'c'],
  ['as a whole that may be left out', closed, false, 'c'],
  ['behind a reference', { $ref: '#/components/schemas/Closed' }, true, 'c'],
  ['in a part', { allOf: [closed] }, true, 'c'],
  [
    'around a part',
    { allOf: [{ type: 'object', properties: { c: {} } }], unevaluatedProperties: false },
    true,
    'c',
  ],
  [
    'around a branch',
    { anyOf: [{ type: 'object', properties: { c: {} } }], unevaluatedProperties: false },
    true,
    'c',
  ],
  ['with a param of another name', { ...closed, properties: renamed }, true, 'd'],
  ['in a part with a param of another name', { allOf: [{ ...closed, properties: renamed }] }, true, 'd'],
])(
  'a body that is closed %s takes its fields beside a parameter, and no others',
  async (_, schema, required, name) => {
    const accepts = await paramsOf(schema, required)
    expect(accepts({ q: 'x', [name]: 'b' })).toBe(true)
    expect(accepts({ q: 'x', e: 'b' })).toBe(false)
  },
)

// JSON Schema 2020-12, core, sections 10.2.2.1, 10.3.2.3 and 11.3.
it.each<[string, object, object, object | undefined]>([
  ['takes any member itself', { ...closed, additionalProperties: true }, { e: 1 }, undefined],
  [
    'takes any member in a part',
    { allOf: [{ properties: { c: {} }, additionalProperties: true }], unevaluatedProperties: false },
    { e: 1 },
    undefined,
  ],
  ['has an `if` alone', { ...closed, if: { properties: { e: { const: 1 } } } }, { e: 1 }, { e: 2 }],
  [
    'has an `if` with a `then`',
    { ...closed, ...JSON.parse('{"if":{"properties":{"e":{"const":1}}},"then":{"required":["c"]}}') },
    { c: 1, e: 1 },
    { c: 1, e: 2 },
  ],
  [
    'has an `else`',
    { ...closed, if: { required: ['c'] }, else: { properties: { e: {} } } },
    { e: 1 },
    { c: 1, e: 1 },
  ],
])('a closed body that %s takes what that evaluates', async (_, schema, taken, refused) => {
  for (const around of [(body: object) => body, (body: object) => ({ allOf: [body] })]) {
    const accepts = await paramsOf(around({ type: 'object', ...schema }))
    expect(accepts({ q: 'x', ...taken })).toBe(true)
    if (refused !== undefined) expect(accepts({ q: 'x', ...refused })).toBe(false)
  }
})

const object = { type: 'object', properties: { ...renamed, e: { type: 'string' } } }

it.each<[string, object, object, object]>([
  ['a branch requires', { anyOf: [{ required: ['c'] }, { required: ['f'] }] }, { d: 'b' }, { c: 'b' }],
  ['a component requires', { oneOf: [{ $ref: '#/components/schemas/Renamed' }] }, { d: 'b' }, { c: 'b' }],
  ['another field depends on', { dependentRequired: { e: ['c'] } }, { d: 'b', e: 'b' }, { c: 'b', e: 'b' }],
  ['a condition requires', { if: { required: ['c'] }, else: { required: ['e'] } }, { d: 'b' }, { c: 'b' }],
  [
    'another field forbids',
    { dependentSchemas: { e: { properties: { c: false } } } },
    { c: 'b', e: 'b' },
    { d: 'b', e: 'b' },
  ],
])('a field that %s has the name of its param there', async (_, constraint, taken, refused) => {
  const accepts = await paramsOf({ ...object, ...constraint })
  expect(accepts(taken)).toBe(true)
  expect(accepts(refused)).toBe(false)
})

it('a body that tests the names of its fields is one param if one of them is renamed', async () => {
  const accepts = await paramsOf({ ...object, propertyNames: { maxLength: 1 } })
  expect(accepts({ q: 'x', body: { c: 'b' } })).toBe(true)
  expect(accepts({ q: 'x', body: { cc: 'b' } })).toBe(false)
})

it('a parameter that is marked read-only is sent without a body', async () => {
  const accepts = await paramsOf({ type: 'object', oneOf: [{ required: ['c'] }] }, false, { readOnly: true })
  expect(accepts({ q: 'x' })).toBe(true)
  expect(accepts({ q: 'x', e: 'x' })).toBe(false)
})

it('an extension next to the reference of a body changes nothing of the params', async () => {
  const said = { 'x-go-type': 'Foo', externalDocs: { url: 'https://shop.test' } }
  const reference = { $ref: '#/components/schemas/Closed' }
  const [plain, extended] = await Promise.all([
    paramsSchema(reference),
    paramsSchema({ ...reference, ...said }),
  ])
  expect(extended).toEqual(plain)
})
