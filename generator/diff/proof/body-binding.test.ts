import { expect, it } from 'vitest'
import { proofsOf } from '../../../test/diff/compared.js'

const fine = 'responses: { 200: { description: Fine } }'

/** An operation with a body and a query parameter. */
const both = (body: string, parameter = '{ in: query, name: q, schema: { type: string } }'): string =>
  `paths: { /a: { post: { operationId: a.create, parameters: [${parameter}], requestBody: { required: true, content: {
    application/json: { schema: { type: object, ${body} } } } }, ${fine} } } }\n`

it('a member that becomes the same param as a parameter is refused by its type', async () => {
  const proofs = await proofsOf(
    both('additionalProperties: { type: integer }'),
    both('properties: { n: { type: integer } }'),
  )
  expect(proofs).toContainEqual(
    expect.objectContaining({
      value: { body: { q: 0 } },
      rest: expect.objectContaining({ url: '/a', body: { q: 0 } }),
      new: 'rejects: /q must be string',
    }),
  )
})

it('a member that becomes the same param as a parameter may have to have the same value', async () => {
  const number = '{ in: query, name: q, required: true, schema: { type: integer } }'
  const proofs = await proofsOf(
    both('additionalProperties: { type: integer }', number),
    both('properties: { n: { type: integer } }', number),
  )
  expect(proofs).toContainEqual(
    expect.objectContaining({
      status: 'verified',
      new: 'rejects: /q must have the same value wherever it is sent',
    }),
  )
})

it('a query name that no parameter declares is refused once the body is one param', async () => {
  const body = `requestBody: { required: true, content: { application/json: { schema: {
    type: object, properties: { n: { type: integer } } } } } }`
  const create = (parameters: string): string =>
    `paths: { /a: { post: { operationId: a.create, ${parameters} ${body}, ${fine} } } }\n`
  const proofs = await proofsOf(
    create(''),
    create('parameters: [{ in: query, name: n, schema: { type: string } }],'),
    { level: 'dangerous' },
  )
  expect(proofs).toMatchObject([
    { rest: { url: '/a?anyOther=' }, new: 'rejects: /anyOther must NOT have additional properties' },
  ])
})

it('a param over JSON-RPC that a field of the body becomes is refused by its type', async () => {
  const body = `requestBody: { required: true, content: { application/json: { schema: {
    type: object, properties: { a: { type: integer } } } } } }`
  const create = (parameters: string): string =>
    `paths: { /a: { post: { operationId: a.create, ${parameters} ${body}, ${fine} } } }\n`
  const proofs = await proofsOf(
    create('parameters: [{ in: query, name: a, schema: { type: string } }],'),
    create(''),
    { protocol: 'jsonrpc' },
  )
  expect(proofs).toMatchObject([
    { jsonrpc: { params: { a: '', body: {} } }, new: 'rejects: /a must be integer' },
  ])
})

it('a call without a body shows that it is required, by a field that became required with it', async () => {
  const create = (isRequired: boolean, required: string): string =>
    `paths: { /a: { post: { operationId: a.create, requestBody: { required: ${isRequired}, content: { application/json: {
      schema: { type: object, required: [${required}], properties: { n: { type: integer } } } } } }, ${fine} } } }\n`
  const proofs = await proofsOf(create(false, ''), create(true, 'n'), { protocol: 'jsonrpc' })
  expect(proofs).toMatchObject([
    { status: 'verified', jsonrpc: { params: {} } },
    { status: 'verified', jsonrpc: { params: {} } },
  ])
})

it('a body of a media type that the old version does not read is shown by no call', async () => {
  const texts = (value: string, json: string): string =>
    `paths: { /a: { post: { operationId: a.create, requestBody: { content: {
      text/plain: { schema: { type: string, const: ${value} } }${json} } }, ${fine} } } }\n`
  const proofs = await proofsOf(
    texts('x', ', application/json: { schema: { type: object, properties: { n: { type: integer } } } }'),
    texts('y', ''),
    { protocol: 'rest' },
  )
  expect(proofs).toContainEqual({
    status: 'unproven',
    reason: expect.stringMatching(/^both versions accept it over REST/),
  })
})

it('a form that becomes closed refuses the text of another field', async () => {
  const form = (more: string): string =>
    `paths: { /a: { post: { operationId: a.create, requestBody: { required: true, content: {
      application/x-www-form-urlencoded: { schema: { type: object, properties: { a: { type: string } }${more} } } } },
      responses: { 204: { description: Fine } } } } }\n`
  const proofs = await proofsOf(form(''), form(', additionalProperties: false'))
  expect(proofs).toContainEqual(
    expect.objectContaining({
      status: 'verified',
      rest: expect.objectContaining({ url: '/a', body: 'b=' }),
      new: 'rejects: /b must NOT have additional properties',
    }),
  )
})

it('a member that is a header alone now is refused in the body', async () => {
  const header = '{ in: header, name: id, schema: { type: string } }'
  const proofs = await proofsOf(
    both('properties: { id: { type: string }, b: { type: string } }', header),
    both('properties: { b: { type: string } }', header),
  )
  expect(proofs).toMatchObject([
    { rest: { url: '/a', body: { id: '' } }, new: 'rejects: /id must NOT have additional properties' },
  ])
})

it('two parameters that become one param must have the same value', async () => {
  const parameters = (type: string): string =>
    `paths: { /a: { get: { operationId: a.get, parameters: [{ in: query, name: r, schema: { type: ${type} } },
      { in: header, name: r, schema: { type: string } }], ${fine} } } }\n`
  const proofs = await proofsOf(parameters('integer'), parameters('string'), { protocol: 'rest' })
  expect(proofs).toMatchObject([
    { status: 'verified', new: 'rejects: /r must have the same value wherever it is sent' },
  ])
})

it('an empty object, which counted as no body, is refused once the body is one param', async () => {
  const object = '{ type: object, required: [b], properties: { b: { type: string } } }'
  const create = (schema: string): string =>
    `paths: { /a: { post: { operationId: a.create, requestBody: { content: { application/json: { schema: ${schema} } } }, ${fine} } } }\n`
  const proofs = await proofsOf(create(object), create(`{ anyOf: [${object}, { type: 'null' }] }`))
  expect(proofs).toContainEqual(
    expect.objectContaining({ status: 'verified', rest: expect.objectContaining({ url: '/a', body: {} }) }),
  )
})
