import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { type Entry, finderOf, type Matches } from '../../templates/reference/script/found.js'
import { examine } from '../cli/shared/examine.js'
import { buildModel } from '../model/build/build.js'
import { addressesOf, shownSchemas } from './address.js'
import { dataScript } from './data.js'

const names = ({ best }: Matches) => best.map(({ name }) => name)

it('finds operations by each word, names before paths, summaries and fields, and names the field', () => {
  const find = finderOf([
    ['clients.get', 'GET', '/clients/{id}', 'Get a client', 'id credit', 'clients.html#clients.get'],
    ['gateways.search', 'GET', '/gateways', 'List for clients', 'limit', 'g.html'],
  ])
  expect(names(find('clients'))).toEqual(['clients.get', 'gateways.search'])
  expect(find('CREDIT').best).toEqual([
    {
      title: 'Get a client',
      name: 'clients.get',
      path: 'GET /clients/{id}',
      href: 'clients.html#clients.get/credit',
      why: 'field credit',
    },
  ])
  expect(find('clients.get credit').best[0]?.why).toBe('field credit')
  expect(names(find('clients limit'))).toEqual(['gateways.search'])
  expect(find(' ')).toEqual({ best: [], total: 0 })
})

describe('the order of results', () => {
  const entry = (name: string, method: string, path: string): Entry => [name, method, path, '', '', name]
  const find = finderOf([
    entry('issues.comments', 'GET', '/repos/{owner}/issues/comments'),
    entry('issues.create', 'POST', '/repos/{owner}/issues'),
    entry('issues.list_for_repo', 'GET', '/repos/{owner}/issues'),
    entry('issues.events', 'GET', '/repos/{owner}/issues-events'),
    entry('activity.get', 'GET', '/users/{name}/user'),
    entry('users.get_authenticated', 'GET', '/user'),
    entry('user.blocks', 'GET', '/user/blocks'),
    entry('user.blocks_of_another', 'GET', '/user/blocks/of/another'),
  ])

  it.each([
    ['/repos/{owner}/issues', ['issues.create', 'issues.list_for_repo', 'issues.comments', 'issues.events']],
    ['GET /repos/{owner}/issues', ['issues.list_for_repo', 'issues.comments', 'issues.events']],
    ['get /user', ['users.get_authenticated', 'user.blocks', 'user.blocks_of_another', 'activity.get']],
    ['user.blocks', ['user.blocks', 'user.blocks_of_another']],
    ['issues', ['issues.create', 'issues.events', 'issues.list_for_repo', 'issues.comments']],
  ])('begins with exact matches of %s, then prefixes, shorter ones first', (text, expected) => {
    expect(names(find(text))).toEqual(expected)
  })

  it('is an operation before a schema, unless that is called just so', () => {
    const find = finderOf([
      ['customer_tax', '', 'schema', '', '', ''],
      ['customer', '', 'schema', '', 'merge_method', ''],
      ['customers.list', 'GET', '/customers', '', 'merge_method', ''],
    ])
    expect(names(find('merge_method'))).toEqual(['customers.list', 'customer'])
    expect(names(find('customer'))).toEqual(['customer', 'customers.list', 'customer_tax'])
  })

  it('is a whole part of a name before a start of one, and that before a middle', () => {
    const entries = ['a.unlisted', 'a.listing', 'a.list'].map((name) => entry(name, 'GET', '/'))
    expect(names(finderOf(entries)('list'))).toEqual(['a.list', 'a.listing', 'a.unlisted'])
    expect(names(finderOf([entry('b.unget.get', 'GET', '/'), entry('b.getter', 'GET', '/')])('get'))).toEqual(
      ['b.unget.get', 'b.getter'],
    )
  })
})

