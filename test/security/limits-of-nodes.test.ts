// @module-tag long

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type DatabaseSource, startOwnPostgres } from '../../service/testing/databases.js'
import { run, serve, userCreateFile } from '../../service/testing/process.js'
import { call, rpc, send } from './target.js'
import { limited, untilLimited } from './until-limited.js'

describe('limits of several nodes on one PostgreSQL', () => {
  let source: DatabaseSource
  const unused = mkdtempSync(join(tmpdir(), 'billing-limits-'))
  beforeAll(async () => {
    source = await startOwnPostgres()
  })
  afterAll(async () => {
    await source?.stop()
    rmSync(unused, { recursive: true, force: true })
  })

  test('apply to all nodes together, except for the calls of one second', async () => {
    const limits = { RATE_LIMIT: '60', FAILURE_LIMIT: '40', ANONYMOUS_LIMIT: '50' }
    const { environment, nodes } = await twoNodes(limits)
    const command = run(userCreateFile, environment, ['--login', 'ann'])
    await command.ended
    const headers = { 'x-api-key': /bk_\S+/.exec(command.output())?.[0] ?? '' }
    const ask = (node: number, key = headers) =>
      send(nodes[node]?.url ?? '', '/lnp/gateways', { headers: key })
    const start = performance.now()
    // If a minute ends meanwhile, the weight of its calls fades: by at most one call a second.
    const outOfReach = () => (performance.now() - start) / 1000
    const guess = (node: number) => ask(node, { 'x-api-key': `bk_${Math.random()}` })
    const stray = (node: number) => send(nodes[node]?.url ?? '', '/nothing')
    for (let index = 0; index < 40; index++) expect((await ask(0)).status).toBe(200)
    for (let index = 0; index < 38; index++) await guess(0)
    for (let index = 0; index < 48; index++) await stray(0)
    await delay(4_000)
    // A node learns the counts of the others with the next call that it counts.
    expect((await ask(1)).status).toBe(200)
    await guess(1)
    await stray(1)
    await delay(4_000)
    const { before } = await untilLimited(() => ask(1), 60)
    expect(before).toBeGreaterThanOrEqual(19)
    expect(before).toBeLessThanOrEqual(19 + outOfReach())
    expect((await untilLimited(() => guess(1), 10)).before).toBeLessThanOrEqual(1 + outOfReach())
    expect((await untilLimited(() => stray(1), 10)).before).toBeLessThanOrEqual(1 + outOfReach())
    await delay(4_000)
    await ask(0)
    await delay(4_000)
    expect((await untilLimited(() => ask(0), 10)).before).toBeLessThanOrEqual(outOfReach())
    for (const { child, ended } of nodes) {
      child.kill('SIGTERM')
      expect((await ended).code).toBe(0)
    }
  })

  test('of the processor apply to a user whose work was on another node', async () => {
    // 200 ms in ten seconds.
    const { environment, nodes } = await twoNodes({ PROCESSOR_SHARE: '2' })
    const [busy, other] = nodes.map(({ url }) => url) as [string, string]
    const keyOf = async (login: string) => {
      const command = run(userCreateFile, environment, ['--login', login])
      await command.ended
      return { 'x-api-key': /bk_\S+/.exec(command.output())?.[0] ?? '' }
    }
    const [ann, bob] = [await keyOf('ann'), await keyOf('bob')]
    const ask = (headers: Record<string, string>) => send(other, '/lnp/gateways', { headers })
    // The first calls cost more.
    for (let index = 0; index < 10; index++) await ask(bob)
    // A window has ten seconds of the clock, and its counts fade in the next ten.
    while (Date.now() % 10_000 > 1_000) await delay(50)
    expect((await rpc(busy, call('lnp.gateways.search', {}), ann)).status).toBe(200)
    const junk = JSON.stringify(call('nope', { a: Array(15_000).fill('x') }))
    const { answer } = await untilLimited(() => rpc(busy, junk, ann), 500)
    expect(answer.json.error.data.detail).toMatch(/^200 ms of processor time/)
    // These calls alone take a small part of 200 ms. Each node shares its counts once a second.
    const { answer: refused } = await untilLimited(async () => {
      await delay(500)
      return ask(ann)
    }, 12)
    expect(refused.json).toEqual(limited)
    expect(refused.json.detail).toMatch(/^200 ms of processor time/)
    expect((await ask(bob)).status).toBe(200)
  })

  async function twoNodes(settings: Readonly<Record<string, string>>) {
    const { url: databaseUrl = '' } = await source.empty()
    const environment = {
      DATABASE_URL: databaseUrl,
      BILLING_SECRET: 's'.repeat(32),
      DATA_DIR: join(unused, 'data'),
      ...settings,
    }
    const nodes = await Promise.all([serve(environment), serve(environment)])
    onTestFinished(() => {
      for (const { child } of nodes) child.kill('SIGKILL')
    })
    return { environment, nodes }
  }
})
