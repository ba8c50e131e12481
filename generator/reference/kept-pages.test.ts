import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { contentDigest } from '../cache/store.js'
import { examine } from '../cli/shared/examine.js'
import type { Json } from '../document/document.js'
import { buildModel } from '../model/build/build.js'
import type { Model } from '../model/model.js'
import type { Neighbours } from './neighbours.js'
import { emitReference } from './site.js'

const operation = (summary: string, type: string) => ({
  summary,
  responses: { 200: { description: 'd', content: { 'application/json': { schema: { $ref: type } } } } },
})

const sent = (schema: object, example?: object) => ({
  summary: 'Invoice paid',
  description: 'Sent *once*.',
  requestBody: { content: { 'application/json': { schema, ...(example && { example }) } } },
  responses: { 200: { description: 'd' } },
})

const document = () => ({
  openapi: '3.1.1',
  info: { title: 'Shop', version: '1.0.0', description: 'One' },
  servers: [{ url: '/v1' }],
  paths: {
    '/clients': { get: operation('All clients', '#/components/schemas/Client') },
    '/orders': { get: operation('All orders', '#/components/schemas/Order') },
  },
  components: {
    schemas: {
      Client: {
        type: 'object',
        properties: { name: { type: 'string', description: 'a name' }, zone: { type: 'string' } },
      },
      Order: { type: 'object', properties: { client: { $ref: '#/components/schemas/Client' } } },
    },
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
  },
  'x-errors': {},
})

type Document = ReturnType<typeof document>

const alone: Neighbours = {
  versions: [{ version: '1.0.0', pages: ['index.html'] }],
  module: '@shop/api/1.0.0/client',
}

const changed: Readonly<
  Record<string, readonly [change: (document: Document) => void, neighbours?: Neighbours]>
> = {
  nothing: [() => {}],
  'a summary': [(it) => Object.assign(it.paths['/orders'].get, { summary: 'Every order' })],
  'why something of an operation is assumed': [
    (it) => Object.assign(it.paths['/orders'].get, { 'x-assumed': { security: 'Not shown.' } }),
  ],
  'a component that one refers to by another': [
    (it) => Object.assign(it.components.schemas.Client.properties.name, { description: 'another' }),
  ],
  'the order of properties': [
    (it) => {
      const { name, zone } = it.components.schemas.Client.properties
      it.components.schemas.Client.properties = { zone, name }
    },
  ],
  'the parameter of the time zone': [
    (it) =>
      Object.assign(it.paths['/orders'], {
        parameters: [{ name: '__tz', in: 'query', description: 'Where one is', schema: { type: 'string' } }],
      }),
  ],
  'the base path': [(it) => Object.assign(it.servers[0] ?? {}, { url: '/v2' })],
  'the title': [(it) => Object.assign(it.info, { title: 'Store' })],
  'a security scheme': [(it) => Object.assign(it.components.securitySchemes.key, { name: 'X-Other' })],
  'an error': [(it) => Object.assign(it['x-errors'], { gone: { title: 'Gone', status: 410, rpc: -32010 } })],
  'a webhook': [
    (it) => Object.assign(it, { webhooks: { paid: { post: sent({ $ref: '#/components/schemas/Order' }) } } }),
  ],
  'one more operation': [(it) => Object.assign(it.paths, { '/items': it.paths['/orders'] })],
  'one more version': [
    () => {},
    { ...alone, versions: [...alone.versions, { version: '0.9.0', pages: [] }] },
  ],
  'the package': [() => {}, { ...alone, module: '@store/api/1.0.0/client' }],
  'what changed since the version before': [
    () => {},
    {
      ...alone,
      changes: async () => ({
        since: '0.9.0',
        changes: [
          {
            level: 'breaking',
            protocols: ['rest'],
            operations: ['orders.list'],
            message: 'now less',
            schema: null,
          },
        ],
      }),
    },
  ],
  'what a component says since the version before': [
    () => {},
    {
      ...alone,
      changes: async () => ({
        since: '0.9.0',
        changes: [
          { level: 'info', protocols: ['rest'], operations: [], message: 'other words', schema: 'Client' },
        ],
      }),
    },
  ],
}

it.each(Object.entries(changed))(
  '%s changed: pages kept from before make no difference',
  async (_, [change, beside = alone]) => {
    const kept = new Map<string, Json>()
    const pieces = {
      get: (...key: readonly string[]) => kept.get(JSON.stringify(key)),
      set: (digest: Json, ...key: readonly string[]) => void kept.set(JSON.stringify(key), digest),
    }
    const first = { pieces, makers: new Map() }
    await emitReference(await modelOf(document()), alone, { known: first })
    expect([kept.size, first.makers.size]).toEqual([5, 0])
    const later = document()
    change(later)
    const model = await modelOf(later)
    const second = { pieces, makers: new Map<string, () => Promise<string>>() }
    const made = await emitReference(model, beside, { known: second })
    const wanted = await emitReference(model, beside)
    for (const [path, make] of second.makers) {
      const text = await make()
      expect(made.get(path)).toBe(contentDigest(text))
      made.set(path, text)
    }
    expect(made).toEqual(wanted)
  },
)

it('the link to the start has a name if the document has no title', async () => {
  const pages = await emitReference(
    await modelOf({ ...document(), info: { title: '', version: '1' } }),
    alone,
  )
  expect(pages.get('reference/index.html')).toContain('<a href="index.html">API</a>')
})

async function modelOf(value: object): Promise<Model> {
  const folder = mkdtempSync(join(tmpdir(), 'duet-pages-'))
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(value))
  const { model, diagnostics } = await examine('openapi.json', folder, { buildModel })
  rmSync(folder, { recursive: true })
  return model ?? expect.fail(JSON.stringify(diagnostics))
}

it('the start page has a base URL if the document names no server', async () => {
  const start = async (servers: object) =>
    (await emitReference(await modelOf({ ...document(), ...servers }), alone)).get('reference/index.html')
  expect(await start({ servers: [] })).toContain(
    '<li data-server="/"><code>/</code> <span class="muted">On the host',
  )
  expect(await start({})).not.toContain('On the host')
})

it('shows what the service sends, and no sections about calls if there are no operations', async () => {
  const body = { type: 'object', properties: { invoice: { type: 'string', description: 'Its number.' } } }
  const hooks = {
    ...document(),
    webhooks: {
      paid: { post: sent(body, { invoice: 'in_1' }) },
      ordered: { post: sent({ $ref: '#/components/schemas/Order' }) },
    },
  }
  const all = await emitReference(await modelOf(hooks), alone)
  const alike = await emitReference(await modelOf({ ...hooks, paths: {} }), alone)
  for (const pages of [all, alike]) {
    const index = pages.get('reference/index.html') ?? ''
    const [, paid = ''] = index.split('id="webhook-paid"')
    for (const text of ['Invoice paid', '<em>once</em>', 'Its number.', '"invoice": "in_1"'])
      expect(paid).toContain(text)
    expect(index).toContain('href="index.html#webhooks"')
    expect(pages.get('reference/data.js')).toContain('"index.html#webhook-paid"')
    expect(pages.get('reference/schema.order.html')).toContain('href="index.html#webhooks"')
  }
  const calls = ['Every operation', 'id="operations"', 'id="errors"', '__tz', 'menu-title', 'id="base-url"']
  const shown = (pages: Map<string, string>): string =>
    `${pages.get('reference/index.html')}${pages.get('reference/data.js')}`
  for (const text of calls) {
    expect(shown(all)).toContain(text)
    expect(shown(alike)).not.toContain(text)
  }
})
