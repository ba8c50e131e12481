import { expect, it } from 'vitest'
import { compared, proofsOf } from '../../../test/diff/compared.js'
import { shown } from './calls/calls.js'

// A breaking change of a tool has a call that agents send, run against both versions.

const shop = (tool: string, limit: number, answer = 'type: integer') => `
paths:
  /clients:
    get:
      operationId: clients.list
      x-mcp: ${tool}
      parameters:
        - { name: limit, in: query, schema: { type: integer, maximum: ${limit} } }
        - { name: page, in: query, schema: { type: integer } }
      responses: { 200: { description: Fine, content: { application/json: { schema: { ${answer} } } } } }
`

const call = (name: string, args: object) => ({
  mcp: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
  mcpPath: '/mcp',
})

it('an argument that accepts less is shown over each protocol', async () => {
  const [proof] = await proofsOf(shop('true', 10), shop('true', 9))
  expect(proof).toMatchObject({
    status: 'verified',
    jsonrpc: { method: 'clients.list', params: { limit: 10 } },
    ...call('clients_list', { limit: 10 }),
    new: 'rejects: /limit must be <= 9',
  })
})

it.each([
  ['is removed', 'true', 'false', 'rejects: 404 Unknown operation'],
  ['is renamed', 'true', '{ name: other }', 'rejects: -32602 There is no tool "clients_list".'],
])('a tool that %s is called in vain', async (_, old, fresh, said) => {
  const [proof] = await proofsOf(shop(old, 10), shop(fresh, 10))
  expect(proof).toMatchObject({ status: 'verified', ...call('clients_list', {}), new: said })
  expect(proof).not.toHaveProperty('jsonrpc')
})

it('a change of the whole document has no agents as callers if the old version has no tools', async () => {
  const head = 'openapi: 3.1.1\ninfo: { title: Shop, version: 1.0.0 }\n'
  const scheme = 'components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }\n'
  const version = (security: string, tool: string) => `${head}${scheme}${security}${shop(tool, 10)}`
  const { changes } = await compared(version('', 'false'), version('security: [{ key: [] }]\n', 'true'))
  const protocolsOf = changes.filter(({ level }) => level === 'breaking').map(({ protocols }) => protocols)
  expect(protocolsOf).toEqual([['rest', 'jsonrpc']])
})

it('protocols that refuse a call in the same words share them', () => {
  const refusals = new Map([
    ['rest', '401 Authentication required'],
    ['jsonrpc', '-32001 Authentication required'],
    ['mcp', '-32001 Authentication required'],
  ] as const)
  expect(shown({}, refusals, [], 1).rejects).toBe(
    'rejects: 401 Authentication required (REST), -32001 Authentication required (JSON-RPC, MCP)',
  )
})

it('a param that is hidden is refused', async () => {
  const [proof] = await proofsOf(shop('true', 10), shop('{ hidden: [page] }', 10))
  expect(proof).toMatchObject({ status: 'verified', ...call('clients_list', { page: 0 }) })
})

it('a required param that is no longer fixed is missing', async () => {
  const fixing = (tool: string): string =>
    shop(tool, 10).replace('name: page, in: query', 'name: page, in: query, required: true')
  const [proof] = await proofsOf(fixing('{ fixed: { page: 1 } }'), fixing('true'))
  expect(proof).toMatchObject({ status: 'verified', ...call('clients_list', {}) })
})

it('a call has no param that the tool hides', async () => {
  const [proof] = await proofsOf(shop('{ fixed: { page: 1 } }', 10), shop('{ fixed: { page: 1 } }', 9))
  expect(proof).toMatchObject({ status: 'verified', ...call('clients_list', { limit: 10 }) })
})

it('a result that is new to agents is shown as they receive it', async () => {
  const [proof] = await proofsOf(shop('true', 10), shop('true', 10, 'type: [integer, "null"]'))
  expect(proof).toMatchObject({
    status: 'verified',
    mcp: {
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text: 'null' }], structuredContent: { result: null } },
    },
  })
})

it.each([
  ['found by search', '', 'x-mcp: { maxBytes: 10 }', call('clients_list', {}), 'clients_list'],
  [
    'listed one by one',
    'x-mcp: { maxBytes: 10 }',
    '',
    call('call_operation', { name: 'clients_list', arguments: {} }),
    'call_operation',
  ],
])('tools that are %s now are not called by their old names', async (_, old, fresh, expected, name) => {
  const [proof] = await proofsOf(old + shop('true', 10), fresh + shop('true', 10))
  expect(proof).toMatchObject({
    ...expected,
    status: 'verified',
    new: `rejects: -32602 There is no tool "${name}".`,
  })
})
