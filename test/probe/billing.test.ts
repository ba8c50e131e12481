// @module-tag long

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contract } from '@billing/api/1.1.0'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { runDuet } from '../in-process.js'
import { startServiceHere, type TestService } from '../service-process.js'
import { type Passing, type PassingService, spoilingProxy } from './spoiling-proxy.js'

let service: TestService
let proxy: PassingService | undefined

beforeAll(async () => {
  service = await startServiceHere({ API_VERSION: '1.1.0' })
})
beforeEach(() => void vi.stubEnv('DUET_API_KEY', service.user('reseller-a').apiKey))
afterEach(async () => {
  vi.unstubAllEnvs()
  await proxy?.close()
  proxy = undefined
})
afterAll(async () => {
  await service.stop()
  service.remove()
})

interface Report {
  readonly protocols: readonly string[]
  readonly counts: { readonly reached: number }
  readonly findings: readonly {
    kind: string
    operation: string
    protocol: string
    message: string
    curl: string
  }[]
}

async function report(url: string, ...args: string[]): Promise<Report> {
  const { out, err } = await runDuet(process.cwd(), [
    ...['test', url, '--seed', '1', '--rate', '9999', '--format', 'json'],
    ...args,
  ])
  expect(err).toBe('')
  return JSON.parse(out)
}

async function findings(url: string, ...args: string[]): Promise<string[]> {
  const { findings } = await report(url, ...args)
  return findings.map(({ kind, operation, protocol }) => `${kind} ${operation} ${protocol}`)
}

async function findsNothing(version: string): Promise<void> {
  const { findings, protocols, counts } = await report(`${service.url}/${version}`, '--unsafe')
  expect(findings).toEqual([])
  // 1.0.0 has no tools.
  expect(protocols).toEqual(['REST', 'JSON-RPC', ...(version === '1.0.0' ? [] : ['MCP'])])
  expect(counts.reached).toBeGreaterThan(3)
}

it.each(['1.0.0', '1.1.0', '2.0.0-rc.1'])('finds nothing on the billing service: %s', findsNothing)

// test/probe/faults.test.ts finds the same in a server of a few lines.
type Row = [title: string, fault: Parameters<typeof spoilingProxy>[1], found: string[]]

it.each<Row>([
  [
    'a result that breaks its schema, which the others have right',
    {
      answered: (passing, method, { pathname }) => {
        if (method === 'GET' && /^\/clients\/\d+$/.test(pathname)) credited(passing)
      },
    },
    [
      'body-invalid clients.get rest',
      'protocols-differ clients.get jsonrpc',
      'protocols-differ clients.get mcp',
    ],
  ],
  ['nothing where there is no fault', {}, []],
  [
    'a wrong status',
    {
      answered: (passing, method, { pathname }) => {
        if (method === 'GET' && pathname === '/clients' && passing.status === 200) passing.status = 202
      },
    },
    ['undeclared-status clients.search rest'],
  ],
  [
    'a call that is taken although it is invalid',
    {
      asked: (url) => {
        if (url.pathname === '/clients' && Number(url.searchParams.get('limit')) > 1000)
          url.searchParams.set('limit', '1000')
        return url
      },
    },
    [
      'invalid-call-accepted clients.search rest',
      'protocols-differ clients.search jsonrpc',
      'protocols-differ clients.search mcp',
    ],
  ],
])('finds %s', finds)

async function finds(...[, fault, expected]: Row): Promise<void> {
  proxy = await spoilingProxy(service.url, fault)
  // The operations that a fault spoils are enough to see it.
  const skipped = Object.keys(contract.operations).filter((name) => !/^clients\.(get|search)$/.test(name))
  const data = join(service.dataDirectory, 'skipped.json')
  const operations = Object.fromEntries(skipped.map((name) => [name, { skip: true }]))
  writeFileSync(data, JSON.stringify({ operations }))
  expect(await findings(proxy.url, '--data', data)).toEqual(expected)
}

/** `"credit": "250.5"` in place of a number. */
function credited(passing: Passing): void {
  const client = JSON.parse(passing.body)
  if (typeof client.credit === 'number')
    passing.body = JSON.stringify({ ...client, credit: String(client.credit) })
}

it('finds the calls of an earlier version that the next one refuses, as a review of the two says', async () => {
  const found = await findings(`${service.url}/2.0.0-rc.1`, '--against', '1.1.0')
  expect(found.sort()).toEqual([
    // The path moved, the method stayed.
    'earlier-call-refused accounting.currencies.get_rate rest',
    // The method and the tool have another name, the path stayed.
    'earlier-call-refused accounting.currencies.list jsonrpc',
    'earlier-call-refused accounting.currencies.list mcp',
    // At most 100, where 1000 was allowed.
    'earlier-call-refused clients.search jsonrpc',
    'earlier-call-refused clients.search mcp',
    'earlier-call-refused clients.search rest',
    'earlier-call-refused lnp.gateways.search jsonrpc',
    'earlier-call-refused lnp.gateways.search mcp',
    'earlier-call-refused lnp.gateways.search rest',
  ])
  expect(await findings(`${service.url}/1.1.0`, '--against', '1.0.0')).toEqual([])
})
