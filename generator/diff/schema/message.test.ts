import { expect, it } from 'vitest'
import { sidesOf } from '../../../test/diff/compared.js'
import type { Json } from '../../document/document.js'
import { compare } from '../compare.js'

function withBody(schema: Json): string {
  const post = {
    operationId: 'a.do',
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { 200: { description: 'Fine' } },
  }
  return JSON.stringify({
    openapi: '3.1.1',
    info: { title: 'A', version: '1.0.0' },
    paths: { '/a': { post } },
  })
}

async function messages(old: Json, fresh: Json): Promise<string[]> {
  return compare(...(await sidesOf(withBody(old), withBody(fresh)))).changes.map(({ message }) => message)
}

const long = 'x'.repeat(100)

it.each<[string, Json, Json, string]>([
  [
    'a changed `not`',
    { not: { type: 'string' } },
    { not: { type: 'integer' } },
    'the request body: `not` changed',
  ],
  [
    'a removed `not`',
    { not: { type: 'string' } },
    {},
    'the request body: `not` was removed (was {"type":"string"})',
  ],
  [
    'another keyword of the branches',
    { oneOf: [{ type: 'number' }, { type: 'integer' }] },
    { anyOf: [{ type: 'number' }, { type: 'integer' }] },
    'the request body: the keyword of its branches changed ("oneOf" to "anyOf")',
  ],
  [
    'a default that its schema refuses now',
    { type: 'object', required: ['n'], properties: { n: { type: 'integer', default: 25 } } },
    { type: 'object', required: ['n'], properties: { n: { type: 'integer', default: 25, maximum: 9 } } },
    '/n of the request body: the schema refuses its own default, which is no longer filled in (25)',
  ],
  [
    'long values that differ late',
    { default: { a: long, b: 1 } },
    { default: { a: long, b: 2 } },
    `the request body: its default changed (…${'x'.repeat(14)}","b":1} to …${'x'.repeat(14)}","b":2})`,
  ],
])('says what happened: %s', async (_, old, fresh, message) => {
  expect(await messages(old, fresh)).toContain(message)
})
