import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startLoad } from './load.js'
import { printRow } from './print-row.js'
import { startProxy, type TcpProxy } from './proxy.js'
import { expectEnd, expectWell, metricsOf, type System, startSystem, watchReadiness } from './system.js'
import { expectKept } from './trail.js'

const callSeconds = 6

describe('a database that is slow', () => {
  let system: System
  let proxy: TcpProxy
  beforeAll(async () => {
    system = await startSystem({
      environment: { CALL_TIMEOUT: String(callSeconds) },
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
  const deadlineMs = 1_000 * callSeconds + 4_000
  const watched = () => watchReadiness(system.nodes[0]?.url ?? '')

  it('delays callers no longer than their deadline while it is slow', { timeout: 120_000 }, async () => {
    const load = startLoad({ ...system, workers: 30, deadlineMs })
    await load.progress(50)
    proxy.slow(300)
    await delay(8_000)
    proxy.mend()
    await load.progress(100)
    const report = await load.stop()
    expect(report.lost).toEqual([])
    await expectWell(system)
    const { made } = await expectKept(system, report)
    printRow('the database 300 ms away in each direction for 8 s', report, made)
  })

  it('serves again after the network has dropped every connection', { timeout: 180_000 }, async () => {
    const load = startLoad({ ...system, deadlineMs })
    const readiness = watched()
    await load.progress(50)
    proxy.swallow()
    const noticed = await readiness.says(503)
    await delay(12_000)
    proxy.mend()
    const back = await readiness.says(200)
    await load.progress(100)
    const report = await load.stop()
    const { longestMs } = await readiness.stop()
    expect(longestMs).toBeLessThan(4_000)
    expect(report.refusals).toBeGreaterThan(0)
    expect(report.lost).toEqual([])
    await expectWell(system)
    const { made } = await expectKept(system, report)
    printRow(
      'all bytes swallowed for 12 s',
      report,
      made,
      `not ready after ${noticed} ms, ready again after ${back} ms`,
    )
  })

  it('has a lock held on rows that calls change, and the pool used up by it', {
    timeout: 180_000,
  }, async () => {
    const load = startLoad({ ...system, workers: 40, deadlineMs })
    await load.progress(50)
    const holder = await system.server.connect()
    await holder.query('begin')
    await holder.query('select * from clients where id <= 3 for update')
    const [{ url } = { url: '' }] = system.nodes
    await expect
      .poll(async () => (await metricsOf(url)).get('billing_database_waiting'), { timeout: 20_000 })
      .toBeGreaterThan(0)
    await delay(14_000)
    await holder.query('rollback')
    await holder.end()
    await load.progress(100)
    const report = await load.stop()
    expect(report.lost).toEqual([])
    await expectWell(system)
    const { made } = await expectKept(system, report)
    expect(report.refusals).toBeGreaterThan(0)
    printRow('a lock held for 14 s on every client, so that the pool is used up', report, made)
  })

  it('has no connection left for the service', { timeout: 180_000 }, async () => {
    const load = startLoad({ ...system, deadlineMs })
    await load.progress(50)
    // Other clients of the server take every connection, including the service's own as they end.
    const [limits] = await system.database.query<{ most: number }>(
      `select current_setting('max_connections')::integer as most`,
    )
    const others: Awaited<ReturnType<typeof system.server.connect>>[] = []
    const readiness = watched()
    await system.database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'billing' and pid <> pg_backend_pid()`,
    )
    for (let refused = 0; refused < 20 && others.length < (limits?.most ?? 0); ) {
      try {
        others.push(await system.server.connect())
      } catch {
        refused += 1
      }
      await system.database
        .query(
          `select pg_terminate_backend(pid) from pg_stat_activity
            where application_name = 'billing' and pid <> pg_backend_pid()`,
        )
        .catch(() => {})
    }
    await readiness.says(503)
    await delay(2_000)
    for (const client of others) await client.end()
    const back = await readiness.says(200)
    await load.progress(100)
    const report = await load.stop()
    await readiness.stop()
    expect(report.lost).toEqual([])
    await expectWell(system)
    const { made } = await expectKept(system, report)
    expect(report.refusals).toBeGreaterThan(0)
    printRow('every connection of the server taken by others', report, made, `ready again after ${back} ms`)
    await expectEnd(system)
  })
})
