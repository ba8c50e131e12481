import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { loadDocument } from '../load/load.js'
import { buildModel } from '../model/build/build.js'
import { emitReference } from './site.js'

const text = { type: 'string' }
const zone = { name: 'zone', in: 'query', schema: text }
const limit = { name: 'limit', in: 'query', required: true, schema: { type: 'integer' } }
const content = (schema: object) => ({ 'application/json': { schema } })
const client = { $ref: '#/components/schemas/Client' }
const base = {
  type: 'object',
  required: ['name'],
  properties: { id: text, name: text, address: { type: 'object', properties: { street: text, city: text } } },
}
const operation = (name: string, more: object = {}) => ({
  'x-rpc-method': name,
  responses: { 200: { description: 'Fine', content: content(client) } },
  ...more,
})

/** A document whose author wrote nothing in the order of the alphabet. */
const document = {
  openapi: '3.1.1',
  info: { title: 'Shop', version: '1.0.0' },
  paths: {
    '/clients': {
      post: operation('clients.create', {
        requestBody: {
          required: true,
          content: content({ ...base, properties: { ...base.properties, $note: text } }),
        },
      }),
      get: operation('clients.search', { parameters: [zone, limit] }),
    },
    '/clients/{id}': {
      get: operation('clients.get', {
        parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
      }),
    },
    '/banks': { get: operation('banks.search') },
    '/accounts': { get: operation('accounts.search') },
  },
  components: { schemas: { Client: { allOf: [base, { properties: { since: text, credit: text } }] } } },
}

let files = new Map<string, string>()

beforeAll(async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'duet-order-'))
  writeFileSync(join(cwd, 'openapi.json'), JSON.stringify(document))
  const loaded = loadDocument('openapi.json', { cwd })
  rmSync(cwd, { recursive: true })
  const model = loaded.document && buildModel(loaded.document).model
  if (model === undefined) throw new Error('The document has no model')
  files = await emitReference(model, { versions: [], module: 'shop/client' })
})

function found(page: string, pattern: RegExp): string[] {
  const text = files.get(`reference/${page}`) ?? ''
  return [...text.matchAll(pattern)].map((match) => match[1] ?? '')
}

it('keeps the order of operations, and of tags that the document does not list', () => {
  expect(found('clients.html', /<section class="operation" id="([^"]+)"/g)).toEqual([
    'clients.create',
    'clients.search',
    'clients.get',
  ])
  expect(found('schemas.html', /class="namespace" href="(\w+)\.html"/g)).toEqual([
    'clients',
    'banks',
    'accounts',
  ])
})

it('keeps the order of parameters and of properties, required or not, those of allOf too', () => {
  expect(found('clients.html', /id="clients\.create\/([\w/$]+)"/g).slice(0, 6)).toEqual([
    'id',
    'name',
    'address',
    'address/street',
    'address/city',
    '$note',
  ])
  expect(found('clients.html', /id="clients\.search\/([\w/]+)"/g).slice(0, 2)).toEqual(['zone', 'limit'])
  expect(found('schema.client.html', /id="field\/([\w/]+)"/g)).toEqual([
    'id',
    'name',
    'address',
    'address/street',
    'address/city',
    'since',
    'credit',
  ])
})

it('shows the members of examples in the same order', () => {
  const [example = ''] = found('schema.client.html', /<code>(\{[^<]*)<\/code>/g)
  expect([...example.matchAll(/"(\w+)":|&quot;(\w+)&quot;:/g)].map((match) => match[1] ?? match[2])).toEqual([
    'id',
    'name',
    'address',
    'street',
    'city',
    'since',
    'credit',
  ])
})

it('marks what a request needs, and what a response may omit', () => {
  const marks = (page: string, id: string): string[] =>
    found(page, new RegExp(`id="${id}/(\\w+">(?:(?!<li).)*?class="(?:required|optional))"`, 'gs')).map(
      (text) => text.replace(/">.*"/s, ' '),
    )
  expect(marks('clients.html', 'clients.create').slice(0, 1)).toEqual(['name required'])
  expect(marks('schema.client.html', 'field')).toEqual([
    'id optional',
    'address optional',
    'since optional',
    'credit optional',
  ])
})

it('names responses by their status', () => {
  const [response = ''] = found('clients.html', /<p class="result">(.*)<\/p>/g)
  expect(response.replaceAll(/<[^>]*>/g, '')).toBe('200 Client')
})
