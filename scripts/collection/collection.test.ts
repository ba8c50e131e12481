import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emit } from '../../generator/emit/emit.js'
import { loadDocument } from '../../generator/load/load.js'
import { contractOf } from '../../generator/mock/contract.js'
import { type Mock, startMock } from '../../generator/mock/server.js'
import { buildModel } from '../../generator/model/build/build.js'
import type { Model } from '../../generator/model/model.js'
import { runDuet } from '../../test/in-process.js'

// The emitter is named by a config file, as a team would; what it writes is then sent to a mock.

const root = fileURLToPath(new URL('../..', import.meta.url))
const cwd = mkdtempSync(join(tmpdir(), 'duet-collection-'))
let model: Model
let collection: Collection

interface Entry {
  readonly key: string
  readonly value: string
  readonly disabled?: true
}

interface Item {
  readonly name: string
  readonly request: {
    readonly method: string
    readonly header: readonly Entry[]
    readonly url: {
      readonly raw: string
      readonly path: readonly string[]
      readonly query: readonly Entry[]
      readonly variable: readonly Entry[]
    }
    readonly body?: { readonly mode: string; readonly raw: string }
  }
}

interface Collection {
  readonly info: { readonly name: string; readonly schema: string }
  readonly item: readonly { readonly name: string; readonly item: readonly Item[] }[]
  readonly variable: readonly Entry[]
}

const duet = (...args: string[]) => runDuet(cwd, args)

beforeAll(async () => {
  cpSync(join(root, 'spec'), join(cwd, 'spec'), { recursive: true })
  const use = join(root, 'scripts/collection/collection.ts')
  const emitters = [{ use, options: { file: 'requests/postman.json' } }]
  writeFileSync(join(cwd, 'duet.config.json'), JSON.stringify({ package: '@billing/api', emitters }))
  expect(await duet('generate')).toMatchObject({ code: 0, err: '' })
  collection = JSON.parse(readFileSync(join(cwd, 'generated/1.0.0/requests/postman.json'), 'utf8'))
  const { document } = loadDocument('spec/1.0.0/openapi.yaml', { cwd: root })
  const built = document && buildModel(document).model
  if (built === undefined) throw new Error('The billing document has no model')
  model = built
})

afterAll(() => rmSync(cwd, { recursive: true }))

describe('the collection', () => {
  it('is a file of the version, and leaves nothing next to its emitter', {
    tags: 'long',
  }, async () => {
    expect((await duet('generate', '--check')).code).toBe(0)
    expect(readdirSync(join(root, 'scripts/collection')).filter((name) => name.startsWith('.'))).toEqual([])
  })

  it('has both protocols of every operation', () => {
    const names = collection.item.flatMap(({ item }) => item.map(({ name }) => name))
    expect(names).toEqual(model.operations.flatMap(({ name }) => [`${name} (REST)`, `${name} (JSON-RPC)`]))
    expect(collection.item.map(({ name }) => name)).toEqual([
      'accounting.currencies',
      'clients',
      'iam.auth.jwt',
      'lnp.gateways',
    ])
  })

  it('says which format it has', () => {
    expect(collection.info).toMatchObject({
      name: 'Billing Service API 1.0.0',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    })
  })

  it('has the params of a path as variables, and credentials and the zone as variables of the collection', () => {
    const client = itemNamed('clients.get (REST)')
    expect(client.request.url).toMatchObject({
      raw: '{{baseUrl}}/clients/:id?__tz={{timezone}}',
      path: ['clients', ':id'],
      variable: [{ key: 'id', value: '1' }],
    })
    expect(client.request.header).toContainEqual({ key: 'X-Api-Key', value: '{{auth_apiKey}}' })
    expect(collection.variable.map(({ key }) => key)).toEqual([
      'baseUrl',
      'timezone',
      ...[...model.securitySchemes.keys()].map((scheme) => `auth_${scheme}`),
    ])
  })

  it('names optional query params without sending them', () => {
    const { query } = itemNamed('lnp.gateways.search (REST)').request.url
    expect(query).toContainEqual({ key: 'name', value: '', disabled: true })
  })

  it('has requests that a service accepts', { tags: 'long' }, async () => {
    const contract = await contractOf(await emit(model, [], 'openapi.yaml'))
    const mock = await startMock(model, contract, { host: '127.0.0.1', port: 0, seed: '1' })
    try {
      for (const { item } of collection.item) for (const one of item) await expectTaken(one, mock)
    } finally {
      await mock.close()
    }
  })
})

async function expectTaken({ name, request }: Item, mock: Mock): Promise<void> {
  const values = new Map(collection.variable.map(({ key, value }) => [key, value || 'any']))
  values.set('baseUrl', mock.url)
  const filled = (text: string) =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => values.get(key) ?? '')
  const variables = new Map(request.url.variable.map(({ key, value }) => [`:${key}`, value]))
  const path = request.url.path.map((segment) => variables.get(segment) ?? segment).join('/')
  const query = request.url.query.filter(({ disabled }) => disabled !== true)
  const search = query.map(({ key, value }) => `${key}=${filled(value)}`).join('&')
  const response = await fetch(`${mock.url}/${path}?${search}`, {
    method: request.method,
    headers: request.header.map(({ key, value }): [string, string] => [key, filled(value)]),
    ...(request.body !== undefined && { body: filled(request.body.raw) }),
  })
  const answer = await response.json()
  expect([name, response.status, answer.error]).toEqual([name, 200, undefined])
}

function itemNamed(name: string): Item {
  const found = collection.item.flatMap(({ item }) => item).find((item) => item.name === name)
  if (found === undefined) throw new Error(`There is no ${name}`)
  return found
}
