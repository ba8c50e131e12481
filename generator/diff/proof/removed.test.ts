import { expect, it } from 'vitest'
import { proofsOf } from '../../../test/diff/compared.js'

const fine = 'responses: { 200: { description: Fine } }'
const id = '{ name: id, in: path, required: true, schema: { type: integer } }'
const get = `get: { operationId: a.get, parameters: [${id}], ${fine} }`
const drop = `delete: { operationId: a.drop, parameters: [${id}], ${fine} }`
const list = `paths: { /a: { get: { operationId: a.list, ${fine} } }`

it('a call that finds neither path nor method shows that an operation was removed', async () => {
  const [proof] = await proofsOf(`${list}, '/a/{id}': { ${get} } }\n`, `${list} }\n`)
  expect(proof).toMatchObject({
    status: 'verified',
    rest: { method: 'GET', url: expect.stringMatching(/^\/a\/\d+$/) },
    jsonrpc: { method: 'a.get' },
    old: 'accepts',
    new: expect.stringMatching(/404 Unknown operation.*-32601 Unknown operation/),
  })
})

it('a removed operation is shown by a text where its path takes any value', async () => {
  const any = get.replace('type: integer', '')
  expect(await proofsOf(`${list}, '/a/{id}': { ${any} } }\n`, `${list} }\n`)).toMatchObject([
    { rest: { method: 'GET' }, jsonrpc: { method: 'a.get' } },
  ])
})

it('a removed method is refused where the path has another one', async () => {
  const [proof] = await proofsOf(
    `paths: { '/a/{id}': { ${get}, ${drop} } }\n`,
    `paths: { '/a/{id}': { ${get} } }\n`,
  )
  expect(proof).toMatchObject({
    rest: { method: 'DELETE' },
    new: expect.stringMatching(/405 .*-32601 Unknown operation/),
  })
})

it('a call is taken by a template that matches the path of the removed operation', async () => {
  const known = 'responses: { 200: { description: Fine, content: { text/plain: {} } } }'
  const text = get.replace('integer', 'string').replace(fine, known)
  const paths = `paths: { '/a/{id}': { ${text} }`
  const [proof] = await proofsOf(
    `${paths}, /a/b: { post: { operationId: b.do, ${fine} }, get: { operationId: b.get, ${fine} } } }\n`,
    `${paths}, /a/b: { post: { operationId: b.do, ${fine} } } }\n`,
  )
  expect(proof).toMatchObject({
    status: 'verified',
    rest: { method: 'GET', url: '/a/b' },
    jsonrpc: { method: 'b.get' },
    new: expect.stringContaining('a.get takes it and answers ""'),
  })
})

it('a template refuses the path of the removed operation', async () => {
  const [proof] = await proofsOf(
    `paths: { '/a/{id}': { ${get} }, /a/me: { get: { operationId: a.me, ${fine} } } }\n`,
    `paths: { '/a/{id}': { ${get} } }\n`,
  )
  expect(proof).toMatchObject({
    rest: { method: 'GET', url: '/a/me' },
    new: expect.stringContaining('a.get refuses it: /id must be integer (REST)'),
  })
})

it('a removed name is refused although REST still serves the path', async () => {
  const proofs = await proofsOf(
    `paths: { /a: { get: { operationId: a.list, ${fine} } }, /b: { get: { operationId: b.list, ${fine} } } }\n`,
    `paths: { /b: { get: { operationId: a.list, ${fine} } } }\n`,
  )
  expect(proofs.map((proof) => 'new' in proof && proof.new)).toEqual([
    'rejects: 404 Unknown operation',
    'rejects: -32601 Unknown operation',
  ])
})

it('a removal is shown below the base path of each version', async () => {
  const server = (path: string): string => `servers: [{ url: 'https://a.example${path}' }]\n`
  const proofs = await proofsOf(
    `${server('/v1')}${list}, '/a/{id}': { ${get} } }\n`,
    `${server('/v2')}${list} }\n`,
  )
  expect(proofs).toContainEqual(
    expect.objectContaining({
      rest: expect.objectContaining({ url: expect.stringMatching(/^\/v1\/a\/\d+$/) }),
      newAddress: expect.objectContaining({ rest: expect.stringMatching(/^\/v2\/a\/\d+$/) }),
      new: expect.stringContaining('404 Unknown operation'),
    }),
  )
})

it('a required cookie whose name differs in case shows that it was added, not that another was removed', async () => {
  const cookie = (name: string): string =>
    `paths: { /a: { get: { operationId: a.get, parameters: [{ name: ${name}, in: cookie, required: true, schema: { type: string } }], ${fine} } } }\n`
  const [old, fresh] = [cookie('Sid'), cookie('sid')]
  expect(await proofsOf(old, fresh, { protocol: 'rest' })).toMatchObject([
    { status: 'verified', new: expect.stringContaining("/sid must have required property 'sid'") },
  ])
  expect(await proofsOf(old, fresh, { level: 'dangerous', protocol: 'rest' })).toMatchObject([
    { status: 'unproven' },
  ])
})

it.each([
  ['', 'dangerous'],
  [", headers: { ETag: { schema: { type: string }, x-value: '$response.body#/version' } }", 'breaking'],
] as const)('If-Match leaves a change whose path has the ETag %j', async (headers, level) => {
  const body = `{ type: object, required: [version], properties: { version: { type: string } } }`
  const read = `get: { operationId: a.get, responses: { 200: { description: Fine${headers}, content: { application/json: { schema: ${body} } } } } }`
  const paths = (parameters: string): string =>
    `paths: { /a: { ${read}, put: { operationId: a.update, ${parameters}${fine} } } }\n`
  const [old, fresh] = [
    paths('parameters: [{ name: If-Match, in: header, schema: { type: string } }], '),
    paths(''),
  ]
  expect(await proofsOf(old, fresh, { level, protocol: 'rest' })).toMatchObject([
    level === 'dangerous'
      ? { status: 'unproven' }
      : { status: 'verified', new: expect.stringContaining('412 Precondition failed: If-Match') },
  ])
})
