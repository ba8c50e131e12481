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
    new: "rejects: notes.create refuses it: /text must have required property 'text'",
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

const reading = (path: string, type: string): string =>
  `paths: { "${path}": { get: { operationId: a.get, x-rpc-method: false, ${fine},
    parameters: [{ name: id, in: path, required: true, schema: { type: ${type} } }] } } }\n`

it('the operation at the new path refuses what it now reads from the old one', async () => {
  expect(await proofsOf(reading('/a/{id}.json', 'integer'), reading('/a/{id}', 'integer'))).toMatchObject([
    { status: 'verified', rest: { url: '/a/0.json' }, new: 'rejects: /id must be integer' },
  ])
})

it.each([
  ['/a/{id}.json', '"a.json"'],
  ['/a/v{id}', '"va"'],
])('the operation at the new path accepts what it reads from %s, as another value', async (path, value) => {
  const outcome = `over REST the new version accepts, but /id arrives as ${value}, which was "a"`
  expect(await proofsOf(reading(path, 'string'), reading('/a/{id}', 'string'))).toEqual([
    { status: 'unproven', reason: outcome },
  ])
})

it('a parameter of a moved path that another change narrows does not show the move', async () => {
  const proofs = await proofsOf(reading('/a/{id}.json', 'string'), reading('/a/{id}', 'integer'))
  expect(proofs).toMatchObject([
    { status: 'unproven', reason: 'over REST the new version already says /id must be integer' },
    { status: 'verified', new: 'rejects: /id must be integer' },
  ])
})
