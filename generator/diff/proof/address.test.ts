import { expect, it } from 'vitest'
import { proofsOf } from '../../../test/diff/compared.js'

const fine = 'responses: { 200: { description: Fine } }'
const list = `/a: { get: { operationId: a.list, ${fine} } }`

/** An operation at the usual path of JSON-RPC. */
const posted = (body: string): string =>
  `/: { post: { operationId: notes.create, requestBody: { required: true, content: { application/json: {
    schema: ${body} } } }, ${fine} } }`

it('a call to the old path shows that JSON-RPC moved, as the operation there gets it', async () => {
  const note =
    '{ type: object, additionalProperties: false, required: [text], properties: { text: { type: string } } }'
  const [proof] = await proofsOf(`paths: { ${list} }\n`, `paths: { ${list}, ${posted(note)} }\n`)
  expect(proof).toMatchObject({
    status: 'verified',
    operation: 'a.list',
    jsonrpc: { method: 'a.list', params: {} },
    new: 'rejects: notes.create takes it',
  })
  // The call has the same path in both versions, not the new path of JSON-RPC.
  expect(proof).not.toHaveProperty('newAddress')
})

it('a call to a path that JSON-RPC has left, where nothing is any more', async () => {
  const proofs = await proofsOf(`paths: { ${list}, ${posted('{ type: object }')} }\n`, `paths: { ${list} }\n`)
  expect(proofs).toContainEqual(
    expect.objectContaining({
      jsonrpc: { jsonrpc: '2.0', id: 1, method: 'a.list', params: {} },
      jsonrpcPath: '/rpc',
      new: expect.stringContaining('404'),
    }),
  )
})
