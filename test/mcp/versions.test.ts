import { describe, expect, it } from 'vitest'
import { contractOf } from '../../generator/mock/contract.js'
import { serveExpress, serveFetch, serveNode, served as untilEnd } from '../../runtime/fixtures/serve.js'
import { createVersions } from '../../runtime/index.js'
import { generate } from '../scenarios/scenario.js'

// MCP alone for several versions: 1.0.0 without tools, 1.1.0 with one, 2.0.0 with two, of which one has another name.

const versionOf = async (version: string, paths: object) => {
  const { files, diagnostics } = await generate({
    openapi: '3.1.1',
    info: { title: 'Notes', version },
    paths,
  } as never)
  expect(diagnostics).toEqual([])
  return { contract: await contractOf(files) }
}

const operation = (operationId: string, mcp: object | boolean, member: string) => ({
  operationId,
  summary: operationId,
  'x-mcp': mcp,
  responses: {
    200: {
      description: 'A note',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            additionalProperties: false,
            required: [member],
            properties: { [member]: { type: 'string' } },
          },
        },
      },
    },
  },
})

const versions = createVersions<object>({
  logger: false,
  versions: [
    await versionOf('1.0.0', { '/note': { get: operation('notes.get', false, 'text') } }),
    await versionOf('1.1.0', { '/note': { get: operation('notes.get', true, 'text') } }),
    await versionOf('2.0.0', {
      '/note': { get: operation('notes.get', { name: 'read_note' }, 'body') },
      '/last': { get: operation('notes.last', true, 'body') },
    }),
  ],
  handlers: { notes: { get: () => ({ body: 'Milk' }), last: () => ({ body: 'Bread' }) } },
  adapters: {
    '1.0.0': { 'notes.get': 'identity' },
    '1.1.0': { 'notes.get': { result: ({ body }: { body: string }) => ({ text: body }) } },
  },
})

describe.each([
  ['node:http', () => serveNode(versions.mcp())],
  ['Express below a mount', () => serveExpress(versions.mcp(), { mount: '/agents' })],
  ['fetch', () => serveFetch(versions.mcp())],
])('createVersions(...).mcp() under %s', (_, serve) => {
  const start = () => untilEnd(serve())
  type Server = Awaited<ReturnType<typeof start>>
  const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params })
  const ask = (server: Server, path: string, method: string, params?: object, headers = {}) =>
    server.ask(path, { method: 'POST', body: message(method, params), headers })

  it.each<[string, Record<string, string>, string, string[]]>([
    ['/1.1.0', {}, '1.1.0', ['notes_get']],
    ['/v1', {}, '1.1.0', ['notes_get']],
    ['/2.0.0', {}, '2.0.0', ['notes_last', 'read_note']],
    ['/', {}, '2.0.0', ['notes_last', 'read_note']],
    ['/', { 'API-Version': '1.1.0' }, '1.1.0', ['notes_get']],
  ])('lists at %s with %j the tools of %s, which the answer names', async (path, headers, version, names) => {
    const server = await start()
    const { json, headers: answered } = await ask(server, path, 'tools/list', {}, headers)
    expect(json.result.tools.map(({ name }: { name: string }) => name)).toEqual(names)
    expect(answered['api-version']).toBe(version)
    const { json: begun } = await ask(server, path, 'initialize', { protocolVersion: '2025-11-25' }, headers)
    expect(begun.result.serverInfo).toEqual({ name: 'Notes', version })
  })

  it('calls the tool of the version that the request chooses', async () => {
    const server = await start()
    const call = (path: string, name: string) => ask(server, path, 'tools/call', { name, arguments: {} })
    expect((await call('/1.1.0', 'notes_get')).json.result.structuredContent).toEqual({ text: 'Milk' })
    expect((await call('/2.0.0', 'read_note')).json.result.structuredContent).toEqual({ body: 'Milk' })
    expect((await call('/1.1.0', 'read_note')).json.error.code).toBe(-32602)
    expect((await call('/1.1.0', 'notes_last')).json.error.code).toBe(-32602)
  })

  it('has no tools in a version whose document has none, and no version that does not exist', async () => {
    const server = await start()
    expect((await ask(server, '/1.0.0', 'tools/list')).status).toBe(404)
    const unknown = await ask(server, '/', 'tools/list', {}, { 'API-Version': '3.0.0' })
    expect(unknown.json.error.data).toMatchObject({
      ...{ code: 'unknown_operation', detail: expect.stringContaining('3.0.0') },
    })
    const two = await ask(server, '/1.1.0', 'tools/list', {}, { 'API-Version': '2.0.0' })
    expect(two.json.error.data.code).toBe('invalid_request')
  })
})

it('has no MCP if no version has a tool', async () => {
  const plain = createVersions<object>({
    logger: false,
    versions: [await versionOf('1.0.0', { '/note': { get: operation('notes.get', false, 'text') } })],
    handlers: { notes: { get: () => ({ text: 'Milk' }) } },
    adapters: {},
  })
  expect(() => plain.mcp()).toThrow('No operation of the document is a tool of MCP: add x-mcp: true')
})
