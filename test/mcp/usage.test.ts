import { expect, it } from 'vitest'
import { compare } from '../../generator/diff/compare.js'
import { prove } from '../../generator/diff/proof/prove.js'
import { signsOf } from '../../generator/diff/usage/signs.js'
import { contractOf } from '../../generator/mock/contract.js'
import { served, serveNode } from '../../runtime/fixtures/serve.js'
import { createApiOf, type UsageEntry } from '../../runtime/index.js'
import { sidesOf } from '../diff/compared.js'
import { generate } from '../scenarios/scenario.js'

// Calls over MCP are counted as such, tried on the next version's tools, and found again by the changes of a review.

const shop = (version: string, tool: string, other: string, limit: number) => `openapi: 3.1.1
info: { title: Shop, version: ${version} }
paths:
  /clients:
    get:
      operationId: clients.list
      x-mcp: ${tool}
      parameters:
        - { name: limit, in: query, schema: { type: integer, maximum: ${limit} } }
        - { name: page, in: query, schema: { type: integer } }
        - { name: order, in: query, required: true, schema: { type: string } }
      responses: { 200: { description: Fine } }
  /orders:
    get:
      operationId: orders.list
      x-mcp: ${other}
      responses: { 200: { description: Fine } }
`

it('a ledger has what agents notice of the next version', async () => {
  const old = shop('1.0.0', '{ fixed: { order: name } }', 'true', 100)
  const fresh = shop('2.0.0', '{ fixed: { order: id }, hidden: [page] }', '{ name: all_orders }', 10)
  const sides = await sidesOf(old, fresh)
  const review = await prove(compare(...sides), ...sides)
  const changes = signsOf(review, ...sides)
  if (changes === undefined) throw new Error('The documents have models')
  const [contract, next] = await Promise.all(
    [old, fresh].map(async (text) => contractOf((await generate(text)).files)),
  )
  if (contract === undefined || next === undefined) throw new Error('There are two')
  const recorded: UsageEntry[] = []
  const record = (entries: readonly UsageEntry[]) => void recorded.push(...entries)
  const api = createApiOf(contract, {
    logger: false,
    handlers: { clients: { list: () => null }, orders: { list: () => null } },
    shadow: { next: { contract: next }, changes, ledger: { record } },
  })
  const server = await served(serveNode(api))
  const call = async (name: string, args: object) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
    const headers = { 'Content-Type': 'application/json' }
    expect((await server.ask('/mcp', { method: 'POST', body, headers })).json.result.isError).toBeUndefined()
  }
  await call('clients_list', { limit: 11 })
  await call('clients_list', { limit: 9 })
  await call('clients_list', { page: 2 })
  await call('orders_list', {})
  await server.ask('/orders')
  await expect
    .poll(() => api.flushUsage().then(() => recorded.reduce((sum, one) => sum + one.sampled, 0)))
    .toBe(5)
  const idOf = new Map(review.changes.map(({ id, fingerprint }) => [fingerprint, id]))
  const found = recorded.map(({ operation, protocol, calls, unattributed, hits }) => [
    `${operation} ${protocol}`,
    calls,
    unattributed,
    Object.keys(hits)
      .map((fingerprint) => idOf.get(fingerprint))
      .sort(),
  ])
  expect(found.sort()).toEqual([
    ['clients.list mcp', 3, 0, ['request-parameter-max-decreased', 'tool-param-hidden']],
    ['orders.list mcp', 1, 0, ['tool-renamed']],
    ['orders.list rest', 1, 0, []],
  ])
})
