import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answered, call, protocols } from './call.js'
import { startLoad } from './load.js'
import { printRow } from './print-row.js'
import { startProxy, type TcpProxy } from './proxy.js'
import { expectEnd, expectWell, metricsOf, type System, startSystem, statusOf } from './system.js'
import { expectKept } from './trail.js'

const megabyte = 1024 * 1024

describe('an overloaded node', () => {
  let system: System
  let proxy: TcpProxy
  beforeAll(async () => {
    system = await startSystem({
      nodes: 1,
      environment: { CALL_TIMEOUT: '12' },
      reach: async (port) => {
        proxy = await startProxy(port)
        return proxy.port
      },
    })
  })
  afterAll(async () => {
    await system?.stop()
    await proxy?.stop()
  })

  it('refuses calls before its memory grows, answers probes, and recovers', async () => {
    const [{ url } = { url: '' }] = system.nodes
    const memory = async () => ((await metricsOf(url)).get('process_resident_memory_bytes') ?? 0) / megabyte
    const warm = startLoad(system)
    await warm.progress(200)
    const first = await warm.stop()
    expect(first.wrong).toEqual([])
    const before = await memory()
    // Ten connections, each with a few answers a second, for callers that retry after a second.
    proxy.slow(150)
    const load = startLoad({ ...system, workers: 1_500, deadlineMs: 25_000, pauseMs: 1_000 })
    const most: number[] = []
    const ready = new Set<number>()
    for (let second = 0; second < 15; second += 1) {
      await delay(1_000)
      most.push(await memory())
      expect(await statusOf(`${url}/healthz`)).toBe(200)
      ready.add(await statusOf(`${url}/readyz`))
    }
    const report = await load.stop()
    const metrics = await metricsOf(url)
    expect(metrics.get('billing_shed_total{reason="share"}')).toBeGreaterThan(100)
    // The database answers 33 a second, so the node does not work on abandoned calls.
    expect(report.acknowledged.length).toBeGreaterThan(200)
    expect(ready).toEqual(new Set([200]))
    const after = Math.max(...most)
    expect(after).toBeLessThan(before + 150)
    // It held as much in the middle as at the end.
    expect(most.at(-1)).toBeLessThan(1.2 * Math.max(...most.slice(0, 8)) + 10)
    proxy.mend()
    await expectWell(system)
    const { made } = await expectKept(system, report)
    const grown = `${Math.round(before)} MB before, ${Math.round(after)} MB at most`
    printRow('1,500 callers of one node whose database is slow', report, made, grown)
    await expectEnd(system)
  }, 240_000)
})

describe('a node that one user overloads', () => {
  let system: System
  let proxy: TcpProxy
  beforeAll(async () => {
    system = await startSystem({
      nodes: 1,
      reach: async (port) => {
        proxy = await startProxy(port)
        return proxy.port
      },
    })
  })
  afterAll(async () => {
    await system?.stop()
    await proxy?.stop()
  })

  it('serves another user', async () => {
    const [{ url } = { url: '' }] = system.nodes
    // Ten connections, each with a few answers a second, for callers that retry almost at once.
    proxy.slow(150)
    const greedy = startLoad({ ...system, workers: 150, deadlineMs: 25_000, pauseMs: 500 })
    await greedy.refusal()
    // By then the node knows how long statements take, and earlier ones have ended.
    await delay(8_000)
    const own: Answered[] = []
    const options = { operation: 'clients.get', apiKey: system.otherApiKey, deadlineMs: 25_000 } as const
    const end = performance.now() + 12_000
    const ask = async () => {
      for (let index = 0; performance.now() < end; index += 1) {
        const protocol = protocols[index % 2] ?? 'rest'
        own.push(await call(url, protocol, { ...options, params: { id: 4 } }, () => undefined))
        await delay(100)
      }
    }
    await Promise.all([ask(), ask(), ask()])
    const report = await greedy.stop()
    const metrics = await metricsOf(url)
    proxy.mend()
    const done = own.filter(({ kind }) => kind === 'done').length
    const longestMs = Math.max(...own.map(({ ms }) => ms))
    process.stdout.write(
      `another user: ${done} of ${own.length} calls answered, the longest in ${(longestMs / 1000).toFixed(1)} s\n`,
    )
    // Without shares only one of ten succeeds.
    expect(done).toBeGreaterThan(0.8 * own.length)
    expect(longestMs).toBeLessThan(10_000)
    expect(report.wrong).toEqual([])
    // The database answers 33 a second.
    expect(report.acknowledged.length).toBeGreaterThan(150)
    expect(metrics.get('billing_shed_total{reason="share"}')).toBeGreaterThan(100)
    await expectWell(system)
    await expectKept(system, report)
    await expectEnd(system)
  }, 240_000)
})
