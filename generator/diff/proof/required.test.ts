import { expect, it } from 'vitest'
import { proofsOf } from '../../../test/diff/compared.js'

const object = (required: string, names: string, more = ''): string =>
  `{ type: object, required: [${required}], properties: { ${names
    .split(' ')
    .map((name) => `${name}: { type: integer }`)
    .join(', ')} }${more} }`
const body = (schema: string, components = ''): string =>
  `paths: { /a: { post: { operationId: a.do, requestBody: { required: true, content: { application/json: { schema: ${schema} } } },
    responses: { 200: { description: Fine } } } } }\n${components}`
const shared = (schema: string): string =>
  body("{ $ref: '#/components/schemas/S' }", `components: { schemas: { S: ${schema} } }\n`)

it.each([
  ['in a body', body],
  ['in a shared schema', shared],
])('a call without the new name shows that a required property was renamed %s', async (_, document) => {
  expect(await proofsOf(document(object('a', 'a')), document(object('b', 'b')))).toMatchObject([
    { value: { a: 0 }, new: "rejects: /b must have required property 'b'" },
  ])
})

it('of two names that are required now, each is shown by a call with the other one', async () => {
  const proofs = await proofsOf(shared(object('', 'a b')), shared(object('a, b', 'a b')))
  expect(proofs).toMatchObject([
    { value: { b: 0 }, new: "rejects: /a must have required property 'a'" },
    { value: { a: 0 }, new: "rejects: /b must have required property 'b'" },
  ])
})

it('of two names that an optional body requires now, each is shown by a body with the other one', async () => {
  const optional = (required: string): string =>
    body(object(required, 'a b c')).replace('required: true, ', '')
  expect(await proofsOf(optional('a'), optional('a, b, c'))).toMatchObject([
    { value: { a: 0, c: 0 }, new: expect.stringContaining('b') },
    { value: { a: 0, b: 0 }, new: expect.stringContaining('c') },
  ])
})
