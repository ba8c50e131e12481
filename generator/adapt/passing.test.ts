import { expect, it } from 'vitest'
import { sidesOf } from '../../test/diff/compared.js'
import { passingOf } from './passing.js'

const protocols = ['rest', 'jsonrpc', 'mcp'] as const

/** The protocols over which all calls of `get` pass, of documents with one operation. */
async function passing(...operations: readonly [old: string, fresh: string]): Promise<readonly string[]> {
  const [old = '', fresh = ''] = operations.map(
    (text) => `openapi: 3.1.1
info: { title: Shop, version: 1.0.0 }
paths: { ${text} }
`,
  )
  const [before, after] = (await sidesOf(old, fresh)).map(({ model }) => model)
  const [one, other] = [before?.operations[0], after?.operations[0]]
  if (before === undefined || after === undefined || one === undefined || other === undefined)
    throw new Error('No model')
  const passes = passingOf(before, after)
  return protocols.flatMap((protocol) => {
    const headers = passes(one, other, protocol)
    return headers === undefined ? [] : [[protocol, ...headers].join(' without ')]
  })
}

const get = (parameters: string, path = '/people', id = 'people.get') =>
  `${path}: { get: { operationId: ${id}, parameters: [${parameters}], responses: { '200': { description: d } } } }`
const limit = (maximum: number, where = 'query') =>
  `{ name: limit, in: ${where}, schema: { type: integer, maximum: ${maximum} } }`

it('calls pass if the next version accepts as many values', async () => {
  expect(await passing(get(limit(10)), get(limit(10)))).toEqual(['rest', 'jsonrpc'])
  expect(await passing(get(limit(10)), get(limit(20)))).toEqual(['rest', 'jsonrpc'])
})

it('no call passes without a try if the next version refuses some', async () => {
  expect(await passing(get(limit(10)), get(limit(9)))).toEqual([])
})

it('REST calls need a try if the next version reads another request', async () => {
  expect(await passing(get(limit(10)), get(limit(10), '/persons'))).toEqual(['jsonrpc'])
  expect(await passing(get(limit(10)), get(limit(10, 'header')))).toEqual(['jsonrpc'])
})

it('JSON-RPC calls need a try if the method has another name', async () => {
  expect(await passing(get(limit(10)), get(limit(10), '/people', 'people.find'))).toEqual(['rest'])
})

it('REST calls pass with a new query parameter if the older version refuses its name, and without a new header', async () => {
  const order = '{ name: order, in: query, schema: { type: string } }'
  const orders = '{ name: order, in: query, schema: { type: array, items: { type: string } } }'
  const header = '{ name: Order, in: header, schema: { type: string } }'
  expect(await passing(get(limit(10)), get(`${limit(10)}, ${order}`))).toEqual(['rest', 'jsonrpc'])
  expect(await passing(get(limit(10)), get(`${limit(10)}, ${orders}`))).toEqual(['jsonrpc'])
  expect(await passing(get(limit(10)), get(`${limit(10)}, ${header}`))).toEqual([
    'rest without order',
    'jsonrpc',
  ])
  const required = header.replace('in: header', 'in: header, required: true')
  expect(await passing(get(limit(10)), get(`${limit(10)}, ${required}`))).toEqual([])
})
