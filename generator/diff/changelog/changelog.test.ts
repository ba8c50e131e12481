import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sidesOf } from '../../../test/diff/compared.js'
import { readVersion } from '../../cli/diff/diff-reading.js'
import { buildModel } from '../../model/build/build.js'
import type { Side } from '../change/side.js'
import { historyOf } from './history.js'
import { renderChangelog } from './render.js'

const order = '{ type: object, required: [id], properties: { id: { type: integer } } }'
const versioned =
  '{ type: object, required: [id, version], properties: { id: { type: integer }, version: { type: integer } } }'
const id = '[{ name: id, in: path, required: true, schema: { type: integer } }]'
const fine =
  "'200': { description: Fine, content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } }"

/** The operations of all versions that answer with an order. */
const orders = ({
  list,
  most,
  path,
  more = `responses: { ${fine} }`,
}: {
  list: string
  most: number
  path: string
  more?: string
}) => `
  /orders:
    get:
      x-rpc-method: ${list}
      parameters: [{ name: limit, in: query, schema: { type: integer, maximum: ${most} } }]
      responses: { ${fine} }
  ${path}:
    delete: { x-rpc-method: orders.cancel, parameters: ${id}, responses: { ${fine} } }
    get: { x-rpc-method: orders.get, parameters: ${id}, ${more} }
`
const closed = `x-mcp: true, x-errors: [order_closed], responses: { ${fine}, '410': { description: Closed } }`

const shop: Readonly<Record<string, string>> = {
  '1.0.0': `
openapi: 3.1.1
info: { title: Shop, version: 1.0.0 }
components: { schemas: { Order: ${order} } }
paths:
  /tokens:
    post: { x-rpc-method: tokens.create, deprecated: true, responses: { '204': { description: Done } } }
${orders({ list: 'orders.list', most: 1000, path: '/orders/{id}' })}`,
  '1.1.0': `
openapi: 3.1.1
info: { title: Shop, version: 1.1.0 }
x-errors: { order_closed: { title: Closed, status: 410, rpc: -32011 } }
components: { schemas: { Order: ${versioned} } }
paths:
  /customers/{id}:
    get: { x-rpc-method: customers.get, parameters: ${id}, responses: { '204': { description: Done } } }
  /tokens:
    post:
      x-rpc-method: tokens.create
      deprecated: true
      x-sunset: 2027-06-30
      responses: { '204': { description: Done } }
${orders({ list: 'orders.list', most: 1000, path: '/orders/{id}', more: closed })}`,
  '2.0.0-rc.1': `
openapi: 3.1.1
info: { title: Shop, version: 2.0.0-rc.1 }
x-errors: { order_closed: { title: Closed, status: 410, rpc: -32011 } }
components: { schemas: { Order: ${versioned} } }
paths:
  /customers/{id}:
    get: { x-rpc-method: customers.get, parameters: ${id}, responses: { '204': { description: Done } } }
${orders({ list: 'orders.search', most: 100, path: '/all-orders/{id}', more: closed })}`,
}

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'duet-changelog-'))
  for (const [version, text] of Object.entries(shop)) {
    mkdirSync(join(root, version))
    writeFileSync(join(root, version, 'openapi.yaml'), text)
  }
})
afterAll(() => rmSync(root, { recursive: true }))

async function sides(...versions: string[]): Promise<Side[]> {
  const read = versions.map((version) => readVersion(`${version}/openapi.yaml`, root, { buildModel }))
  return (await Promise.all(read)).flatMap(({ side }) => side ?? [])
}

