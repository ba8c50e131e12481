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
