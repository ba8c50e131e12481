import { expect, it } from 'vitest'
import { generate } from '../../../test/scenarios/scenario.js'
import type { JsonObject } from '../../document/document.js'

const text = { 'application/json': { schema: { type: 'string' } } }
const answering = (responses: JsonObject) => ({
  openapi: '3.1.1',
  info: { title: 'Answers', version: '1.0.0' },
  paths: { '/a': { post: { operationId: 'a.make', responses } } },
})

// OpenAPI 3.1.1, Responses Object: an explicit code takes precedence over the range that it is in.
it.each([
  [{ '2XX': { description: 'Any', content: text }, 201: { description: 'Made', content: text } }, 201],
  [{ '2XX': { description: 'Any', content: text }, 204: { description: 'Nothing' } }, 200],
  [{ 202: { description: 'Taken', content: text }, 201: { description: 'Made', content: text } }, 201],
])('%j is answered as %d where no handler chooses', async (responses, status) => {
  const { files } = await generate(answering(responses))
  expect(files.get('operations.ts')).toContain(`status: ${status},`)
})

// RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5
it.each([204, 205])(
  'answers null with a status %d, whatever content the document gives it',
  async (status) => {
    const { files } = await generate(answering({ [status]: { description: 'Gone', content: text } }))
    expect(files.get('types.ts')).toContain('export type AMakeResult = null')
  },
)

const fault = { 'application/json': { schema: { type: 'object', properties: { id: { type: 'string' } } } } }
const pet = { 'application/json': { schema: { type: 'object', properties: { name: { type: 'string' } } } } }
const problem = { 'application/problem+json': { schema: { type: 'object' } } }

const [no, error, fine] = ['No', 'Error', 'Fine'].map((description) => ({ description }))

it.each([
  [
    'the structure of a stated failure',
    { 401: { ...no, content: fault }, default: { ...error, content: fault } },
  ],
  ['a problem', { default: { ...error, content: problem } }],
])('takes a default with %s for a failure, also without a 2xx', async (_title, responses) => {
  const { files } = await generate(answering(responses))
  expect(files.get('types.ts')).toContain('export type AMakeResult = null')
  expect(files.get('operations.ts')).toMatch(/rest: .*status: 204\b/)
})

it('has the body of such a failure for every status', async () => {
  const responses = { 401: { ...no, content: fault }, default: { ...error, content: fault } }
  const { files } = await generate(answering(responses))
  expect(files.get('operations.ts')).toContain("failures: { '401': {}, default: {} }")
})

it.each([
  ['another structure', pet, fault],
  ['the same text', text, text],
  ['no content', {}, {}],
])('takes a default for the success next to failures alone, with %s', async (_title, content, failing) => {
  const responses = { 404: { ...no, content: failing }, default: { ...fine, content } }
  const { files } = await generate(answering(responses))
  expect(files.get('operations.ts')).toMatch(/rest: .*status: 200\b/)
})

// A component and its content say the same.
it.each([
  ['a structure that is the failure', { type: 'object', properties: { id: {} } }, 204],
  ['any value, which is the success', {}, 200],
])(
  'takes a default for the same whether a component describes it or not: %s',
  async (_title, schema, status) => {
    const content = (said: JsonObject): JsonObject => ({ 'application/json': { schema: said } })
    const reference = content({ $ref: '#/components/schemas/Shared' })
    for (const [failing, other] of [
      [reference, reference],
      [content(schema), reference],
      [content(schema), content(schema)],
      [reference, content({ oneOf: [{ $ref: '#/components/schemas/Shared' }] })],
    ]) {
      const responses = {
        404: { ...no, content: failing ?? {} },
        default: { ...error, content: other ?? {} },
      }
      const { files } = await generate({
        ...answering(responses),
        components: { schemas: { Shared: schema } },
      })
      expect(files.get('operations.ts')).toMatch(new RegExp(`rest: .*status: ${status}\\b`))
    }
  },
)
