import type { Contract } from 'duet-runtime'
import { expect, it } from 'vitest'
import { generate } from '../../test/scenarios/scenario.js'
import { contractOf } from '../mock/contract.js'
import { sampleCalls } from './sample-calls.js'

async function callsOf(yaml: string): Promise<Record<string, unknown>> {
  const { files, diagnostics } = await generate(yaml)
  if (files.size === 0) throw new Error(JSON.stringify(diagnostics))
  const contract: Contract = await contractOf(files)
  return Object.fromEntries(
    sampleCalls(contract).map(({ name, params, missing }) => [name, params ?? missing]),
  )
}

const done = 'responses: { 204: { description: Done } }'

it('matches patterns, formats and bounds, with required parameters and all of the body', async () => {
  const calls = await callsOf(`
paths:
  /orders/{id}:
    put:
      x-rpc-method: orders.replace
      parameters:
        - { name: id, in: path, required: true, schema: { type: string, pattern: '^ord_[0-9]{4}$' } }
        - { name: dry, in: query, schema: { type: boolean } }
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [sku]
              properties:
                sku: { type: string, pattern: '^[A-Z]{3}-\\d{3}$' }
                amount: { type: integer, minimum: 3, maximum: 3 }
      ${done}
`)
  expect(calls).toEqual({
    'orders.replace': {
      id: expect.stringMatching(/^ord_\d{4}$/),
      sku: expect.stringMatching(/^[A-Z]{3}-\d{3}$/),
      amount: 3,
    },
  })
})

it('uses the first valid example of the document', async () => {
  const calls = await callsOf(`
paths:
  /orders/{id}:
    get:
      x-rpc-method: orders.get
      parameters:
        - name: id
          in: path
          required: true
          schema: { type: integer }
          examples: { known: { value: 42 } }
      responses: { 200: { description: It, content: { application/json: { schema: {}, examples: { known: { value: 1 } } } } } }
`)
  expect(calls).toEqual({ 'orders.get': { id: 42 } })
})

it('uses examples of parameters and bodies without a response', async () => {
  const calls = await callsOf(`
paths:
  /orders/{id}:
    parameters: [{ $ref: '#/components/parameters/Id' }]
    patch:
      x-rpc-method: orders.update
      parameters: [{ name: dry, in: query, example: true, schema: { type: boolean } }]
      requestBody:
        required: true
        content:
          application/json:
            schema: { type: object, properties: { note: { type: string }, paid: { type: boolean } } }
            examples: { first: { value: { paid: true } } }
      ${done}
components:
  parameters:
    Id: { name: id, in: path, required: true, example: 42, schema: { type: integer } }
`)
  expect(calls).toEqual({ 'orders.update': { id: 42, paid: true } })
})

it('meets constraints that tie params together', async () => {
  const calls = await callsOf(`
paths:
  /payments:
    post:
      x-rpc-method: payments.create
      requestBody:
        required: true
        content:
          application/json:
            schema:
              oneOf:
                - { type: object, required: [card], properties: { card: { type: string } }, additionalProperties: false }
                - { type: object, required: [iban], properties: { iban: { type: string } }, additionalProperties: false }
      ${done}
`)
  const [params] = Object.values(calls)
  expect(['card', 'iban']).toContain(Object.keys(params as object).join())
})

it('gives a Blob if an operation accepts a file', async () => {
  const calls = await callsOf(`
paths:
  /files:
    put:
      x-rpc-method: files.put
      requestBody: { required: true, content: { application/octet-stream: {} } }
      ${done}
`)
  expect(calls).toEqual({ 'files.put': { body: expect.any(Blob) } })
})

it('explains why an operation has no call', async () => {
  const calls = await callsOf(`
paths:
  /a:
    get: { x-rpc-method: false, ${done} }
  /b:
    get:
      x-rpc-method: b.get
      parameters: [{ name: n, in: query, required: true, schema: { type: string, pattern: '^a$', minLength: 2 } }]
      ${done}
`)
  expect(Object.values(calls).sort()).toEqual([
    'JSON-RPC does not have it',
    expect.stringMatching(/^no valid params were found: \/n /),
  ])
})
