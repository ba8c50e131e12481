import { expect, it } from 'vitest'
import { contractOf } from '../../generator/mock/contract.js'
import { type Served, served, serveExpress, serveFetch, serveNode } from '../../runtime/fixtures/serve.js'
import { createApiOf, type McpOptions, ProblemError } from '../../runtime/index.js'
import { generate } from '../scenarios/scenario.js'

// A tool that needs a token says where clients get one (RFC 9728; MCP 2026-07-28, Authorization).

const document = (scheme: string) => `
openapi: 3.1.1
info: { title: 'Notes "of" all', version: 1.0.0 }
servers: [{ url: https://api.example.com/v1 }]
paths:
  /notes:
    get:
      operationId: notes.list
      x-mcp: true
      security: [{ token: ${scheme.includes('apiKey') ? '[]' : '["notes:read"]'} }]
      responses: { 200: { description: Fine, content: { application/json: { schema: { type: array, items: {} } } } } }
components:
  securitySchemes:
    token: ${scheme}
`

const oidc =
  '{ type: openIdConnect, openIdConnectUrl: https://id.example.com/a/.well-known/openid-configuration }'
const well = '/.well-known/oauth-protected-resource'

async function apiOf(scheme = oidc, mcp?: McpOptions) {
  const { files } = await generate(document(scheme))
  return createApiOf(await contractOf(files), {
    logger: false,
    ...(mcp && { mcp }),
    authenticate() {
      throw new ProblemError('invalid_token')
    },
    handlers: { notes: { list: () => [] } },
  })
}

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'notes_list', arguments: {} } }

const challengeAt = async (server: Served, path = '/v1/mcp', headers = {}) => {
  const sent = { 'Content-Type': 'application/json', ...headers }
  const { status, headers: answered } = await server.ask(path, { method: 'POST', body: call, headers: sent })
  return [status, answered['www-authenticate']]
}

it.each([
  ['node:http', async () => serveNode(await apiOf())],
  ['Express', async () => serveExpress(await apiOf())],
  ['fetch', async () => serveFetch(await apiOf())],
] as const)('under %s, a 401 leads to metadata of the same address', async (_, serve) => {
  const server = await served(serve())
  const [status, challenge] = await challengeAt(server)
  expect(status).toBe(401)
  const [, address = ''] =
    /^Bearer realm="Notes of all", resource_metadata="([^"]+)"$/.exec(String(challenge)) ?? []
  const { origin, pathname } = new URL(address)
  expect(pathname).toBe(`${well}/v1/mcp`)
  const { status: found, headers, json } = await server.ask(pathname)
  expect([found, headers['access-control-allow-origin']]).toEqual([200, '*'])
  expect(json).toEqual({
    resource: `${origin}/v1/mcp`,
    resource_name: 'Notes "of" all',
    authorization_servers: ['https://id.example.com/a'],
    scopes_supported: ['notes:read'],
    bearer_methods_supported: ['header'],
  })
  expect((await server.ask(well)).json.resource).toBe(`${origin}/v1/mcp`)
  expect((await server.ask(well, { method: 'POST', body: {} })).headers.allow).toBe('GET, HEAD')
})

it('a public address replaces the host of requests', async () => {
  const mcp = { url: 'https://api.example.com/v1/mcp', authorizationServers: ['https://other.example.com'] }
  const server = await served(serveNode(await apiOf(oidc, mcp)))
  expect((await challengeAt(server))[1]).toContain(
    `resource_metadata="https://api.example.com${well}/v1/mcp"`,
  )
  expect((await server.ask(`${well}/v1/mcp`)).json).toMatchObject({
    resource: mcp.url,
    authorization_servers: mcp.authorizationServers,
  })
})

it('a proxy says that the address has TLS, and a host that is none is left out', async () => {
  const server = await served(serveNode(await apiOf()))
  const behind = { Host: 'api.example.com', 'X-Forwarded-Proto': 'https' }
  expect((await challengeAt(server, '/v1/mcp', behind))[1]).toContain('="https://api.example.com/.well')
  for (const Host of ['a"b c', 'a"b', 'a", error="x'])
    expect((await challengeAt(server, '/v1/mcp', { Host }))[1]).toBe('Bearer realm="Notes of all"')
  expect((await server.ask(`${well}//evil.example/x`, { headers: behind })).json.resource).toMatch(
    /^https:\/\/api\.example\.com\//,
  )
})

it('MCP alone has both below its mounts', async () => {
  const mcp = (await apiOf()).mcp()
  const agents = await served(serveExpress(mcp, { mount: '/agents' }))
  expect((await challengeAt(agents, '/'))[1]).toContain(`${well}/agents/"`)
  const metadata = await served(serveExpress(mcp, { mount: well }))
  expect((await metadata.ask('/agents/')).json.resource).toMatch(/\/agents\/$/)
})

it('a document without OAuth 2 and OpenID Connect has neither', async () => {
  const server = await served(serveNode(await apiOf('{ type: apiKey, in: header, name: X-Key }')))
  expect(await challengeAt(server)).toEqual([401, 'ApiKey realm="Notes of all"'])
  expect((await server.ask(well)).status).toBe(404)
})
