import { expect, it } from 'vitest'
import { compared } from '../../../../test/diff/compared.js'

const media = (encoding: string): string =>
  `application/x-www-form-urlencoded: { schema: { type: object, properties: { l: { type: array, items: { type: string } } } }${encoding} }`
const joined = ', encoding: { l: { explode: false } }'

const response = (version: string, encoding: string): string => `
openapi: ${version}
info: { title: Shop, version: 1.0.0 }
paths:
  /a:
    get:
      operationId: a.get
      responses: { 200: { description: Fine, content: { ${media(encoding)} } } }
`

const reply = (version: string, encoding: string): string => `
openapi: ${version}
info: { title: Shop, version: 1.0.0 }
webhooks:
  paid: { post: { responses: { 200: { description: Fine, content: { ${media(encoding)} } } } } }
`

it.each([
  ['response-body-encoding-changed', response],
  ['message-encoding-changed', reply],
] as const)('a field of a form is written another way in OpenAPI 3.2: %s', async (id, document) => {
  const { changes } = await compared(document('3.2.0', ''), document('3.2.0', joined))
  expect(changes.map((change) => [change.level, change.id, change.path])).toEqual([['breaking', id, '/l']])
})

it.each([response, reply])('an encoding only applies to requests before OpenAPI 3.2', async (document) => {
  expect((await compared(document('3.1.1', ''), document('3.1.1', joined))).changes).toEqual([])
})
