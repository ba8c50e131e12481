import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openEmbedded } from '../../service/storage/embedded/embedded.js'
import { serve } from '../../service/testing/process.js'
import { startLoad } from './load.js'
import { printRow } from './print-row.js'
import { canMount, mountSmallDisk, type SmallDisk } from './small-disk.js'
import { expectEnd, expectWell, type System, startSystem, watchReadiness } from './system.js'
import { expectKept, expectMade } from './trail.js'

describe.runIf(canMount)('a database whose disk is full', () => {
  let disk: SmallDisk
  let system: System
  beforeAll(async () => {
    disk = await mountSmallDisk(128, 'postgres')
    const directory = join(disk.path, 'data')
    system = await startSystem({ directory })
  })
  afterAll(async () => {
    await system?.stop()
    await disk?.stop()
  })

  it('refuses changes until there is room again', { timeout: 240_000 }, async () => {
    const load = startLoad(system)
    const readiness = watchReadiness(system.nodes[0]?.url ?? '')
    await load.progress(100)
    disk.fill()
    // PostgreSQL first uses up its reserved space. Then it serves only reads.
    await load.refusal()
    await delay(2_000)
    expect(await readiness.says(200)).toBeLessThan(3_000)
    disk.clear()
    await load.progress(100)
    const report = await load.stop()
    await readiness.stop()
    expect(report.lost).toEqual([])
    await expectWell(system)
    const { made } = await expectKept(system, report)
    expect(report.refusals).toBeGreaterThan(0)
    printRow('the disk of PostgreSQL full', report, made, 'ready all the time')
    await expectEnd(system)
  })
})

describe.runIf(canMount)('an embedded database whose disk is full', () => {
  let disk: SmallDisk
  beforeAll(async () => {
    disk = await mountSmallDisk(160, 'root')
  })
  afterAll(() => disk?.stop())

  it('refuses changes until there is room again', { timeout: 240_000 }, async () => {
    const path = join(disk.path, 'data')
    const node = await serve({ DATA_DIR: path, API_VERSION: '1.1.0', LOG_LEVEL: 'warn' })
    onTestFinished(async () => {
      node.child.kill('SIGKILL')
      await node.ended
    })
    const { users } = JSON.parse(await readFile(join(path, 'credentials.json'), 'utf8'))
    const { apiKey } = users.find(({ login }: { login: string }) => login === 'reseller-a')
    const load = startLoad({ urls: () => [node.url], apiKey })
    const readiness = watchReadiness(node.url)
    await load.progress(100)
    disk.fill()
    await load.refusal()
    await delay(3_000)
    expect(await readiness.says(200)).toBeLessThan(3_000)
    disk.clear()
    await load.progress(50)
    const report = await load.stop()
    const { longestMs } = await readiness.stop()
    expect(report.wrong).toEqual([])
    expect(report.lost).toEqual([])
    // Its acknowledged changes survive its own end too.
    node.child.kill('SIGKILL')
    await node.ended
    const database = await openEmbedded(join(path, 'database'))
    onTestFinished(() => database.close())
    expect(node.errors()).not.toMatch(/uncaught|internal_error/)
    const { made } = await expectMade(database, report)
    printRow(
      'the disk of an embedded database full',
      report,
      made,
      `ready all the time, within ${Math.round(longestMs)} ms`,
    )
  })
})
