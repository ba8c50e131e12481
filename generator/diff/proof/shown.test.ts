import { describe, expect, it } from 'vitest'
import { proofsOf } from '../../../test/diff/compared.js'
import type { Proof } from '../change/change.js'
import type { Level } from '../change/level.js'

const fine = 'responses: { 200: { description: Fine } }'

it('a call without credentials shows that it is no longer let in', async () => {
  const secured = (security: string): string =>
    `security: ${security}\npaths: { /a: { get: { operationId: a.get, ${fine} } } }\n` +
    'components: { securitySchemes: { k: { type: apiKey, in: header, name: X-Key } } }\n'
  const [proof] = await proofsOf(secured('[{ k: [] }, {}]'), secured('[{ k: [] }]'))
  expect(proof).toMatchObject({ status: 'verified', old: 'accepts', rest: { method: 'GET', url: '/a' } })
  expect(JSON.stringify(proof)).not.toContain('x-key')
})

describe('a call that another operation takes', () => {
  const operation = (name: string, schema: string): string =>
    `{ post: { x-rpc-method: ${name}, responses: { 200: { description: Fine, content: { application/json: { schema: ${schema} } } } } } }`
  const exchanged = (start: string, stop: string, level?: Level): Promise<Proof[]> => {
    const [one, other] = [operation('a.start', start), operation('a.stop', stop)]
    const old = `paths: { /on: ${one}, /off: ${other} }\n`
    return proofsOf(old, `paths: { /on: ${other}, /off: ${one} }\n`, level && { level })
  }

  it('shows that two paths were exchanged, by answers that callers do not know', async () => {
    const proofs = await exchanged('{ const: 1 }', '{ const: 2 }')
    expect(proofs.map((proof) => 'new' in proof && proof.new).sort()).toEqual([
      'rejects: a.start takes it and answers 1',
      'rejects: a.stop takes it and answers 2',
    ])
  })

  it('shows nothing where callers know each of its answers', async () => {
    const [proof] = await exchanged('{ type: integer }', '{ type: integer }', 'dangerous')
    expect(proof).toEqual({
      status: 'unproven',
      reason: 'over REST a.stop takes it, and no response was found that callers do not know',
    })
  })
})

it('a call shows that a property must not be sent any more', async () => {
  const body = (property: string): string =>
    `paths: { /a: { post: { operationId: a.do, requestBody: { content: { application/json: {
      schema: { type: object, properties: { n: ${property} } } } } }, ${fine} } } }\n`
  const [proof] = await proofsOf(body('{ type: string }'), body('{ type: string, readOnly: true }'))
  expect(proof).toMatchObject({ status: 'verified', value: { n: '' } })
  expect(proof).toMatchObject({ rest: { method: 'POST' }, jsonrpc: { method: 'a.do', params: { n: '' } } })
})

it('a body shows that one part of its allOf keeps a property out', async () => {
  const body = (id: string): string =>
    `paths: { /a: { post: { operationId: a.do, requestBody: { required: true, content: { application/json: { schema: {
      allOf: [{ type: object, properties: { id: ${id} } }, { type: object, properties: { id: { type: string } } }] } } } },
      ${fine} } } }\n`
  const [proof] = await proofsOf(body('{ type: string }'), body('{ type: string, readOnly: true }'))
  expect(proof).toMatchObject({ status: 'verified', new: 'rejects: /id must not be sent: it is read-only' })
})

it.each([
  ['application/jsonl', 'itemSchema', '{"n":0}\n'],
  ['application/x-ndjson', 'schema', '{"n":0}\n'],
  ['text/event-stream', 'schema', 'data: {"n":0}\n\n'],
])(
  'a piece of %s by its %s shows in both protocols that pieces are of another type',
  async (media, key, body) => {
    const stream = (type: string): string =>
      `paths: { /a: { get: { operationId: a.get, responses: { 200: { description: Fine, content: {
      ${media}: { ${key}: { type: object, properties: { n: { type: ${type} } } } } } } } } } }\n`
    const [proof] = await proofsOf(stream('string'), stream('integer'), { version: '3.2.0' })
    expect(proof).toMatchObject({
      status: 'verified',
      rest: { headers: { 'content-type': media }, body },
      jsonrpc: { result: body },
    })
  },
)

it('a piece of a stream next to a file is shown as the service sends it over JSON-RPC: as base64', async () => {
  const stream = (type: string): string =>
    `paths: { /a: { get: { operationId: a.get, responses: { 200: { description: Fine, content: {
      text/event-stream: { itemSchema: { type: object, properties: { n: { type: ${type} } } } },
      application/pdf: {} } } } } } }\n`
  const [proof] = await proofsOf(stream('string'), stream('integer'), { version: '3.2.0' })
  const text = 'data: {"n":0}\n\n'
  expect(proof).toMatchObject({ rest: { body: text }, jsonrpc: { result: btoa(text) } })
})

