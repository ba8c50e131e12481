import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Protocol, protocols } from './call.js'
import { sendUpdate, startLoad } from './load.js'
import { printRow } from './print-row.js'
import { expectEnd, expectWell, type System, startSystem, statusOf } from './system.js'
import { expectKept, expectNotMade } from './trail.js'

describe('nodes that end under load', () => {
  let system: System
  beforeAll(async () => {
    system = await startSystem()
  })
  afterAll(() => system?.stop())

  it('lose no acknowledged update to SIGKILL, and release what they held', async () => {
    const load = startLoad({ ...system, workers: 16 })
    for (let round = 0; round < 3; round += 1) {
      await load.progress(60)
      const [node] = system.nodes
      if (node === undefined) throw new Error('There is no node')
      node.child.kill('SIGKILL')
      expect((await node.ended).signal).toBe('SIGKILL')
      system.forget(node)
      await load.progress(40)
      await system.start()
    }
    const report = await load.stop()
    await expectWell(system)
    expect(report.refusals).toBe(0)
    const { made } = await expectKept(system, report)
    printRow('a node killed by SIGKILL, three times', report, made)
  }, 240_000)

  it('lose no accepted call to SIGTERM, and new calls go to other nodes', async () => {
    const load = startLoad({ ...system, workers: 16 })
    let longestMs = 0
    for (let round = 0; round < 3; round += 1) {
      await load.progress(60)
      const [node] = system.nodes
      if (node === undefined) throw new Error('There is no node')
      const start = performance.now()
      node.child.kill('SIGTERM')
      // Callers keep calling it until they notice.
      await delay(50)
      system.forget(node)
      expect(await node.ended).toEqual({ code: 0, signal: null })
      longestMs = Math.max(longestMs, performance.now() - start)
      expect(node.errors()).not.toMatch(/cut off|uncaught/)
      await load.progress(40)
      await system.start()
    }
    const report = await load.stop()
    await expectWell(system)
    // A call without an answer has not been executed.
    await expectNotMade(system, report.lost)
    const { made } = await expectKept(system, report)
    printRow(
      'SIGTERM to a node, three times',
      report,
      made,
      `the node ended within ${Math.round(longestMs)} ms`,
    )
  }, 240_000)

  it.each(protocols)('make an update with a lost answer once if it is repeated over %s', async (protocol) => {
    const updates = await Promise.all(
      Array.from({ length: 20 }, (_, index) => losing(index, protocols[index % 2] as Protocol)),
    )
    for (const [index, update] of updates.entries()) {
      const url = system.urls()[(index + 1) % 2] ?? ''
      expect(await sendUpdate(update, url, protocol, system.apiKey)).toMatchObject({ kind: 'done' })
    }
    const entries = await system.database.query(
      `select 1 from audit where (after ->> 'credit')::numeric between $1::numeric and $2::numeric`,
      [String(updates[0]?.credit), String(updates.at(-1)?.credit)],
    )
    expect(entries).toHaveLength(20)

    /** Sends an update and closes the connection before its answer is read. */
    async function losing(index: number, by: Protocol) {
      const offset = protocols.indexOf(protocol) * 100
      const update = {
        clientId: 1 + (index % 3),
        credit: 900_000 + offset + index,
        key: `lost-${protocol}-${index}`,
      }
      const { hostname, port } = new URL(system.urls()[index % 2] ?? '')
      const { clientId: id, credit, key } = update
      const params = { id, credit, idempotency_key: key }
      const body = JSON.stringify(
        by === 'rest' ? { credit } : { jsonrpc: '2.0', id: 1, method: 'clients.update', params },
      )
      const socket = connect(Number(port), hostname)
      await once(socket, 'connect')
      socket.write(
        `${by === 'rest' ? `PATCH /clients/${id}` : 'POST /'} HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${system.apiKey}\r\n` +
          `Content-Type: application/json\r\n${by === 'rest' ? `Idempotency-Key: ${key}\r\n` : ''}` +
          `Content-Length: ${body.length}\r\n\r\n${body}`,
      )
      // Some close before the node begins, some while it works, some after its answer.
      await delay(5 * (index % 5))
      socket.destroy()
      return update
    }
  })

  it('end with nothing left behind', async () => {
    for (const url of system.urls()) expect(await statusOf(`${url}/readyz`)).toBe(200)
    await expectWell(system)
    await expectEnd(system)
  })
})
