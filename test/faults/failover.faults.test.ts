import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresPair, startPair } from '../../service/testing/postgres-pair.js'
import { startLoad } from './load.js'
import { printRow } from './print-row.js'
import { expectEnd, expectWell, type System, startSystem, watchReadiness } from './system.js'
import { expectKept } from './trail.js'

describe('a primary that is killed under load and has a synchronous standby', () => {
  let pair: PostgresPair
  let system: System
  beforeAll(async () => {
    system = await startSystem({
      start: async () => {
        pair = await startPair()
        return pair
      },
    })
  })
  afterAll(() => system?.stop())

  it('loses nothing, and nodes find the standby once it is promoted', { timeout: 240_000 }, async () => {
    const load = startLoad(system)
    const [{ url } = { url: '' }] = system.nodes
    const readiness = watchReadiness(url)
    await load.progress(100)
    await system.server.kill()
    const killed = performance.now()
    await readiness.says(503)
    await pair.promote()
    const promoted = performance.now()
    await readiness.says(200)
    await load.progress(1)
    const back = performance.now()
    await load.progress(100)
    const report = await load.stop()
    await readiness.stop()
    expect(report.lost).toEqual([])
    expect(back - promoted).toBeLessThan(5_000)
    await expectWell(system)
    const { made } = await expectKept(system, report)
    const [afterPromotion, afterKill] = [back - promoted, back - killed].map(Math.round)
    printRow(
      'the primary killed, its synchronous standby promoted',
      report,
      made,
      `an update acknowledged ${afterPromotion} ms after the promotion, ${afterKill} ms after the kill`,
    )
    await expectEnd(system)
  })
})
