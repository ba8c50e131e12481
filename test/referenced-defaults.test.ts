import { afterAll, expect, it } from 'vitest'
import { contractOf } from '../generator/mock/contract.js'
import { serveNode } from '../runtime/fixtures/serve.js'
import { createApiOf } from '../runtime/index.js'
import { generate } from './scenarios/scenario.js'

// Omitted params arrive with their defaults over both protocols, wherever the document has the default.

const document = `
paths:
  /notes:
    post:
      x-rpc-method: notes.add
      parameters:
        - { name: sort, in: query, schema: { $ref: '#/components/schemas/Sort' } }
        - { name: limit, in: query, schema: { allOf: [{ type: integer }, { default: 20 }] } }
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [text]
              properties:
                text: { type: string }
                colour: { allOf: [{ $ref: '#/components/schemas/Colour' }] }
                paper:
                  type: object
                  properties: { size: { $ref: '#/components/schemas/Size' } }
      responses: { '200': { description: Added, content: { application/json: { schema: {} } } } }
components:
  schemas:
    Sort: { $ref: '#/components/schemas/Order' }
    Order: { type: string, default: newest }
    Colour: { type: string, default: red }
    Size: { type: string, default: A4 }
`

const { files } = await generate(document)
const handlers = { notes: { add: (params: unknown) => params } }
const api = createApiOf<never, unknown, unknown, string>(await contractOf(files), { handlers } as never)
const served = await serveNode(api)
afterAll(served.close)

it.each([
  [
    { text: 'a', paper: {} },
    { text: 'a', paper: { size: 'A4' }, colour: 'red', sort: 'newest', limit: 20 },
  ],
  [
    { text: 'a', colour: 'blue' },
    { text: 'a', colour: 'blue', sort: 'newest', limit: 20 },
  ],
])('%j arrives with the defaults behind references and in allOf', async (sent, arrives) => {
  const rest = await served.ask('/notes', { method: 'POST', body: sent })
  const call = { jsonrpc: '2.0', id: 1, method: 'notes.add', params: sent }
  const rpc = await served.ask('/', { method: 'POST', body: call })
  expect([rest.json, rpc.json.result]).toEqual([arrives, arrives])
})
