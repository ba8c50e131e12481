import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startLoad } from './load.js'
import { preloading } from './preload.js'
import { printRow } from './print-row.js'
import { expectEnd, expectWell, type Node, type System, startSystem } from './system.js'
import { expectKept } from './trail.js'

const hour = 3_600_000

describe('a node whose clock jumps', () => {
  let system: System
  let jumping: Node
  let steady: Node
  const clock = join(inject('scratch'), `clock-${process.pid}`)
  beforeAll(async () => {
    await writeFile(clock, '0')
    system = await startSystem({ nodes: 0 })
    steady = await system.start()
    // A clock with the offset in the file. The monotonic clock is unchanged.
    jumping = await system.start(
      preloading(`import { readFileSync } from 'node:fs'
const Time = Date
let off = 0
setInterval(() => { off = Number(readFileSync(${JSON.stringify(clock)}, 'utf8')) }, 20).unref()
globalThis.Date = class Date extends Time {
  constructor(...given) {
    if (given.length === 0) super(Time.now() + off)
    else super(...given)
  }
  static now() {
    return Time.now() + off
  }
}`),
    )
  })
  afterAll(() => system?.stop())

  const jump = async (ms: number) => {
    await writeFile(clock, String(ms))
    await delay(500)
  }
  const authenticate = async ({ url }: Node): Promise<string> => {
    const response = await fetch(`${url}/iam/auth/jwt/authenticate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(system.login),
    })
    expect(response.status).toBe(200)
    return ((await response.json()) as { token: string }).token
  }
  /** Status over REST, and the error's code over JSON-RPC, of a call with a token. */
  const answersOf = async ({ url }: Node, token: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const rest = await fetch(`${url}/clients/2`, { headers })
    await rest.arrayBuffer()
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'clients.get', params: { id: 2 } })
    const rpc = await fetch(`${url}/`, { method: 'POST', headers, body })
    return [rest.status, ((await rpc.json()) as { error?: { code: number } }).error?.code]
  }
  const taken = [200, undefined]
  const refused = [401, -32005]

  it('checks tokens by its own clock, keeps every update, and recovers with its clock', async () => {
    const load = startLoad({ ...system, workers: 4 })
    const token = await authenticate(steady)
    expect(await answersOf(jumping, token)).toEqual(taken)

    await jump(hour)
    expect(await answersOf(jumping, token)).toEqual(refused)
    expect(await answersOf(steady, token)).toEqual(taken)
    const early = await authenticate(jumping)
    expect(await answersOf(jumping, early)).toEqual(taken)
    await load.progress(50)

    await jump(-hour)
    expect(await answersOf(jumping, token)).toEqual(taken)
    const late = await authenticate(jumping)
    expect(await answersOf(jumping, late)).toEqual(taken)
    expect(await answersOf(steady, late)).toEqual(refused)
    await load.progress(50)

    await jump(0)
    expect(await answersOf(jumping, token)).toEqual(taken)
    expect(await answersOf(jumping, late)).toEqual(refused)
    expect(await answersOf(jumping, await authenticate(jumping))).toEqual(taken)
    await load.progress(50)
    const report = await load.stop()
    expect(report.refusals + report.lost.length).toBe(0)
    await expectWell(system)
    const { made } = await expectKept(system, report)
    printRow('the clock of a node an hour ahead, then an hour behind', report, made)
    await expectEnd(system)
  }, 120_000)
})
