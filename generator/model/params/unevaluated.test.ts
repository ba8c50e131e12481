import { expect, it } from 'vitest'
import { sidesOf } from '../../../test/diff/compared.js'
import { LazyValidators } from '../../validators/lazy-validators.js'

const closed = { type: 'object', properties: { c: {} }, unevaluatedProperties: false }
const renamed = { c: { type: 'string', 'x-rpc-param': 'd' } }

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
])(
  'a body that is closed %s takes its fields beside a parameter, and no others',
  async (_, schema, required, name) => {
    const document = JSON.stringify({
      openapi: '3.1.1',
      info: { title: 'Shop', version: '1.0.0' },
      paths: {
        '/a': {
          post: {
            operationId: 'a.do',
            parameters: [{ name: 'q', in: 'query', schema: { type: 'string' } }],
            requestBody: { required, content: { 'application/json': { schema } } },
            responses: { 200: { description: 'Fine' } },
          },
        },
      },
      components: { schemas: { Closed: closed } },
    })
    const [{ model }] = await sidesOf(document, document)
    const [operation] = model?.operations ?? []
    if (model === undefined || operation === undefined) throw new Error('no operation')
    const { params } = new LazyValidators(model).of(operation)
    expect(params({ q: 'x', [name]: 'b' })).toBe(true)
    expect(params({ q: 'x', e: 'b' })).toBe(false)
  },
)