it('puts titles with all of several words first, also if one has a typing error', () => {
  const find = finderOf([
    [
      'codespaces.list_repository_secrets',
      'GET',
      '/repos/{o}/codespaces/secrets',
      'List repository secrets',
      '',
      '',
    ],
    [
      'codespaces.repositories.list',
      'GET',
      '/codespaces/secrets/{s}',
      'List chosen ones of a secret',
      '',
      '',
    ],
    ['repos.for_org', 'GET', '/orgs/{org}/repos', 'List organization repositories', '', ''],
    ['repos.public', 'GET', '/repositories', 'List public repositories', '', ''],
    ['repos.mine', 'GET', '/user/repos', 'List repositories of this user (operationId myRepos)', '', ''],
    ['repositories.list_ids', 'GET', '/ids', 'All identifiers (operationId repositories/list)', '', ''],
  ])
  const expected = [
    ...['repos.mine', 'repos.public', 'repos.for_org'],
    ...['codespaces.repositories.list', 'repositories.list_ids'],
  ]
  expect(names(find('list repositories'))).toEqual(expected)
  expect(names(find('list repositoies'))).toEqual(expected)
})

describe('a path with values', () => {
  const find = finderOf([
    ['clients.get', 'GET', '/v1/clients/{id}', 'Get a client', '', ''],
    ['clients.delete', 'DELETE', '/v1/clients/{id}', 'Delete a client', '', ''],
    ['clients.me', 'GET', '/v1/clients/me', 'Get this client', '', ''],
    ['files.get', 'GET', '/v1/files/{name}.{type}', 'Get a file', '', ''],
    ['things.get', 'GET', '/v1/{kind}/{id}', 'Get a thing', '', ''],
  ])

  it.each([
    ['/clients/7', ['clients.get', 'clients.delete']],
    ['/v1/clients/7', ['clients.get', 'clients.delete', 'things.get']],
    ['/v1/clients/7?fields=id', ['clients.get', 'clients.delete', 'things.get']],
    ['delete /clients/7', ['clients.delete']],
    ['/files/a.txt', ['files.get']],
    ['/clients/7/8', []],
  ])('finds its operations, those with the fewest parameters first: %s', (text, expected) => {
    expect(names(find(text))).toEqual(expected)
  })
})

describe('a typing error', () => {
  const find = finderOf([
    ['payment_intents.create', 'POST', '/v1/payment_intents', 'Create payment intent', '', ''],
    ['clients.get', 'GET', '/clients/{id}', 'Get a client', 'credit amount amount_captured', ''],
  ])

  it.each([
    ['paymnet', ['payment_intents.create']],
    ['cleints', ['clients.get']],
    ['clints get', ['clients.get']],
    ['intnets', ['payment_intents.create']],
    ['credti', ['clients.get']],
    ['payment_intnet', ['payment_intents.create']],
    ['payment_intnets.craete', ['payment_intents.create']],
    ['createPaymentIntnet', ['payment_intents.create']],
    ['xyzzy', []],
    ['gte', []],
  ])('is forgiven in a word of four letters or more: %s', (text, expected) => {
    expect(names(find(text))).toEqual(expected)
  })

  it('is forgiven in the name of a field', () => {
    expect(find('amout_captured').best.map(({ why }) => why)).toEqual(['field amount_captured'])
  })
})

describe('a word that no entry has', () => {
  const find = finderOf([
    ['charges.list', 'GET', '/v1/charges', 'List charges', '', ''],
    ['accounts.list_all', 'GET', '/v1/accounts', 'List all accounts', '', ''],
  ])

  it.each([
    ['list all charges', ['charges.list', 'accounts.list_all']],
    ['list all chargs', ['charges.list', 'accounts.list_all']],
    ['list unknown strange charges', []],
    ['unknown charges', []],
    ['strange unknown charges', []],
  ])('is ignored if it is one of three: %s', (text, expected) => {
    expect(names(find(text))).toEqual(expected)
  })
})

it('gives the best twenty and the total', () => {
  const entries = Array.from({ length: 187 }, (_, index): Entry => [`n${index}`, 'GET', '/', '', '', ''])
  const { best, total } = finderOf(entries)('n')
  expect([best.length, total]).toEqual([20, 187])
})

