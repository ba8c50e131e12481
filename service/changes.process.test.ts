// @module-tag long

import { existsSync } from 'node:fs'
import { apiKey, createClient, isApiError, jsonrpc, rest } from '@billing/api/1.1.0/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createStorage, type Storage } from './storage/storage.js'
import { type Nodes, startNodes } from './testing/nodes.js'
import { serviceFile } from './testing/process.js'

describe.runIf(existsSync(serviceFile))('two nodes on one PostgreSQL', () => {
  let nodes: Nodes
  let storage: Storage
  let key: string

  beforeAll(async () => {
    nodes = await startNodes(2)
    storage = createStorage(nodes.database)
    key = nodes.user('reseller-a').apiKey
  })
  afterAll(() => nodes?.stop())

  /** Both nodes over both protocols. */
  const clients = () =>
    nodes.urls.flatMap((url) =>
      [rest(url), jsonrpc(url)].map((transport) => createClient({ transport, auth: apiKey(key) })),
    )
  const trail = (id: number) =>
    storage.as({ resellerId: null }).audit.search({ limit: 1000, entity: { name: 'client', id: String(id) } })

  it('lose no update of callers that send the expected version', async () => {
    const increment = async (client: ReturnType<typeof clients>[number]): Promise<void> => {
      for (;;) {
        const { credit, version } = await client.clients.get({ id: 1 })
        try {
          await client.clients.update({ id: 1, credit: credit + 1, expected_version: version })
          return
        } catch (error) {
          if (!isApiError(error, 'precondition_failed')) throw error
        }
      }
    }
    await Promise.all(
      clients().map(async (client) => {
        for (let times = 0; times < 10; times += 1) await increment(client)
      }),
    )
    const [client] = clients()
    expect(await client?.clients.get({ id: 1 })).toMatchObject({ credit: 250.5 + 40 })
    const entries = await trail(1)
    expect(entries).toHaveLength(40)
    expect(new Set(entries.map(({ protocol }) => protocol))).toEqual(new Set(['rest', 'jsonrpc']))
    expect(entries[0]).toMatchObject({ login: 'reseller-a', operation: 'clients.update', entityId: '1' })
  })

  it('make a change once that both receive with one key, and return the same answer', async () => {
    for (let round = 0; round < 5; round += 1) {
      const params = { id: 2, credit: 1000 + round, idempotency_key: `round-${round}` }
      const answers = await Promise.all(clients().map((client) => client.clients.update(params)))
      for (const answer of answers) expect(answer).toEqual(answers[0])
      expect(answers[0]).toMatchObject({ credit: 1000 + round })
      expect(await trail(2)).toHaveLength(round + 1)
    }
  })

  it('make a change once whose answer was lost and that the client repeats', async () => {
    let sent = 0
    const losing = async (url: string, request: RequestInit) => {
      const response = await fetch(url, request)
      sent += 1
      if (sent > 1) return response
      throw new TypeError('The answer is lost')
    }
    const transport = rest(nodes.urls[0] ?? '', { fetch: losing })
    const client = createClient({ transport, auth: apiKey(key), retry: { baseDelay: 1 } })
    const params = { id: 3, credit: 5, idempotency_key: 'lost' }
    expect(await client.clients.update(params)).toMatchObject({ credit: 5, version: '2' })
    expect(sent).toBe(2)
    expect(await trail(3)).toHaveLength(1)
  })
})