it('no piece shows the change of a stream that the service does not write next to another one', async () => {
  const stream = (type: string): string =>
    `paths: { /a: { get: { operationId: a.get, responses: { 200: { description: Fine, content: {
      text/event-stream: { itemSchema: {} },
      application/jsonl: { itemSchema: { type: object, properties: { n: { type: ${type} } } } } } } } } } }\n`
  const [proof] = await proofsOf(stream('string'), stream('integer'), { version: '3.2.0' })
  expect(proof).toMatchObject({ status: 'unproven' })
})

it.each([
  ['image/*', 'image/png', 'image/jpeg'],
  ['image/*', 'image/jpeg', 'image/png'],
])('a body of a range, %s, is shown with a type that %s leaves out', async (range, type, sent) => {
  const taking = (media: string): string =>
    `paths: { /a: { put: { operationId: a.put, requestBody: { required: true, content: { ${media}: {} } },
      responses: { 204: { description: Fine } } } } }\n`
  expect(await proofsOf(taking(range), taking(type), { protocol: 'rest' })).toMatchObject([
    { status: 'verified', rest: { headers: { 'content-type': sent } } },
  ])
})

it.each([
  ['image/png', 'image/*', 'image/jpeg'],
  ['image/*', 'audio/*', 'audio/mpeg'],
  ['image/*', 'model/*', 'model/x.sample'],
])('a file of %s that becomes one of %s is shown with a type of the new range', async (was, type, sent) => {
  const giving = (media: string): string =>
    `paths: { /a: { get: { operationId: a.get, responses: { 200: { description: Fine, content: { ${media}: {} } } } } } }\n`
  expect(await proofsOf(giving(was), giving(type), { protocol: 'rest' })).toMatchObject([
    { old: `rejects: the media type ${sent} is not declared`, rest: { headers: { 'content-type': sent } } },
  ])
})

it('a piece of a body shows nothing, because the service reads the body as one text', async () => {
  const lines = (required: string): string =>
    `paths: { /a: { post: { operationId: a.do, requestBody: { required: true, content: { application/jsonl: {
      itemSchema: { type: object, required: [${required}], properties: { b: { type: string } } } } } }, ${fine} } } }\n`
  expect(await proofsOf(lines(''), lines('b'), { version: '3.2.0' })).toEqual([
    { status: 'unproven', reason: expect.stringContaining('takes the body as one text and checks no piece') },
  ])
})

it('a body with a text shows that its media type is not taken any more', async () => {
  const body = (type: string): string =>
    `paths: { /a: { post: { operationId: a.do, x-rpc-method: false, requestBody: { required: true, content: {
      ${type}: {} } }, ${fine} } } }\n`
  const proofs = await proofsOf(body('text/plain'), body('application/octet-stream'))
  expect(proofs).toMatchObject([
    { rest: { body: 'a' }, new: expect.stringContaining('415 Unsupported media type') },
  ])
})

it('a call over REST shows what arrives as another param there, and the same param is missing over JSON-RPC', async () => {
  const list = (parameters: string): string =>
    `paths: { /a: { get: { operationId: a.list, parameters: [${parameters}], ${fine} } } }\n`
  const object = '{ name: f, in: query, schema: { type: object, additionalProperties: { type: integer } } }'
  const old = list(`${object}, { name: n, in: query, schema: { type: string } }`)
  const proofs = await proofsOf(old, list(object))
  expect(proofs.map((proof) => 'new' in proof && proof.new)).toEqual([
    'rejects: /f/n must be integer',
    'rejects: /n must NOT have additional properties',
  ])
})

it('says what both versions accepting a call does not tell', async () => {
  const secured = (scopes: string): string =>
    `security: [{ b: [${scopes}] }]\npaths: { /a: { get: { operationId: a.get, ${fine} } } }\n` +
    'components: { securitySchemes: { b: { type: oauth2, flows: {} }, c: { type: oauth2, flows: {} } } }\n'
  const [proof] = await proofsOf(secured('read'), secured('read').replace('{ b:', '{ c:'), {
    level: 'breaking',
  })
  expect(proof).toMatchObject({
    reason:
      'both versions accept it over REST; both versions accept it over JSON-RPC; which scopes a credential was granted no call shows',
  })
})

it('says that no call shows a change of a child that a base does not list', async () => {
  const version = (required: string): string =>
    `paths: { /a: { post: { operationId: a.do, requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }, ${fine} } } }
components:
  schemas:
    Pet: { type: object, properties: { k: { type: string } }, discriminator: { propertyName: k } }
    Cat: { allOf: [{ $ref: '#/components/schemas/Pet' }, { type: object, required: [${required}], properties: { m: {} } }] }
`
  const [proof] = await proofsOf(version(''), version('m'), { level: 'breaking' })
  expect(proof).toEqual({
    status: 'unproven',
    reason:
      'validators check the base alone, whatever child its discriminator names, so no request or response shows the change',
  })
})