describe('explanations on the pages of a document', () => {
  const text = { type: 'string' }
  const answer = (schema: object, headers = {}) => ({
    200: { description: 'd', headers, content: { 'application/json': { schema } } },
  })
  // It may be null, so it stays the single param `body`.
  const Merge = {
    type: ['object', 'null'],
    properties: { merge_method: text, author: { type: 'object', properties: { login_name: text } } },
  }
  const document = {
    openapi: '3.1.1',
    info: { title: 'Shop', version: '1.0.0' },
    paths: {
      '/merges': {
        post: {
          'x-rpc-method': 'merges.create',
          parameters: [
            { name: 'If-Match', in: 'header', 'x-rpc-param': 'expected_version', schema: text },
            { name: 'Idempotency-Key', in: 'header', 'x-rpc-param': 'key', schema: text },
          ],
          requestBody: {
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Merge' } } },
          },
          responses: answer(
            { type: 'object', properties: { merged: { type: 'object', properties: { sha: text } } } },
            { ETag: { $ref: '#/components/headers/tag' } },
          ),
        },
      },
      '/others': {
        get: {
          'x-rpc-method': 'others.list',
          operationId: 'fetchAllOthers',
          summary: 'All the others',
          responses: answer({ type: 'array', items: { $ref: '#/components/schemas/Other' } }),
        },
      },
    },
    components: {
      headers: { tag: { schema: text } },
      schemas: { Merge, Other: { type: 'object', properties: { retryAfter: text } }, Name: text },
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' } },
    },
    'x-errors': { shop_closed: { title: 'The shop is closed', status: 409, rpc: -32010 } },
  }

  it.each([
    ['merge_method', 'merges.create', 'field merge_method'],
    ['login_name', 'merges.create', 'field login_name'],
    ['sha', 'merges.create', 'field sha'],
    ['If-Match', 'merges.create', 'field If-Match'],
    ['idempotency-key', 'merges.create', 'field Idempotency-Key'],
    ['etag', 'merges.create', 'field ETag'],
    ['retryAfter', 'Other', 'field retryAfter'],
    ['all otehrs', 'others.list', ''],
    ['fetchallothers', 'others.list', 'All the others (operationId fetchAllOthers)'],
    ['x-api-key', 'apiKey', 'Authentication'],
    ['shop_closed', 'shop_closed', 'The shop is closed'],
    ['-32010', 'shop_closed', 'The shop is closed'],
    ['not_found', 'not_found', 'Not found'],
    ['time zone', '__tz', 'Time zone of a call, an IANA name'],
  ])('%s finds %s', async (typed, name, why) => {
    const { best } = finderOf(await entriesOf(document))(typed)
    expect(best.find((one) => one.name === name)?.why).toBe(why)
  })

  it('finds the pages of the menu', async () => {
    const find = finderOf(await entriesOf(document, true))
    const first = (typed: string) => find(typed).best[0]
    expect(first('errors')).toMatchObject({ title: 'Errors and limits', href: 'index.html#errors' })
    expect(first('changelog')).toMatchObject({ title: 'Changelog', href: 'index.html#changelog' })
    expect(first('schemas')).toMatchObject({ title: 'Schemas', href: 'schemas.html' })
    expect(names(finderOf(await entriesOf(document))('changelog'))).toEqual([])
  })

  it('leads to the section that explains it', async () => {
    const find = finderOf(await entriesOf(document))
    const href = (typed: string) => find(typed).best[0]?.href
    expect(href('shop_closed')).toBe('index.html#error-shop_closed')
    expect(href('apiKey')).toBe('index.html#authentication')
    expect(href('__tz')).toBe('index.html#protocols')
    expect(href('Other')).toBe('schema.other.html')
    // A short schema is shown where it is used, and has no page.
    expect(names(find('Name')).filter((name) => name === 'Name')).toEqual([])
  })
})

async function entriesOf(document: object, hasChanges = false): Promise<readonly Entry[]> {
  const folder = mkdtempSync(join(tmpdir(), 'duet-search-'))
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document))
  const { model, diagnostics } = await examine('openapi.json', folder, { buildModel })
  rmSync(folder, { recursive: true })
  if (model === undefined) return expect.fail(JSON.stringify(diagnostics))
  const script = dataScript(
    model,
    addressesOf(model.operations, shownSchemas(model)),
    [],
    undefined,
    hasChanges,
  )
  const page: { duet?: { readonly search: readonly Entry[] } } = {}
  runInNewContext(script, page)
  return page.duet?.search ?? []
}
