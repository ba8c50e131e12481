import { expect, it } from 'vitest'
import { contractOf } from '../../generator/mock/contract.js'
import { serveNode, served as untilEnd } from '../../runtime/fixtures/serve.js'
import { createApiOf } from '../../runtime/index.js'
import { generate } from '../scenarios/scenario.js'

// Documents and callers that mean harm.

const operation = (operationId: string, more: object = {}) => ({
  operationId,
  'x-mcp': true,
  responses: { 204: { description: 'Nothing' } },
  ...more,
})

async function toolsOf(paths: object, named = 'Hostile') {
  const document = { openapi: '3.1.1', info: { title: named, version: '1.0.0' }, paths }
  const { files, diagnostics } = await generate(document as never)
  const text = files.get('mcp.json')
  return {
    files,
    codes: diagnostics.map(({ code }) => code),
    tools: text === undefined ? [] : JSON.parse(text).tools,
  }
}

it('shows agents no character that a reviewer does not see', async () => {
  const hidden = 'a\u0000\u001b[31m\u202e\u200b\u{e0041}b\n\tc'
  const { tools } = await toolsOf({
    '/a': {
      get: operation('a.get', {
        summary: hidden,
        description: `${hidden}${'x'.repeat(1_000_000)}`,
        parameters: [
          { name: 'q', in: 'query', description: hidden, schema: { type: 'string', default: hidden } },
        ],
      }),
    },
  })
  const [{ title, description, inputSchema }] = tools
  expect(title).toBe('a[31mb\n\tc')
  expect(description).toBe(`a[31mb\n\tc${'x'.repeat(1_000_000)}`)
  expect(inputSchema.properties.q.description).toBe('a[31mb\n\tc')
  // A value is what the service gets.
  expect(inputSchema.properties.q.default).toBe(hidden)
})

it('names the server without such characters', async () => {
  const { files } = await toolsOf({ '/a': { get: operation('a.get') } }, '\u202eBilling\u200b')
  const server = await untilEnd(
    serveNode(createApiOf(await contractOf(files), { handlers: {}, logger: false })),
  )
  const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } }
  const { json } = await server.ask('/mcp', { method: 'POST', body })
  expect(json.result.serverInfo).toEqual({ name: 'Billing', version: '1.0.0' })
})

it('refuses a document whose operations would be the same tool', async () => {
  const { codes } = await toolsOf({ '/a': { get: operation('a.b_c') }, '/b': { get: operation('a_b.c') } })
  expect(codes).toEqual(['mcp-name-duplicate'])
})

const names = ['__proto__', 'constructor', 'toString']

async function service(seen: object[]) {
  const { files, tools } = await toolsOf({
    '/a': {
      get: operation('a.get', {
        parameters: names.map((name) => ({ name, in: 'query', schema: { type: 'string' } })),
      }),
      post: operation('a.post', {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { type: 'object', properties: { deep: {} } } } },
        },
      }),
    },
  })
  const keep = (params: object) => void seen.push(params)
  const api = createApiOf(await contractOf(files), {
    logger: false,
    handlers: { a: { get: keep, post: keep } } as never,
  })
  const server = await untilEnd(serveNode(api))
  const call = (name: string, args: string) =>
    server.ask('/mcp', {
      method: 'POST',
      body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${JSON.stringify(name)},"arguments":${args}}}`,
      headers: { 'Content-Type': 'application/json' },
    })
  return { call, tools }
}

it('takes params with the names of an object’s own members as any other', async () => {
  const seen: object[] = []
  const { call, tools } = await service(seen)
  expect(Object.keys(tools[0].inputSchema.properties)).toEqual(names)
  await call('a_get', '{"__proto__":"x","constructor":"y","toString":"z"}')
  expect(seen.map((params) => Object.entries(params))).toEqual([
    [
      ['__proto__', 'x'],
      ['constructor', 'y'],
      ['toString', 'z'],
    ],
  ])
  const { json } = await call('a_get', '{"__proto__":{"polluted":true}}')
  expect(json.result.isError).toBe(true)
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  expect((await call('__proto__', '{}')).json.error.code).toBe(-32602)
})

it('refuses arguments that nest 10,000 levels deep, or have 3 MB, before any handler', async () => {
  const seen: object[] = []
  const { call } = await service(seen)
  const deep = await call('a_post', `{"deep":${'['.repeat(10_000)}${']'.repeat(10_000)}}`)
  expect([deep.status, deep.json.error.code]).toEqual([400, -32700])
  const large = await call('a_post', `{"deep":"${'x'.repeat(3_000_000)}"}`)
  expect([large.status, large.json.error.data.code]).toEqual([413, 'payload_too_large'])
  expect(seen).toEqual([])
})
