import { expect, it } from 'vitest'
import { proofsOf } from '../../../../test/diff/compared.js'

const answers = (said: string): string =>
  `paths: { /a: { get: { operationId: a.get, responses: { ${said} } } } }\n`
const object = '{ schema: { type: object, required: [n], properties: { n: { type: integer } } } }'

it.each([
  [
    'a media type that takes the place of the declared one',
    `200: { description: Fine, content: { application/json: ${object} } }`,
    '200: { description: Fine, content: { text/plain: { schema: { type: string } } } }',
    { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' } },
    'rejects: the media type text/plain is not declared',
  ],
  [
    'a status that takes the place of the declared one',
    `200: { description: Fine, content: { application/json: ${object} } }`,
    `201: { description: Fine, content: { application/json: ${object} } }`,
    { status: 201, body: { n: 0 } },
    'rejects: the status 201 is not declared',
  ],
  [
    'the lack of a header that was always there',
    '200: { description: Fine, headers: { X-A: { required: true, schema: { type: integer } } } }',
    '200: { description: Fine, headers: { X-A: { schema: { type: integer } } } }',
    { status: 200, headers: {} },
    'rejects: the header X-A is missing',
  ],
])('an answer over REST shows %s', async (_, old, fresh, rest, rejects) => {
  const [proof] = await proofsOf(answers(old), answers(fresh), { protocol: 'rest' })
  expect(proof).toMatchObject({ status: 'verified', rest, old: rejects, new: 'accepts' })
})

it('no answer shows the loss of a status or a media type besides those that the service gives', async () => {
  const text = 'content: { text/plain: { schema: { type: string } } }'
  const two = answers(`200: { description: Fine, ${text} }, 202: { description: Later, ${text} }`)
  const one = answers(`200: { description: Fine, ${text} }, 201: { description: Made }`)
  expect(await proofsOf(two, one, { protocol: 'rest' })).toEqual([{ status: 'not-applicable' }])
})
