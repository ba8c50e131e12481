import { expect, it } from 'vitest'
import { proofsOf } from '../../../../test/diff/compared.js'

/** An operation with a body of this schema. */
const taking = (schema: string): string =>
  `paths: { /a: { post: { operationId: a.do, responses: { 200: { description: Fine } },
    requestBody: { required: true, content: { application/json: { schema: ${schema} } } } } } }\n`

const branch = (name: string, limit: string): string =>
  `{ type: object, additionalProperties: false, required: [${name}], properties: { ${name}: { type: string${limit} } } }`
const branches = (limit: string): string => `{ oneOf: [${branch('a', limit)}, ${branch('b', limit)}] }`

const multiples = (...numbers: number[]): string =>
  `{ oneOf: [${numbers.map((number) => `{ type: integer, multipleOf: ${number} }`).join()}] }`

const limited = (limit: string, open: boolean): string =>
  `{ type: object, properties: { a: {}, b: {} }, ${limit}, additionalProperties: ${open} }`

it.each([
  [
    'a limit in a branch, not that another branch has no such property',
    [branches(''), branches(', maxLength: 2')],
    ['rejects: /a must NOT have more than 2 characters', 'rejects: /b must NOT have more than 2 characters'],
  ],
  [
    'a value of two branches, not what a third one says of it',
    [multiples(2, 3), multiples(2, 3, 5)],
    ['rejects: /body must match exactly one schema in oneOf'],
  ],
  [
    'the names that are closed, not the number of members',
    [limited('minProperties: 1', true), limited('minProperties: 2', false)],
    [
      expect.stringMatching(/must NOT have additional properties$/),
      'rejects: must NOT have fewer than 2 properties',
    ],
  ],
  [
    'the number of members, not a name that is closed',
    [limited('maxProperties: 3', true), limited('maxProperties: 2', false)],
    [
      expect.stringMatching(/must NOT have additional properties$/),
      'rejects: must NOT have more than 2 properties',
    ],
  ],
])('a refusal is told by %s', async (_, [old = '', fresh = ''], expected) => {
  const proofs = await proofsOf(taking(old), taking(fresh))
  expect(proofs.map((proof) => 'new' in proof && proof.new)).toEqual(expected)
})