describe('the changelog', () => {
  it('lists the versions, newest first', async () => {
    const releases = historyOf(await sides('1.1.0', '2.0.0-rc.1', '1.0.0'))
    expect(
      renderChangelog('Shop', releases, 'text'),
    ).toBe(`2.0.0-rc.1 (since 1.1.0: REST breaking, JSON-RPC breaking, MCP identical)
  Breaking
    orders.cancel: DELETE /orders/{id} moved to /all-orders/{id} [REST only]
      Call the new path.
    orders.get: GET /orders/{id} moved to /all-orders/{id} [REST only]
      Call the new path.
    orders.search: orders.list is now called orders.search [JSON-RPC only]
      Call it by the new name.
    orders.search: the query parameter limit: \`maximum\` became smaller (1000 to 100)
      Send at most 100.
    tokens.create: POST /tokens was removed before its sunset 2027-06-30
      Stop calling it.

1.1.0 (since 1.0.0: REST compatible, JSON-RPC compatible, MCP compatible)
  Added
    customers.get: GET /customers/{id} was added
    Order.version of responses was added (required) in 3 operations: orders.cancel, orders.get, orders.list
    orders.get: the error order_closed (410, -32011) was added
    orders.get: the response 410 was added [REST only]
    orders.get: GET /orders/{id} is the tool orders_get [MCP only]
  Deprecated
    tokens.create: deprecated; it ends on 2027-06-30

1.0.0 (the first version)
  Added
    orders.cancel: DELETE /orders/{id}
    orders.get: GET /orders/{id}
    orders.list: GET /orders
    tokens.create: POST /tokens
  Deprecated
    tokens.create: deprecated; no end is announced
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
    expect(renderChangelog('Shop', historyOf(same), 'text')).toMatch(
      /^1\.0\.1 \(since 1\.0\.0: REST identical, JSON-RPC identical\)\n {2}no changes\n/,
    )
  })

  it('is Markdown without markup from documents, and JSON', async () => {
    const releases = historyOf(await sides('1.0.0', '1.1.0'))
    const lines = renderChangelog('<b>@shop', releases, 'markdown').split('\n')
    expect(lines.slice(0, 7)).toEqual([
      '# Changes of &lt;b&gt;@\u200bshop',
      '',
      '## 1.1.0',
      '',
      'Since 1.0.0: REST compatible, JSON-RPC compatible, MCP compatible.',
      '',
      '### Added',
    ])
    expect(lines).toContain('- `customers.get`: GET /customers/\\{id\\} was added')
    const [newest] = JSON.parse(renderChangelog('Shop', releases, 'json')).releases
    expect(newest.entries.deprecated[0]).toEqual({
      operation: 'tokens.create',
      message: 'deprecated; it ends on 2027-06-30',
      protocols: ['rest', 'jsonrpc'],
    })
  })

  it('has the day of each version where it is known', async () => {
    const releases = historyOf(await sides('1.0.0', '1.1.0'))
    const surroundings = { days: new Map([['1.1.0', '2026-05-01']]), references: new Map() }
    expect(renderChangelog('Shop', releases, 'text', surroundings)).toMatch(
      /^1\.1\.0 \(2026-05-01, since 1\.0\.0: [\s\S]*\n1\.0\.0 \(the first version\)\n/,
    )
    expect(renderChangelog('Shop', releases, 'markdown', surroundings)).toContain('\n## 1.1.0 (2026-05-01)\n')
  })
})

it('advice on credentials names the schemes that are left, also if the whole document requires them', async () => {
  const api = (version: string, security: string) => `
openapi: 3.1.1
info: { title: Shop, version: ${version} }
${security}
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
    jwt: { type: http, scheme: bearer }
paths:
  /login: { post: { security: [], responses: { '204': { description: Done } } } }
  /orders: { get: { responses: { '204': { description: Done } } } }
`
  const sides = await sidesOf(
    api('1.0.0', 'security: [{ key: [] }, { jwt: [] }]'),
    api('1.1.0', 'security: [{ key: [] }]'),
  )
  const [{ entries } = { entries: { breaking: [] } }] = historyOf(sides)
  expect(entries.breaking.map(({ advice }) => advice)).toEqual(['Send credentials of key.'])
})
