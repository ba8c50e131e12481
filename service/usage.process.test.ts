// @module-tag long

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type UsageEntry, usageLines } from 'duet-runtime'
import { mergeUsage, readUsage } from 'duet-runtime/usage'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runDuet } from '../test/in-process.js'
import { type Nodes, startNodes } from './testing/nodes.js'
import { commandFile, run, serviceFile } from './testing/process.js'

const project = new URL('..', import.meta.url).pathname
const maximum = '9adf06c47c538332'

describe.runIf(existsSync(serviceFile))('usage of two nodes', () => {
  let nodes: Nodes
  let folder: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'billing-usage-'))
    nodes = await startNodes(2)
  })
  afterAll(async () => {
    await nodes?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const rest = (node: number, key: string, path: string) =>
    fetch(`${nodes.urls[node]}${path}`, { headers: { 'x-api-key': key } }).then(({ status }) => status)
  const rpc = (node: number, key: string, calls: readonly [string, object][]) =>
    fetch(`${nodes.urls[node]}/`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(calls.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }))),
    }).then((response) => response.json() as Promise<{ error?: object }[]>)
  const exported = async () => {
    const { ended, output, errors } = run(commandFile('usage-export'), nodes.environment)
    expect({ code: (await ended).code, errors: errors() }).toEqual({ code: 0, errors: '' })
    return readUsage(output())
  }

  it('is counted, tried, exported, merged, and used by a review', async () => {
    const [a = '', b = ''] = ['reseller-a', 'reseller-b'].map((login) => nodes.user(login).apiKey)
    for (let round = 0; round < 50; round += 1) {
      const [one, other] = [round % 2, (round + 1) % 2]
      expect(
        await Promise.all([rest(one, a, '/clients?limit=10'), rest(other, b, '/clients?limit=10')]),
      ).toEqual([200, 200])
      const answers = await rpc(one, a, [
        ['clients.search', { limit: round === 7 ? 500 : 20 }],
        ['accounting.currencies.list', {}],
      ])
      expect(answers.filter(({ error }) => error !== undefined)).toEqual([])
    }
    // A node records what it counted when it stops.
    await nodes.stopAll()
    const { entries, torn } = await exported()
    expect(torn).toEqual([])
    const of = (operation: string, protocol: string) =>
      entries.filter((entry) => entry.operation === operation && entry.protocol === protocol)
    const sum = (list: readonly UsageEntry[], name: 'calls' | 'sampled') =>
      list.reduce((total, entry) => total + entry[name], 0)
    expect([
      sum(of('clients.search', 'rest'), 'calls'),
      sum(of('clients.search', 'rest'), 'sampled'),
    ]).toEqual([100, 100])
    expect(new Set(of('clients.search', 'rest').map(({ consumer }) => consumer)).size).toBe(2)
    expect(sum(of('accounting.currencies.list', 'jsonrpc'), 'calls')).toBe(50)
    const [search] = of('clients.search', 'jsonrpc')
    expect(search).toMatchObject({
      calls: 50,
      sampled: 50,
      unattributed: 0,
      hits: { [maximum]: { calls: 1 } },
    })
    expect(mergeUsage(entries)).toHaveLength(entries.length)

    const ledger = join(folder, 'ledger.jsonl')
    writeFileSync(ledger, usageLines(entries))
    const review = [
      'diff',
      '1.1.0',
      '2.0.0-rc.1',
      '--usage',
      ledger,
      '--usage-days',
      '1',
      '--usage-calls',
      '100',
    ]
    const today = new Date().toISOString().slice(0, 10)
    const { out, err } = await runDuet(project, [...review, '--fail-on', 'used'])
    expect(out).toContain(`hit by 1 consumer over JSON-RPC, last on ${today}`)
    expect(out).toContain('nobody calls it: no call in 1 day')
    expect(err).toBe('The gate fails: 2 breaking changes in use, or not known to be unused.\n')
  })
})
