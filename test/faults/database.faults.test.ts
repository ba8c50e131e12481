import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { killsOr } from '../../service/testing/kills.js'
import { startLoad } from './load.js'
import { printRow } from './print-row.js'
import { expectEnd, expectWell, type System, startSystem, watchReadiness } from './system.js'
import { expectKept } from './trail.js'

const kills = killsOr(2)

describe('a database that is killed under load', () => {
  let system: System
  beforeAll(async () => {
    system = await startSystem()
  })
  afterAll(() => system?.stop())

  it('loses nothing in repeated kills, and no node needs a restart', {
    timeout: 120_000 + 60_000 * kills,
  }, async () => {
    const load = startLoad(system)
    const [{ url } = { url: '' }] = system.nodes
    const readiness = watchReadiness(url)
    await load.progress(100)
    const recovery: number[] = []
    for (let kill = 0; kill < kills; kill += 1) {
      const pauseMs = kill % 2 === 0 ? 1_000 : 3_000
      await system.server.kill()
      await readiness.says(503)
      await delay(pauseMs)
      await system.server.restart()
      recovery.push(await readiness.says(200))
      await load.progress(100)
    }
    const report = await load.stop()
    const { longestMs } = await readiness.stop()
    expect(longestMs).toBeLessThan(4_000)
    expect(report.lost).toEqual([])
    await expectWell(system)
    const { made } = await expectKept(system, report)
    expect(report.refusals).toBeGreaterThan(0)
    printRow(
      `the database killed and restarted, ${kills} times`,
      report,
      made,
      `ready again after ${Math.min(...recovery)} to ${Math.max(...recovery)} ms`,
    )
    await expectEnd(system)
  })
})
