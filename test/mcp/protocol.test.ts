import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Served,
  type ServedResponse,
  serveExpress,
  serveFetch,
  serveNode,
} from '../../runtime/fixtures/serve.js'
import { toolsApi } from './service.js'

// MCP 2026-07-28 (Base Protocol, Transports, Tools), and what it says of older revisions.

const revision = '2026-07-28'
const meta = {
  'io.modelcontextprotocol/protocolVersion': revision,
  'io.modelcontextprotocol/clientCapabilities': {},
}
const key = { 'X-Api-Key': 'good' }

const api = await toolsApi()
const servers = [
  ['node:http', () => serveNode(api)],
  ['Express', () => serveExpress(api)],
  ['fetch', () => serveFetch(api)],
  ['api.mcp() below a mount', () => serveExpress(api.mcp(), { mount: '/agents' })],
] as const

describe.each(servers)('MCP under %s', (name, serve) => {
  let served: Served
  beforeAll(async () => {
    served = await serve()
  })
  afterAll(() => served.close())
  const path = name.includes('mount') ? '/' : '/mcp'

  interface Sent {
    readonly headers?: Record<string, string>
    readonly meta?: object
    readonly id?: unknown
  }

  const post = (body: unknown, headers: Record<string, string> = {}): Promise<ServedResponse> =>
    served.ask(path, { method: 'POST', body, headers: { 'Content-Type': 'application/json', ...headers } })

  /** A request of the current revision, with the headers that it needs. */
  function current(method: string, params: object = {}, { headers = {}, id = 1, ...sent }: Sent = {}) {
    const named = 'name' in params && typeof params.name === 'string' ? { 'Mcp-Name': params.name } : {}
    return post(
      { jsonrpc: '2.0', id, method, params: { ...params, _meta: sent.meta ?? meta } },
      { 'MCP-Protocol-Version': revision, 'Mcp-Method': method, ...named, ...headers },
    )
  }

  const fault = ({ status, json }: ServedResponse) => [status, json.error.code]

  it('discovers', async () => {
    const { status, json } = await current('server/discover')
    expect([status, json]).toEqual([
      200,
      {
        jsonrpc: '2.0',
        id: 1,
        result: {
          resultType: 'complete',
          supportedVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
          capabilities: { tools: {} },
          ttlMs: 300_000,
          cacheScope: 'public',
          _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'Tools', version: '1.0.0' } },
        },
      },
    ])
  })

  it('lists what the credentials may call, for one caller alone', async () => {
    const names = async (headers: Record<string, string>) => {
      const { json } = await current('tools/list', {}, { headers })
      return [json.result.cacheScope, json.result.tools.length, json.result.tools.some(isSecured)]
    }
    const isSecured = (tool: { name: string }) => tool.name === 'clients_get'
    expect(await names({})).toEqual(['private', 10, false])
    expect(await names(key)).toEqual(['private', 12, true])
  })

  it.each([revision, '2025-11-25'])('lists nothing for a wrong key, which is a 401: %s', async (stated) => {
    const answer =
      stated === revision
        ? await current('tools/list', {}, { headers: { 'X-Api-Key': 'bad' } })
        : await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, { 'X-Api-Key': 'bad' })
    expect([...fault(answer), answer.json.error.data.code]).toEqual([401, -32001, 'invalid_api_key'])
    expect(answer.headers['www-authenticate']).toBe('ApiKey realm="Tools"')
  })

  it('lists the same bytes each time', async () => {
    const [first, second] = [await current('tools/list'), await current('tools/list')]
    expect(first.text).toBe(second.text)
  })

  it('has one page', async () => {
    expect(fault(await current('tools/list', { cursor: '' }))).toEqual([200, -32602])
  })

  it('returns the problem of a failed call to programs, and a text to the model', async () => {
    const { status, json } = await current(
      'tools/call',
      { name: 'clients_get', arguments: { id: 9 } },
      { headers: key },
    )
    expect([status, json.result]).toMatchObject([
      200,
      {
        resultType: 'complete',
        isError: true,
        content: [{ type: 'text', text: 'Not found (not_found): No client 9.' }],
        structuredContent: { code: 'not_found', status: 404, detail: 'No client 9.' },
      },
    ])
  })

  it('refuses a number that a double does not hold', async () => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"clients_list","arguments":{"limit":20.000000000000000000001},"_meta":${JSON.stringify(meta)}}}`
    const headers = {
      'MCP-Protocol-Version': revision,
      'Mcp-Method': 'tools/call',
      'Mcp-Name': 'clients_list',
    }
    const { json } = await post(body, headers)
    expect(json.result.structuredContent.errors).toMatchObject([{ path: '/limit', keyword: 'exact' }])
  })

  it('answers a refused call in 16 KiB', async () => {
    const args = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`${n}${'é'.repeat(200)}`, n]))
    const call = { name: 'clients_list', arguments: args }
    const { text, json } = await current('tools/call', call, { headers: key })
    expect(json.result.isError).toBe(true)
    expect(Buffer.byteLength(text)).toBeLessThan(16 * 1024)
  })

  it.each([undefined, { 'X-Api-Key': 'bad' }])('asks for credentials with a 401: %j', async (headers) => {
    const answer = await current(
      'tools/call',
      { name: 'clients_get', arguments: { id: 1 } },
      headers && { headers },
    )
    expect([...fault(answer), answer.headers['www-authenticate']]).toEqual([
      401,
      -32001,
      'ApiKey realm="Tools"',
    ])
  })

  it.each([
    ['an unknown tool', { name: 'clients.get' }],
    ['an operation that is no tool', { name: 'clients_replace' }],
    ['no name', {}],
    ['arguments that are a list', { name: 'clients_list', arguments: [] }],
  ])('%s is an error of the protocol', async (_, params) => {
    expect(fault(await current('tools/call', params))).toEqual([200, -32602])
  })

  it.each(['initialize', 'ping', 'prompts/list', 'resources/list', 'logging/setLevel', 'nope'])(
    'has no method %s',
    async (method) => {
      const answer = await current(method, {}, { id: 'x' })
      expect([...fault(answer), answer.json.id]).toEqual([404, -32601, 'x'])
    },
  )

  it('needs the envelope', async () => {
    const part = { 'io.modelcontextprotocol/protocolVersion': revision }
    for (const sent of [{}, part, { ...meta, 'io.modelcontextprotocol/clientCapabilities': 7 }])
      expect(fault(await current('tools/list', {}, { meta: sent }))).toEqual([400, -32602])
  })

  it.each([
    ['another revision', { 'MCP-Protocol-Version': '2025-11-25' }],
    ['another method', { 'Mcp-Method': 'tools/list' }],
    ['another name', { 'Mcp-Name': 'clients_get' }],
    ['broken base64', { 'Mcp-Name': '=?base64?Y2xpZW50c19saXN0=?=' }],
  ])('refuses a header with %s', async (_, headers) => {
    expect(fault(await current('tools/call', { name: 'clients_list' }, { headers }))).toEqual([400, -32020])
  })

  it('reads a header in base64', async () => {
    const headers = { 'Mcp-Name': `=?base64?${btoa('clients_list')}?=` }
    const { json } = await current('tools/call', { name: 'clients_list' }, { headers })
    expect(json.result.isError).toBeUndefined()
  })

  it.each(['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'])('needs the header %s', async (missing) => {
    const all = { 'MCP-Protocol-Version': revision, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'clients_list' }
    const headers = Object.fromEntries(Object.entries(all).filter(([header]) => header !== missing))
    const params = { name: 'clients_list', _meta: meta }
    const answer = await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers)
    expect(fault(answer)).toEqual([400, -32020])
  })

  it('names the revisions that it knows', async () => {
    const answer = await current(
      'tools/list',
      {},
      {
        headers: { 'MCP-Protocol-Version': '2030-01-01' },
        meta: { ...meta, 'io.modelcontextprotocol/protocolVersion': '2030-01-01' },
      },
    )
    expect(fault(answer)).toEqual([400, -32022])
    expect(answer.json.error.data).toMatchObject({
      requested: '2030-01-01',
      supported: [revision, '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
    })
  })

  it.each([
    ['not JSON', '{', 400, -32700],
    ['a list', [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }], 400, -32600],
    ['a text', '"x"', 400, -32600],
    ['null as id', { jsonrpc: '2.0', id: null, method: 'tools/list', params: { _meta: meta } }, 400, -32600],
    [
      'another jsonrpc',
      { jsonrpc: '1.0', id: 1, method: 'tools/list', params: { _meta: meta } },
      400,
      -32600,
    ],
    ['no method', { jsonrpc: '2.0', id: 1, params: { _meta: meta } }, 400, -32600],
  ])('refuses %s', async (_, body, status, code) => {
    const answer = await post(body, { 'MCP-Protocol-Version': revision })
    expect([...fault(answer), 'id' in answer.json && answer.json.id === null]).toEqual([status, code, false])
  })

  it('accepts a notification and says nothing', async () => {
    const params = { requestId: 1, _meta: meta }
    const { status, text } = await post({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
    expect([status, text]).toEqual([202, ''])
  })

  it.each(['tools/call', 'nope'])('refuses %s without an id', async (method) => {
    const params = { name: 'clients_list', _meta: meta }
    const answer = await post({ jsonrpc: '2.0', method, params })
    expect([...fault(answer), 'id' in answer.json]).toEqual([400, -32600, false])
  })

  it.each(['GET', 'DELETE', 'PUT'])('answers %s with 405', async (method) => {
    const { status, headers } = await served.ask(path, { method })
    expect([status, headers.allow]).toEqual([405, 'POST'])
  })

  it('refuses pages of other sites', async () => {
    const from = async (Origin: string) => (await current('tools/list', {}, { headers: { Origin } })).status
    expect(
      await Promise.all(
        ['https://evil.example', 'null', 'http://localhost:3000', 'http://127.0.0.1'].map(from),
      ),
    ).toEqual([403, 403, 200, 200])
  })

  describe('of an older revision', () => {
    const older = (method: string, params: object = {}, headers: Record<string, string> = {}) =>
      post({ jsonrpc: '2.0', id: 1, method, params }, headers)

    it.each([
      ['2025-11-25', '2025-11-25'],
      ['2025-03-26', '2025-03-26'],
      ['2024-11-05', '2024-11-05'],
      ['2023-01-01', '2025-11-25'],
    ])('a client of %s talks as of %s, without a session', async (protocolVersion, expected) => {
      const { json, headers } = await older('initialize', {
        protocolVersion,
        capabilities: {},
        clientInfo: {},
      })
      expect(json.result).toEqual({
        protocolVersion: expected,
        capabilities: { tools: {} },
        serverInfo: { name: 'Tools', version: '1.0.0' },
      })
      expect(headers['mcp-session-id']).toBeUndefined()
    })

    it('it has ping, and errors have the status 200', async () => {
      expect((await older('ping')).json).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
      expect(fault(await older('nope'))).toEqual([200, -32601])
    })

    it('it may batch only under 2025-03-26', async () => {
      const calls = [
        { jsonrpc: '2.0', id: 1, method: 'ping' },
        { jsonrpc: '2.0', method: 'notifications/initialized' },
        { jsonrpc: '2.0', id: 2, method: 'nope' },
      ]
      expect((await post(calls)).json).toMatchObject([
        { id: 1, result: {} },
        { id: 2, error: { code: -32601 } },
      ])
      expect(fault(await post(calls, { 'MCP-Protocol-Version': '2025-06-18' }))).toEqual([400, -32600])
    })

    it('an unknown revision is refused', async () => {
      const answer = await older('tools/list', {}, { 'MCP-Protocol-Version': '2025-01-01' })
      expect(fault(answer)).toEqual([400, -32022])
      expect(answer.json.error.data.requested).toBe('2025-01-01')
    })
  })
})
