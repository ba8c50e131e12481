import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServiceHere, type TestService } from '../service-process.js'

// The billing service of the versions that have tools, called by the official client.

let service: TestService
beforeAll(async () => {
  service = await startServiceHere()
})
afterAll(async () => {
  await service.stop()
  service.remove()
})

async function connected(login: string | undefined, path = '/mcp'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  const headers = login === undefined ? {} : { 'X-Api-Key': service.user(login).apiKey }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(service.url + path), { requestInit: { headers } }),
  )
  return client
}

it.each([
  ['/mcp', 'accounting_currencies_list'],
  ['/1.1.0/mcp', 'accounting_currencies_list'],
  ['/2.0.0-rc.1/mcp', 'accounting_currencies_search'],
])('%s has the tools of its version', async (path, expected) => {
  const client = await connected('reseller-a', path)
  expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    ...['accounting_currencies_get_rate', expected, 'clients_get', 'clients_search', 'clients_update'],
    ...['lnp_gateways_get', 'lnp_gateways_search'],
  ])
  await client.close()
})

it('a version without tools has no MCP', async () => {
  const response = await fetch(`${service.url}/1.0.0/mcp`, { method: 'POST' })
  const { error } = (await response.json()) as { error: { code: number } }
  // The code of JSON-RPC for a method that does not exist.
  expect([response.status, error.code]).toEqual([404, -32601])
})

it.each(['GET', 'HEAD', 'DELETE', 'PUT'])(
  'answers %s with 405, as clients with sessions expect of a server without',
  async (method) => {
    for (const path of ['/mcp', '/1.1.0/mcp']) {
      const headers = { Accept: 'text/event-stream', 'Mcp-Session-Id': 'none' }
      const response = await fetch(service.url + path, { method, headers })
      expect([path, response.status, response.headers.get('allow')]).toEqual([path, 405, 'POST'])
    }
  },
)

it('a Reseller sees its own clients alone', async () => {
  const names = async (login: string) => {
    const client = await connected(login)
    const { structuredContent } = await client.callTool({ name: 'clients_search', arguments: {} })
    await client.close()
    return (structuredContent as { result: { id: number }[] }).result.map(({ id }) => id)
  }
  const [a, b] = [await names('reseller-a'), await names('reseller-b')]
  expect(a.filter((id) => b.includes(id))).toEqual([])
  const client = await connected('reseller-a')
  const answer = await client.callTool({ name: 'clients_get', arguments: { id: b[0] } })
  expect(answer).toMatchObject({ isError: true, structuredContent: { code: 'not_found' } })
  await client.close()
})

it('nobody is asked for credentials before a tool needs them', async () => {
  const client = await connected(undefined)
  await expect(client.listTools()).rejects.toThrow(/Unauthorized|401/)
  await client.close()
})

it('datetimes are in the zone of the call', async () => {
  const client = await connected('reseller-a')
  const ask = async (zone: object) => {
    const args = { from: 'EUR', to: 'USD', ...zone }
    const answer = await client.callTool({ name: 'accounting_currencies_get_rate', arguments: args })
    return JSON.stringify(answer.structuredContent)
  }
  expect(await ask({ __tz: 'Asia/Tokyo' })).toContain('+09:00')
  await client.close()
})
