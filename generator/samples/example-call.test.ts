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

it('names texts of which the document says nothing, if a reader is to replace them', () => {
  const text = (more: object) => ({ type: 'string', ...more })
  const properties = {
    clientId: text({ maxLength: 20 }),
    tags: { type: 'array', minItems: 1, items: text({}) },
    short: text({ maxLength: 4 }),
    known: text({ examples: ['k'] }),
    day: text({ format: 'date' }),
    parts: { anyOf: [{ type: 'array', items: text({}) }, text({})] },
  }
  const schema = { type: 'object', required: Object.keys(properties), properties }
  const post = {
    'x-rpc-method': 'c.make',
    requestBody: { content: { 'application/json': { schema } } },
    responses: { 204: { description: 'Done' } },
  }
  expect(paramsOf({ '/c': { post } }, { named: true })).toEqual({
    'c.make': {
      ...{ clientId: 'CLIENT_ID', tags: ['TAGS'], known: 'k', parts: 'PARTS' },
      ...{ short: expect.stringMatching(/^[a-z]{1,4}$/), day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
    },
  })
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
  const cwd = mkdtempSync(join(tmpdir(), 'duet-example-call-'))
  try {
    const text = { openapi: '3.1.0', info: { title: 'C', version: '1.0.0' }, paths }
    writeFileSync(join(cwd, 'openapi.json'), JSON.stringify(text))
    const { document } = loadDocument('openapi.json', { cwd })
    const model = document && buildModel(document).model
    if (model === undefined) throw new Error('The document has errors')
    const call = exampleCalls(model, options)
    return Object.fromEntries(model.operations.map((operation) => [operation.name, call(operation).params]))
  } finally {
    rmSync(cwd, { recursive: true })
  }
}
