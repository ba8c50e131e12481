import { expect, it } from 'vitest'
import { type CallCount, callCountStore } from '../storage/tables/call-counts.js'
import { nodeStore } from '../storage/tables/nodes.js'
import { onEachDriver } from '../testing/databases.js'
import { createCallCounter } from './call-counter.js'

const operations = new Set(['clients.get'])
const call = { operation: 'clients.get', protocol: 'rest', durationMs: 7 } as const

it('keeps counts that cannot be stored for the next time, and leaves out what is no call', async () => {
  let isAway = true
  const stored: CallCount[][] = []
  const store = {
    async add(counts: readonly CallCount[]) {
      if (isAway) throw new Error('away')
      stored.push([...counts])
    },
  }
  const counter = createCallCounter(store, operations, () => 601_000)
  counter.count(call)
  counter.count({ ...call, operation: 'admin.home' })
  await expect(counter.flush()).rejects.toThrow('away')
  counter.count({ ...call, durationMs: 9_000, code: 'not_found' })
  counter.count({ ...call, code: 'rate_limited' })
  counter.count({ ...call, operation: undefined, code: 'invalid_api_key' })
  isAway = false
  await counter.flush()
  await counter.flush()
  expect(stored).toEqual([
    [
      {
        starts: 600,
        operation: 'clients.get',
        protocol: 'rest',
        calls: 3,
        errors: 1,
        refused: 1,
        times: [0, 2, 0, 0, 0, 0, 0, 0, 0, 1],
      },
      {
        starts: 600,
        operation: '',
        protocol: 'rest',
        calls: 1,
        errors: 0,
        refused: 1,
        times: [0, 1, 0, 0, 0, 0, 0, 0, 0, 0],
      },
    ],
  ])
})

onEachDriver('counts of calls on', (start) => {
  it('are sums of all nodes, kept for eight days', async () => {
    const source = await start()
    const { database } = await source.sample()
    const store = callCountStore(database)
    const now = Math.floor(Date.now() / 1000 / 300) * 300
    const count = {
      ...call,
      starts: now,
      calls: 2,
      errors: 1,
      refused: 0,
      times: [1, 1, 0, 0, 0, 0, 0, 0, 0, 0],
    }
    await store.add([{ ...count, starts: now - 9 * 86_400 }])
    await store.add([count, { ...count, protocol: 'mcp' }])
    await store.add([{ ...count, times: [0, 0, 0, 0, 0, 0, 0, 0, 0, 2] }])
    const sums = await store.sums(0, 3600)
    expect(sums.map(({ protocol, calls, errors, times }) => [protocol, calls, errors, times])).toEqual([
      ['mcp', 2, 1, [1, 1, 0, 0, 0, 0, 0, 0, 0, 0]],
      ['rest', 4, 2, [1, 1, 0, 0, 0, 0, 0, 0, 0, 2]],
    ])
    expect(sums[0]?.starts).toBe(Math.floor(now / 3600) * 3600)

    const nodes = nodeStore(database)
    const node = {
      id: '00000000-0000-4000-8000-000000000001',
      name: 'one:8080',
      startedAt: '2026-11-28T06:00:00Z',
      inFlight: 3,
      lagMs: 1.4,
      memoryMb: 99.6,
    }
    await nodes.report({ ...node, inFlight: 1 })
    await nodes.report(node)
    await nodes.report({ ...node, id: '00000000-0000-4000-8000-000000000002', name: 'two:8080' })
    expect(await nodes.list()).toMatchObject([
      { name: 'one:8080', inFlight: 3, lagMs: 1, memoryMb: 100, startedAt: '2026-11-28T06:00:00Z' },
      { name: 'two:8080' },
    ])
    await database.query("update nodes set seen_at = now() - interval '2 hours' where name = 'one:8080'")
    await nodes.report({ ...node, id: '00000000-0000-4000-8000-000000000002', name: 'two:8080' })
    await nodes.remove('00000000-0000-4000-8000-000000000002')
    expect(await nodes.list()).toEqual([])
    await source.stop()
  })
})
