import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readVersion } from '../../cli/diff/diff-reading.js'
import { buildModel } from '../../model/build/build.js'
import type { Side } from '../change/side.js'
import { historyOf } from './history.js'
import { renderChangelog } from './render.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))

async function sides(...versions: string[]): Promise<Side[]> {
  const read = versions.map((version) => readVersion(`spec/${version}/openapi.yaml`, root, { buildModel }))
  return (await Promise.all(read)).flatMap(({ side }) => side ?? [])
}

describe('the changelog', () => {
  it('lists the versions of the billing service, newest first', async () => {
    const releases = historyOf(await sides('1.1.0', '2.0.0-rc.1', '1.0.0'))
    expect(
      renderChangelog('Billing', releases, 'text'),
    ).toBe(`2.0.0-rc.1 (since 1.1.0: REST breaking, JSON-RPC breaking, MCP breaking)
  Breaking
    the security requirement jwt was removed
      Send credentials that the new version accepts.
    accounting.currencies.get_rate: GET /accounting/currencies/exchange-rate moved to /accounting/exchange-rate [REST only]
      Call the new path.
    accounting.currencies.search: accounting.currencies.list is now called accounting.currencies.search [JSON-RPC only]
      Call it by the new name.
    accounting.currencies.search: the tool accounting_currencies_list is now called accounting_currencies_search [MCP only]
      Call it by the new name.
    clients.search, lnp.gateways.search: the query parameter limit: \`maximum\` became smaller (1000 to 100)
      Send only values that the new version accepts.
    iam.auth.jwt.authenticate: POST /iam/auth/jwt/authenticate was removed before its sunset 2027-06-30
      Stop calling it.
    iam.auth.jwt.refresh: POST /iam/auth/jwt/refresh was removed before its sunset 2027-06-30
      Stop calling it.

1.1.0 (since 1.0.0: REST compatible, JSON-RPC compatible, MCP compatible)
  Added
    accounting.currencies.get_rate: GET /accounting/currencies/exchange-rate is the tool accounting_currencies_get_rate [MCP only]
    accounting.currencies.get_rate, clients.get, …: Problem.retryAfter of responses was added (optional)
    accounting.currencies.list: GET /accounting/currencies was added
    clients.get: GET /clients/{id} is the tool clients_get [MCP only]
    clients.get, clients.update: the header ETag of the response 200 was added [REST only]
    clients.get, clients.update: Client.version of responses was added (required)
    clients.search: GET /clients was added
    clients.update: the error precondition_failed (412, -32012) was added
    clients.update: the error idempotency_key_reused (422, -32022) was added
    clients.update: the response 412 was added [REST only]
    clients.update: the response 422 was added [REST only]
    clients.update: PATCH /clients/{id} is the tool clients_update [MCP only]
    clients.update: the header parameter If-Match (expected_version over JSON-RPC) was added
    clients.update: the header parameter Idempotency-Key (idempotency_key over JSON-RPC) was added
    clients.update: name of the request body was added (optional)
    lnp.gateways.get: GET /lnp/gateways/{id} was added
    lnp.gateways.search: GET /lnp/gateways is the tool lnp_gateways_search [MCP only]
    lnp.gateways.search: the query parameter credentials_id was added
  Deprecated
    iam.auth.jwt.authenticate: deprecated; it ends on 2027-06-30
    iam.auth.jwt.refresh: deprecated; it ends on 2027-06-30

1.0.0 (the first version)
  Added
    accounting.currencies.get_rate: GET /accounting/currencies/exchange-rate
    clients.get: GET /clients/{id}
    clients.update: PATCH /clients/{id}
    iam.auth.jwt.authenticate: POST /iam/auth/jwt/authenticate
    iam.auth.jwt.refresh: POST /iam/auth/jwt/refresh
    lnp.gateways.search: GET /lnp/gateways
  Deprecated
    iam.auth.jwt.authenticate: deprecated; no end is announced
    iam.auth.jwt.refresh: deprecated; no end is announced
`)
  })

  it('puts pre-releases before their releases, and compares neighbours', async () => {
    const [side] = await sides('1.0.0')
    const named = ['2.0.0', '1.10.0', '2.0.0-rc.1', '1.9.0', '2.0.0-rc.10'].flatMap((version) =>
      side === undefined ? [] : [{ ...side, version }],
    )
    expect(historyOf(named).map(({ version, since }) => [version, since])).toEqual([
      ['2.0.0', '2.0.0-rc.10'],
      ['2.0.0-rc.10', '2.0.0-rc.1'],
      ['2.0.0-rc.1', '1.10.0'],
      ['1.10.0', '1.9.0'],
      ['1.9.0', null],
    ])
  })

  it('says that a version changes nothing', async () => {
    const [side] = await sides('1.0.0')
    const same = side === undefined ? [] : [side, { ...side, version: '1.0.1' }]
    expect(renderChangelog('Billing', historyOf(same), 'text')).toMatch(
      /^1\.0\.1 \(since 1\.0\.0: REST identical, JSON-RPC identical\)\n {2}no changes\n/,
    )
  })

  it('is Markdown without markup from documents, and JSON', async () => {
    const releases = historyOf(await sides('1.0.0', '1.1.0'))
    const lines = renderChangelog('<b>@billing', releases, 'markdown').split('\n')
    expect(lines.slice(0, 7)).toEqual([
      '# Changes of &lt;b&gt;@\u200bbilling',
      '',
      '## 1.1.0',
      '',
      'Since 1.0.0: REST compatible, JSON-RPC compatible, MCP compatible.',
      '',
      '### Added',
    ])
    expect(lines).toContain('- `lnp.gateways.get`: GET /lnp/gateways/\\{id\\} was added')
    const [newest] = JSON.parse(renderChangelog('Billing', releases, 'json')).releases
    expect(newest.entries.deprecated[0]).toEqual({
      operation: 'iam.auth.jwt.authenticate',
      message: 'deprecated; it ends on 2027-06-30',
      protocols: ['rest', 'jsonrpc'],
    })
  })

  it('has the day of each version where it is known', async () => {
    const releases = historyOf(await sides('1.0.0', '1.1.0'))
    const surroundings = { days: new Map([['1.1.0', '2026-05-01']]), references: new Map() }
    expect(renderChangelog('Billing', releases, 'text', surroundings)).toMatch(
      /^1\.1\.0 \(2026-05-01, since 1\.0\.0: [\s\S]*\n1\.0\.0 \(the first version\)\n/,
    )
    expect(renderChangelog('Billing', releases, 'markdown', surroundings)).toContain(
      '\n## 1.1.0 (2026-05-01)\n',
    )
  })
})
