import { expect, it } from 'vitest'
import { proofsOf } from '../../../test/diff/compared.js'

const list = (parameter: string): string =>
  `paths: { /a: { get: { operationId: a.list, parameters: [{ in: query, name: p, ${parameter} }],
    responses: { 200: { description: Fine } } } } }\n`
const object = 'type: object, properties: { a: { type: integer } }'

it.each([
  [
    'in brackets and is JSON now',
    list(`style: deepObject, schema: { ${object} }`),
    list(`content: { application/json: { schema: { ${object} } } }`),
    'rejects: /p[a] must NOT have additional properties',
  ],
  [
    'by its names and is in brackets now',
    list(`schema: { ${object} }`),
    list(`style: deepObject, schema: { ${object} }`),
    'rejects: /a must NOT have additional properties',
  ],
])('the names of an object that was written %s are refused', async (_, old, fresh, refusal) => {
  expect(await proofsOf(old, fresh)).toMatchObject([{ value: { p: { a: 0 } }, new: refusal }])
})

const texts = ', additionalProperties: { type: string }'
const bracketed = (schema: string): string => list(`style: deepObject, schema: { ${schema} }`)
const integer = '{ type: integer }'

it.each([
  [
    'a branch without members remains',
    bracketed(`anyOf: [{ ${object} }, ${integer}]`),
    bracketed(`anyOf: [${integer}]`),
    { url: '/a?p%5Ba%5D=0' },
  ],
  [
    'it was a list of a branch',
    bracketed(`anyOf: [{ type: array, items: ${integer} }, ${integer}]`),
    bracketed(`anyOf: [${integer}]`),
    { url: '/a?p%5B0%5D=0' },
  ],
  [
    'the parameter is removed',
    bracketed(object),
    'paths: { /a: { get: { operationId: a.list, responses: { 200: { description: Fine } } } } }\n',
    { url: '/a?p%5Ba%5D=0' },
  ],
])('a name in brackets is refused if %s', async (_, old, fresh, rest) => {
  expect(await proofsOf(old, fresh)).toMatchObject([{ status: 'verified', rest, jsonrpc: {} }])
})

it.each([
  ['in brackets', 'style: deepObject,', '', 'p[a]', '/a?p%5Bb%5D='],
  ['in brackets, and whose texts a schema describes', 'style: deepObject,', texts, 'p[a]', '/a?p%5Bb%5D='],
  ['by its names', '', texts, 'a', '/a?b='],
])('an object %s shows a name besides those that became parameters', async (_, style, rest, name, url) => {
  const object = `type: object, properties: { a: { type: string } } ${rest}`
  const fresh = list('schema: { type: string }').replace('name: p', `name: '${name}'`)
  const [proof] = await proofsOf(list(`${style} schema: { ${object} }`), fresh)
  expect(proof).toMatchObject({ status: 'verified', rest: { url }, jsonrpc: {} })
})

it('a member in brackets that one branch declares is shown with a text', async () => {
  const either = (type: string): string =>
    bracketed(
      `oneOf: [{ type: object, required: [a], properties: { a: { type: ${type} } } },
        { type: object, required: [b], properties: { b: { type: string } } }]`,
    )
  expect(await proofsOf(either('string'), either('integer'))).toMatchObject([
    { status: 'verified', rest: { url: '/a?p%5Ba%5D=' }, jsonrpc: {}, new: 'rejects: /p/a must be integer' },
  ])
})

it('a name that an exploded object takes no longer is refused as a name of the query', async () => {
  const map = (values: string): string => list(`schema: { ${object}, additionalProperties: ${values} }`)
  const proofs = await proofsOf(map('{ type: integer }'), map('false'))
  expect(proofs).toMatchObject([
    {
      rest: { url: '/a?b=0' },
      jsonrpc: { params: { p: { b: 0 } } },
      new: expect.stringContaining('/b must NOT'),
    },
  ])
})

const posting = (parameters: string, schema: string): string =>
  `paths: { /a: { post: { operationId: a.add, parameters: [${parameters}],
    requestBody: { required: true, content: { application/json: { schema: { type: object, ${schema} } } } },
    responses: { 204: { description: Fine } } } } }\n`

it.each([
  ['one too many', 'properties: { a: { type: string } }, maxProperties: 1'],
  [
    'one too many for a body of two',
    'properties: { a: { type: string }, b: { type: string } }, maxProperties: 2',
  ],
])('a removed query parameter that counts as a field of the body is %s', async (_, schema) => {
  const query = '{ in: query, name: q, schema: { type: string } }'
  const proofs = await proofsOf(posting(query, schema), posting('', schema))
  expect(proofs.filter((proof) => 'rest' in proof)).toMatchObject([
    { rest: { url: expect.stringMatching(/^\/a\?q=/), body: { a: expect.any(String) } } },
  ])
})

it('a text with commas that is a list of too many items now is sent with bare commas', async () => {
  const proofs = await proofsOf(
    list('schema: { type: string }'),
    list('explode: false, schema: { type: array, items: { type: string }, maxItems: 3 }'),
    { protocol: 'rest' },
  )
  expect(proofs).toMatchObject([
    { rest: { url: '/a?p=a,a,a,' }, new: 'rejects: /p must NOT have more than 3 items' },
  ])
})
