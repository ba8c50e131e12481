// @module-tag long

import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runDuet } from '../../../test/in-process.js'
import type { JsonObject } from '../../document/document.js'
import { own } from '../../document/json.js'

let cwd: string
let document: Draft

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'duet-incremental-'))
  mkdirSync(join(cwd, 'node_modules'))
  document = shop()
  expect(await generate('out')).toMatchObject({ code: 0 })
})

afterAll(() => rmSync(cwd, { recursive: true }))

// Each edit is made on top of those before it, as people work. After each, the run with the cache of all earlier
// runs must write and report what a run without a cache does.
it.each<[edit: string, make: () => void, code?: number]>([
  ['a parameter', () => add({ name: 'q', in: 'query', schema: { type: 'string' } })],
  [
    'a default of a property that another operation requires',
    () => {
      add({ name: 'filter', in: 'query', schema: { properties: { note: { type: 'integer', default: 3 } } } })
    },
  ],
  [
    'a response that another operation refers to',
    () => {
      const { responses } = own(document.paths['/items'] as never, 'post') as unknown as DraftOperation
      Object.assign(responses[200], { headers: { 'X-Left': { schema: { type: 'integer' } } } })
    },
  ],
  [
    'a component that an operation uses in another form',
    () => {
      const { properties } = document.components.schemas.Item
      Object.assign(properties, { secret: { type: 'string', writeOnly: true } })
      Object.assign(list(), { responses: answer({ $ref: '#/components/schemas/Size' }) })
    },
  ],
  [
    'the operations of a path',
    () => {
      delete document.paths['/items/{id}']?.get
      Object.assign(document.paths['/items'] ?? {}, { delete: operation('removeAll') })
    },
  ],
  [
    'a name that is taken',
    () => {
      Object.assign(list(), { operationId: 'searchItems' })
      Object.assign(document.paths, { '/search': { get: operation('search_items') } })
    },
  ],
  [
    'an operation that takes the symbols of another',
    () =>
      Object.assign(document.paths, {
        '/ready': { get: operation('isReady', { 'x-rpc-method': 'is.ready' }) },
      }),
  ],
  [
    'a component named like a type of an operation',
    () => Object.assign(document.components.schemas, { ItemsAddParams: { type: 'string' } }),
  ],
  [
    'parameters of a path',
    () => {
      const parameters = [{ name: 'shop', in: 'query', schema: { type: 'string', maxLength: 9 } }]
      Object.assign(document.paths['/items'] ?? {}, { parameters })
    },
  ],
  [
    'a shared parameter',
    () => {
      const page = { name: 'page', in: 'query', schema: { type: 'integer', default: 1 } }
      Object.assign(document.components, { parameters: { page } })
      add({ $ref: '#/components/parameters/page' })
    },
  ],
  ['a tag', () => Object.assign(list(), { tags: ['stock'] })],
  [
    'what all operations share',
    () => {
      Object.assign(document, { servers: [{ url: 'https://shop.example/v2' }], security: [{ key: [] }] })
      Object.assign(document.info, { description: 'A *shop*.' })
    },
  ],
  [
    'an error code',
    () => {
      Object.assign(document, { 'x-errors': { sold_out: { title: 'Sold out', status: 409, rpc: -32050 } } })
      Object.assign(list(), { 'x-error-codes': ['sold_out'] })
    },
  ],
  ['a reference, which leads nowhere,', () => add({ $ref: '#/components/parameters/none' }), 3],
  ['that reference', () => list().parameters.pop()],
  [
    'a parameter with a warning',
    () => add({ name: 'at', in: 'query', schema: { type: 'string', format: 'uri', default: '' } }),
  ],
  [
    'a parameter, after pages were edited and deleted,',
    () => {
      write('out/reference/health.html', 'edited')
      rmSync(join(cwd, 'out/reference/schemas.html'))
      add({ name: 'more', in: 'query', schema: { type: 'string' } })
    },
  ],
  [
    'the type of int64',
    () => {
      configure({ int64: 'bigint' })
      const { properties } = document.components.schemas.Item
      Object.assign(properties, { big: { type: 'integer', format: 'int64' } })
    },
  ],
  ['the operations that count', () => configure({ include: { tags: ['items'] } })],
  ['the naming', () => configure({ naming: 'path' })],
  [
    'a template',
    () => {
      write('own/reference/top.hbs', '<p>Ours</p>')
      configure({ templates: 'own' })
    },
  ],
  [
    'everything back to the first document',
    () => {
      configure({})
      document = shop()
    },
  ],
])('after a change of %s a run writes what a run without the cache does', async (_, make, code = 0) => {
  make()
  // Names of the generated version stay, so both begin with the same.
  rmSync(join(cwd, 'fresh'), { recursive: true, force: true })
  cpSync(join(cwd, 'out'), join(cwd, 'fresh'), { recursive: true })
  const kept = await generate('out')
  const fresh = await generate('fresh', '--no-cache')
  expect(kept).toEqual(fresh)
  expect(kept.code).toBe(code)
  expect(tree('out')).toEqual(tree('fresh'))
})

