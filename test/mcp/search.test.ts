import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Served, serveNode } from '../../runtime/fixtures/serve.js'
import { toolsApi } from './service.js'

// The tools of this document have 5,000 bytes, so agents search them.

let served: Served
let client: Client
const connected = async (headers: Record<string, string>) => {
  const made = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  const address = new URL(`http://127.0.0.1:${served.port}/mcp`)
  await made.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }))
  return made
}
beforeAll(async () => {
  served = await serveNode(await toolsApi('x-mcp: { maxBytes: 3000 }\n'))
  client = await connected({ 'X-Api-Key': 'good' })
})
afterAll(async () => {
  await client.close()
  await served.close()
})

const ask = async (name: string, args: Record<string, unknown>) =>
  (await client.callTool({ name, arguments: args })).structuredContent

it('three tools stand for all, with the hints of the worst', async () => {
  const { tools } = await client.listTools()
  expect(tools.map(({ name, annotations }) => [name, annotations?.destructiveHint])).toEqual([
    ['call_operation', true],
    ['describe_operation', false],
    ['search_operations', false],
  ])
})

it('a search finds operations by their words, the best first', async () => {
  const { operations } = (await ask('search_operations', { query: 'list clients' })) as {
    operations: { name: string }[]
  }
  expect(operations.map(({ name }) => name)).toEqual([
    'clients_list',
    'clients_create',
    'clients_delete',
    'clients_get',
  ])
})

it('a search finds only what the credentials may call', async () => {
  const stranger = await connected({})
  const answer = await stranger.callTool({ name: 'search_operations', arguments: { query: 'clients' } })
  expect(answer.structuredContent).toMatchObject({
    operations: [{ name: 'clients_list' }, { name: 'clients_create' }],
  })
  const described = await stranger.callTool({
    name: 'describe_operation',
    arguments: { name: 'clients_get' },
  })
  expect(described).toMatchObject({ isError: true, structuredContent: { errors: [{ path: '/name' }] } })
  await stranger.close()
})

it('a description has the schemas', async () => {
  expect(await ask('describe_operation', { name: 'clients_get' })).toMatchObject({
    name: 'clients_get',
    inputSchema: { properties: { id: { type: 'integer' } }, required: ['id'] },
  })
})

it('a call is the call of the operation', async () => {
  expect(await ask('call_operation', { name: 'clients_get', arguments: { id: 2 } })).toEqual({
    id: 2,
    name: 'Bob',
  })
  expect(await ask('call_operation', { name: 'clients_get', arguments: { id: 'x' } })).toMatchObject({
    code: 'validation_failed',
    errors: [{ path: '/id', keyword: 'type' }],
  })
})

it('a name of no tool is an error of the protocol', async () => {
  await expect(client.callTool({ name: 'clients_get', arguments: { id: 1 } })).rejects.toThrow(
    'There is no tool',
  )
})

// MCP 2026-07-28, Tools, Error Handling: a model can correct arguments by a result, not by an error of the protocol.
it.each([
  ['search_operations', {}, '', 'required'],
  ['search_operations', { query: 7 }, '/query', 'type'],
  ['search_operations', { query: 'clients', x: 1 }, '/x', 'additionalProperties'],
  ['describe_operation', { name: 7 }, '/name', 'type'],
  ['describe_operation', { name: 'nope' }, '/name', 'enum'],
  ['call_operation', {}, '', 'required'],
  ['call_operation', { name: 'clients_replace', arguments: {} }, '/name', 'enum'],
  ['call_operation', { name: 'clients_get', arguments: [] }, '/arguments', 'type'],
  ['call_operation', { name: 'clients_get', id: 1 }, '/id', 'additionalProperties'],
])('%s with %j returns what is wrong', async (name, args, path, keyword) => {
  expect(await client.callTool({ name, arguments: args })).toMatchObject({
    isError: true,
    structuredContent: { code: 'validation_failed', errors: [{ path, keyword }] },
  })
})
