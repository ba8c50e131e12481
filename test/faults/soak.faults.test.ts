import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startLoad } from './load.js'
import { preloading } from './preload.js'
import { printRow } from './print-row.js'
import { expectEnd, expectWell, metricsOf, type System, startSystem } from './system.js'
import { expectKept } from './trail.js'

const seconds = Number(process.env.SOAK_SECONDS ?? 30)
const samples = 20
const megabyte = 1024 * 1024

describe('a node under long load', () => {
  let system: System
  beforeAll(async () => {
    // The test triggers garbage collection, so that it measures only live memory.
    const collecting = preloading(`import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')
process.on('SIGUSR2', () => collect())`)
    system = await startSystem({ nodes: 1, environment: collecting })
  })
  afterAll(() => system?.stop())

  it(
    `holds no more memory after ${seconds} s, with its connections cut at times`,
    async () => {
      const [node] = system.nodes
      if (node === undefined) throw new Error('There is no node')
      const load = startLoad({ ...system, workers: 8 })
      const held: { readonly heap: number; readonly resident: number }[] = []
      process.stdout.write('| second | heap in MB | resident in MB |\n| --- | --- | --- |\n')
      for (let index = 1; index <= samples; index += 1) {
        await delay((1_000 * seconds) / samples)
        if (index % 5 === 0) await cutConnections()
        node.child.kill('SIGUSR2')
        await delay(200)
        const metrics = await metricsOf(node.url)
        const heap = (metrics.get('nodejs_heap_size_used_bytes') ?? 0) / megabyte
        const resident = (metrics.get('process_resident_memory_bytes') ?? 0) / megabyte
        held.push({ heap, resident })
        const row = [Math.round((seconds * index) / samples), heap.toFixed(1), resident.toFixed(0)]
        process.stdout.write(`| ${row.join(' | ')} |\n`)
      }
      const report = await load.stop()
      const mean = (of: 'heap' | 'resident', from: number, to: number) =>
        held.slice(from, to).reduce((sum, sample) => sum + sample[of], 0) / (to - from)
      // The first quarter is the warm-up: compilation and new connections.
      expect(mean('heap', 15, 20)).toBeLessThan(1.1 * mean('heap', 5, 10) + 3)
      expect(mean('resident', 15, 20)).toBeLessThan(1.15 * mean('resident', 5, 10) + 15)
      await expectWell(system)
      const { made } = await expectKept(system, report)
      printRow(`${seconds} s of load, connections cut four times`, report, made)
      await expectEnd(system)
    },
    1_000 * seconds + 180_000,
  )

  const cutConnections = () =>
    system.database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'billing' and pid <> pg_backend_pid()`,
    )
})