async function generate(out: string, ...options: string[]) {
  write('api.json', JSON.stringify(document, null, 1))
  const { code, err } = await runDuet(cwd, ['generate', 'api.json', '--out', out, '--verbose', ...options])
  return { code, err }
}

function configure(settings: object): void {
  write('duet.config.json', JSON.stringify({ package: '@shop/api', ...settings }))
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(cwd, path)), { recursive: true })
  writeFileSync(join(cwd, path), text)
}

function tree(folder: string): Record<string, string> {
  const root = join(cwd, folder)
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()
  const files = paths.filter((path) => statSync(join(root, path)).isFile())
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

interface DraftOperation {
  operationId: string
  readonly parameters: object[]
  readonly responses: { readonly 200: object }
}

interface Draft {
  readonly info: object
  readonly paths: Record<string, Record<string, DraftOperation | object[]>>
  readonly components: { readonly schemas: { readonly Item: { readonly properties: object } } }
}

/** The operation that most edits change. */
const list = (): DraftOperation => own(document.paths['/items'] as unknown as JsonObject, 'get') as never

const add = (parameter: object) => list().parameters.push(parameter)

const answer = (schema: object) => ({
  200: { description: 'Done', content: { 'application/json': { schema } } },
})

const operation = (operationId: string, more: object = {}) => ({
  ...{ operationId, tags: ['items'], parameters: [] as object[] },
  responses: answer({ $ref: '#/components/schemas/Item' }),
  ...more,
})

function shop(): Draft {
  const body = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Item' } } } }
  const properties = { note: { type: 'integer' }, next: { type: 'integer' } }
  const dependentSchemas = { note: { required: ['next'] } }
  const change = {
    content: { 'application/json': { schema: { type: 'object', properties, dependentSchemas } } },
  }
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }]
  return {
    ...{ openapi: '3.1.1', info: { title: 'Shop', version: '1.0.0' } },
    paths: {
      '/items': { get: operation('listItems'), post: operation('addItem', { requestBody: body }) },
      '/items/{id}': {
        get: operation('getItem', { parameters }),
        put: operation('changeItem', { parameters, requestBody: change }),
        patch: operation('markReady', { parameters, 'x-rpc-method': 'is_ready' }),
      },
      '/health': {
        get: operation('getHealth', {
          tags: ['health'],
          responses: { 200: { $ref: '#/paths/~1items/post/responses/200' } },
        }),
      },
    },
    components: {
      schemas: {
        Item: {
          type: 'object',
          required: ['size'],
          properties: {
            id: { type: 'string', readOnly: true },
            size: { $ref: '#/components/schemas/Size' },
            next: { $ref: '#/components/schemas/Item' },
          },
        },
        Size: { type: 'integer', minimum: 1, default: 2 },
      },
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    },
  } as Draft
}
