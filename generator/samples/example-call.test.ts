import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadDocument } from '../load/load.js'
import { buildModel } from '../model/build/build.js'
import { exampleCalls } from './example-call.js'

it('has what is required, one item of each list, and at least one field of the body, unless for a form', () => {
  const line = {
    type: 'object',
    required: ['sku'],
    properties: { sku: { const: 'a' }, note: { const: 'b' } },
  }
  const order = {
    type: 'object',
    required: ['lines'],
    properties: { comment: { const: 'c' }, lines: { type: 'array', items: line } },
  }
  const bodyOf = (schema: object) => ({ content: { 'application/json': { schema } } })
  const responses = { 204: { description: 'Done' } }
  const post = { 'x-rpc-method': 'orders.create', requestBody: bodyOf(order), responses }
  const patch = {
    'x-rpc-method': 'orders.update',
    requestBody: bodyOf({ properties: order.properties, type: 'object' }),
    responses,
  }
  expect(paramsOf({ '/orders': { post, patch } })).toEqual({
    'orders.create': { lines: [{ sku: 'a' }] },
    'orders.update': { comment: 'c' },
  })
  expect(paramsOf({ '/orders': { patch } }, { named: true })).toEqual({ 'orders.update': {} })
})

it('has the path param if an optional query parameter shares its name', () => {
  const schema = { type: 'integer', minimum: 7, maximum: 7 }
  const parameters = [
    { name: 'id', in: 'path', required: true, schema },
    { name: 'id', in: 'query', schema },
    { name: 'other', in: 'query', schema },
  ]
  const get = { 'x-rpc-method': 'c.get', parameters, responses: { 204: { description: 'Done' } } }
  expect(paramsOf({ '/c/{id}': { get } })).toEqual({ 'c.get': { id: 7 } })
})

it('has a name for all that the document has no value of, if a reader is to enter it', () => {
  const properties = {
    clientId: { type: 'string', maxLength: 4 },
    day: { type: 'string', format: 'date' },
    count: { type: 'integer', minimum: 7 },
    isNew: { type: 'boolean' },
    size: { enum: ['a', 'b'] },
    order: { oneOf: [{ const: 'asc' }, { const: 'desc' }] },
    parts: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }] },
    tags: { type: 'array', minItems: 2, uniqueItems: true, items: { type: 'number' } },
    owner: { type: 'object', required: ['age'], properties: { age: { type: 'integer' } } },
    free: { type: 'object' },
    anything: true,
    名: { type: 'string' },
    known: { type: 'string', examples: ['k'] },
    usual: { type: 'integer', default: 3 },
    fixed: { const: 4 },
    only: { enum: ['o'] },
    maybe: { type: ['integer', 'null'] },
  }
  const schema = { type: 'object', required: Object.keys(properties), properties }
  const post = {
    'x-rpc-method': 'c.make',
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { 204: { description: 'Done' } },
  }
  const open = {
    ...{ clientId: 'CLIENT_ID', day: 'DAY', count: 'COUNT', isNew: 'IS_NEW', size: 'SIZE', order: 'ORDER' },
    ...{ parts: 'PARTS', tags: ['TAGS', 'TAGS'], owner: { age: 'AGE' }, free: 'FREE', anything: 'ANYTHING' },
    ...{ 名: 'VALUE', maybe: 'MAYBE' },
  }
  const known = { known: 'k', usual: 3, fixed: 4, only: 'o' }
  const [call] = callsOf({ '/c': { post } }, { named: true })
  expect(call?.params).toEqual({ ...open, ...known })
  const atOnce = Object.keys(open).filter((name) => !['tags', 'owner'].includes(name))
  const pointers = [...atOnce.map((name) => `/${name}`), '/tags/0', '/tags/1', '/owner/age']
  expect([...(call?.open ?? [])].sort()).toEqual(pointers.sort())
})

it('has of a body that may be left out what the document has an example of, if a reader is to enter it', () => {
  const schema = { type: 'object', required: ['n'], properties: { n: { type: 'string' } } }
  const bodyOf = (more: object) => ({ content: { 'application/json': { schema, ...more } } })
  const responses = { 204: { description: 'Done' } }
  const post = { 'x-rpc-method': 'a.add', requestBody: bodyOf({}), responses }
  const put = { 'x-rpc-method': 'a.put', requestBody: bodyOf({ example: { n: 'e' } }), responses }
  expect(paramsOf({ '/a': { post, put } }, { named: true })).toEqual({ 'a.add': {}, 'a.put': { n: 'e' } })
})

it('chooses no value of an enumeration, if a reader is to, unless the document has one', () => {
  const choice = (more: object = {}) => ({ type: 'string', enum: ['a', 'b', 'c'], ...more })
  const properties = {
    theSize: choice(),
    shown: choice({ examples: ['c'] }),
    only: { enum: ['a'] },
    level: { type: 'integer', enum: [1, 2] },
  }
  const schema = { type: 'object', required: Object.keys(properties), properties }
  const post = {
    'x-rpc-method': 'c.make',
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { 204: { description: 'Done' } },
  }
  const known = { shown: 'c', only: 'a' }
  const open = { ...known, theSize: 'THE_SIZE', level: 'LEVEL' }
  expect(paramsOf({ '/c': { post } }, { named: true })).toEqual({ 'c.make': open })
  const made = { ...known, theSize: expect.stringMatching(/^[abc]$/), level: expect.any(Number) }
  expect(paramsOf({ '/c': { post } })).toEqual({ 'c.make': made })
})

/** The params of each operation's example, by name. */
function paramsOf(paths: object, options?: Parameters<typeof exampleCalls>[1]): object {
  return Object.fromEntries(callsOf(paths, options).map(({ name, params }) => [name, params]))
}

function callsOf(paths: object, options?: Parameters<typeof exampleCalls>[1]) {
  const cwd = mkdtempSync(join(tmpdir(), 'duet-example-call-'))
  try {
    const text = { openapi: '3.1.0', info: { title: 'C', version: '1.0.0' }, paths }
    writeFileSync(join(cwd, 'openapi.json'), JSON.stringify(text))
    const { document } = loadDocument('openapi.json', { cwd })
    const model = document && buildModel(document).model
    if (model === undefined) throw new Error('The document has errors')
    const call = exampleCalls(model, options)
    return model.operations.map((operation) => ({ name: operation.name, ...call(operation) }))
  } finally {
    rmSync(cwd, { recursive: true })
  }
}
