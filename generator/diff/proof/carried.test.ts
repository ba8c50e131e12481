import { expect, it } from 'vitest'
import { proofsOf } from '../../../test/diff/compared.js'

const object = (required: string): string =>
  `{ type: object, properties: { a: { type: string } }, required: [${required}] }`
const around = (schema: string): string => `{ type: object, properties: { o: ${schema} } }`

const operation = (path: string, method: string, parameter: string): string =>
  `paths: { '${path}': { ${method}: { operationId: a.do, parameters: [{ ${parameter} }],
    responses: { 200: { description: Fine } } } } }\n`

it.each([
  ['brackets', 'in: query, style: deepObject', object, { url: '/a?f%5Bb%5D=' }],
  [
    'brackets in brackets',
    'in: query, style: deepObject',
    (required: string) => around(object(required)),
    { url: '/a?f%5Bo%5D%5Bb%5D=' },
  ],
  ['one text', 'in: query, explode: false', object, { url: '/a?f=b,' }],
  ['a header', 'in: header', object, { headers: { f: 'b,' } }],
  ['a cookie', 'in: cookie', object, { headers: { cookie: 'f=b=' } }],
])(
  'an object in %s is shown with a member that no schema declares, as a text',
  async (_, way, schema, rest) => {
    const list = (required: string): string =>
      operation('/a', 'get', `name: f, ${way}, schema: ${schema(required)}`)
    expect(await proofsOf(list(''), list('a'))).toMatchObject([{ status: 'verified', rest, jsonrpc: {} }])
  },
)

it('null in a list of the query is shown next to another item: alone it is an empty list', async () => {
  const list = (type: string): string =>
    operation('/a', 'get', `name: a, in: query, schema: { type: array, items: { type: ${type} } }`)
  expect(await proofsOf(list("[integer, 'null']"), list('integer'))).toMatchObject([
    { status: 'verified', rest: { url: '/a?a=&a=' } },
  ])
})

it('a HEAD shows what is refused, although its answer has no body', async () => {
  const head = (schema: string): string =>
    operation('/a', 'head', `name: a, in: query, schema: { type: integer, ${schema} }`)
  expect(await proofsOf(head('maximum: 9'), head('maximum: 3'))).toMatchObject([
    { status: 'verified', rest: { method: 'HEAD' }, new: 'rejects: /a must be <= 3' },
  ])
})

it('a matrix parameter shows an empty text by its name alone', async () => {
  const get = (schema: string): string =>
    operation('/a/{p}', 'get', `name: p, in: path, required: true, style: matrix, schema: ${schema}`)
  expect(await proofsOf(get('{ type: string }'), get('{ type: string, minLength: 1 }'))).toMatchObject([
    { status: 'verified', rest: { url: '/a/;p' } },
  ])
})

it('an empty label is unproven, because HTTP clients remove a segment of one dot', async () => {
  const get = (schema: string): string =>
    operation('/a/{p}', 'get', `name: p, in: path, required: true, style: label, schema: ${schema}`)
  const proofs = await proofsOf(get('{ type: string }'), get('{ type: string, minLength: 1 }'), {
    protocol: 'rest',
  })
  const reason = expect.stringMatching(/^generated clients cannot write it over REST/)
  expect(proofs).toMatchObject([{ status: 'unproven', reason }])
})

it('a call shows that the name in the path has changed', async () => {
  const get = (name: string): string =>
    operation(
      `/a/{${name}}`,
      'get',
      `name: ${name}, in: path, required: true, style: matrix, schema: { type: integer }`,
    )
  expect(await proofsOf(get('a'), get('b'), { protocol: 'rest' })).toMatchObject([
    { status: 'verified', rest: { url: '/a/;a=0' } },
  ])
})