it('shows that bytes became a text by a text that is no base64', async () => {
  const answers = (content: string): string =>
    `paths: { /a: { get: { operationId: a.get, responses: { 200: { description: Fine, content: { ${content} } } } } } }\n`
  const [proof] = await proofsOf(
    answers('application/octet-stream: {}'),
    answers('text/plain: { schema: { type: string } }'),
  )
  // One letter is the shortest text that is not base64.
  const old = expect.stringContaining('a Blob')
  expect(proof).toMatchObject({ jsonrpc: { result: 'a' }, old })
  // If the operation also returns bytes, texts are base64 as well.
  const text = 'text/plain: { schema: { type: string } }'
  const [beside] = await proofsOf(answers(`${text}, application/pdf: {}`), answers(text), {
    protocol: 'jsonrpc',
  })
  expect(beside).toMatchObject({ jsonrpc: { result: expect.stringMatching(/[^A-Za-z0-9+/=]/) }, old })
})

it('shows that a property left an exploded object over REST, where it is a query name', async () => {
  const list = (properties: string): string =>
    `paths: { /a: { get: { operationId: a.list, parameters: [{ name: p, in: query, schema: {
      type: object, properties: { ${properties} } } }], ${fine} } } }\n`
  const proofs = await proofsOf(
    list('a: { type: string }, b: { type: integer }'),
    list('a: { type: string }'),
  )
  expect(proofs).toMatchObject([
    { rest: { url: '/a?b=0' }, new: 'rejects: /b must NOT have additional properties' },
  ])
})

it('sends a form with a field to show that forms are not taken any more', async () => {
  const body = (type: string): string =>
    `paths: { /a: { post: { operationId: a.do, requestBody: { required: true, content: { ${type}: {
      schema: { type: object, properties: { a: { type: integer } } } } } }, ${fine} } } }\n`
  const proofs = await proofsOf(body('application/x-www-form-urlencoded'), body('application/json'))
  expect(proofs).toMatchObject([{ rest: { body: 'a=0' }, new: expect.stringContaining('415') }])
})

it('sends the old credential to show that a security scheme takes another one', async () => {
  const secured = (scheme: string): string =>
    `security: [{ k: [] }]\npaths: { /a: { get: { operationId: a.get, ${fine} } } }\n` +
    `components: { securitySchemes: { k: { ${scheme} } } }\n`
  const key = 'type: apiKey, in: header, name'
  for (const [old, fresh, header] of [
    [`${key}: X-Key`, `${key}: X-Other`, 'x-key'],
    [`${key}: X-Key`, 'type: apiKey, in: query, name: key', 'x-key'],
    ['type: http, scheme: bearer', 'type: http, scheme: basic', 'authorization'],
    [`${key}: X-Key`, 'type: http, scheme: bearer', 'x-key'],
  ] as const) {
    const proofs = await proofsOf(secured(old), secured(fresh))
    expect(proofs).toMatchObject([
      {
        status: 'verified',
        operation: 'a.get',
        rest: { url: '/a', headers: { [header]: expect.any(String) } },
        jsonrpc: { method: 'a.get' },
        new: expect.stringContaining('401'),
      },
    ])
  }
})

it('a call without the new name shows that a param was renamed next to an open body', async () => {
  const path = (name: string): string =>
    `paths: { '/a/{${name}}': { post: { operationId: a.do, parameters: [{ in: path, name: ${name}, required: true, schema: { type: string } }],
      requestBody: { required: true, content: { application/json: { schema: { type: object, properties: { a: { type: string } } } } } }, ${fine} } } }\n`
  expect(await proofsOf(path('old'), path('new'))).toMatchObject([
    { jsonrpc: { params: { old: '' } }, new: "rejects: /new must have required property 'new'" },
  ])
})

it('a name without a value shows that a parameter may no longer be left empty', async () => {
  const query = (more: string): string =>
    `paths: { /a: { get: { operationId: a.get, parameters: [{ in: query, name: p, schema: { type: integer }${more} }], ${fine} } } }\n`
  expect(await proofsOf(query(', allowEmptyValue: true'), query(''))).toMatchObject([
    { rest: { url: '/a?p=' }, new: 'rejects: /p must be integer' },
  ])
})

it('a text that arrives as base64 next to bytes shows nothing to callers of JSON-RPC, who have had base64', async () => {
  const answers = (content: string): string =>
    `paths: { /a: { get: { operationId: a.get, responses: {
      200: { description: File, content: { application/pdf: {} } },
      201: { description: Other, content: { ${content} } } } } } }\n`
  const proofs = await proofsOf(
    answers('application/json: { schema: { type: object } }'),
    answers('text/plain: {}'),
  )
  expect(proofs.filter((proof) => 'jsonrpc' in proof)).toEqual([])
})
