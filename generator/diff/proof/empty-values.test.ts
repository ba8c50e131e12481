import { expect, it } from 'vitest'
import { proofsOf } from '../../../test/diff/compared.js'

const operation = (list: string): string =>
  `paths: { /a: { get: { operationId: a.list, parameters: [{ name: l, in: query, required: true, ${list} }, ${needed}], ` +
  'responses: { 204: { description: Fine } } } } }\n'
const needed = '{ name: m, in: query, required: true, schema: { type: array, items: { type: string } } }'

const numbers = 'schema: { type: array, items: { type: integer } }'
const texts = 'schema: { type: array, minItems: 2, items: { type: string } }'

it.each([
  // An empty text is an empty list of integers; as no list, the parameter is missing.
  [
    'alone that counts as left out',
    numbers,
    `allowEmptyValue: true, ${numbers}`,
    '?l=&m=',
    /must have required/,
  ],
  [
    'behind an item that is one now',
    `allowEmptyValue: true, ${numbers}`,
    numbers,
    '?l=0&l=&m=',
    /must be integer/,
  ],
  ['that is an item no more', texts, `allowEmptyValue: true, ${texts}`, '?l=&l=&m=', /must have required/],
])('an empty text %s is shown next to a required list', async (_, old, fresh, query, refusal) => {
  const [proof] = await proofsOf(operation(old), operation(fresh), { level: 'breaking' })
  expect(proof).toMatchObject({
    status: 'verified',
    rest: { url: `/a${query}` },
    new: expect.stringMatching(refusal),
  })
})
