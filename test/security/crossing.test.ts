import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServiceHere, type TestService } from '../service-process.js'
import { type Answered, call, type Loose, raw, rpc, type Sent, send } from './target.js'

let service: TestService
const clientsOf = (headers: Record<string, string>) => send(service.url, '/clients', { headers })
const keyOf = (login: string) => ({ 'x-api-key': service.user(login).apiKey })
let mine: Record<string, string>
let theirs: Record<string, string>
let foreign: number
let own: number
let foreignName: string
let foreignCurrency: string

beforeAll(async () => {
  service = await startServiceHere()
  mine = keyOf('reseller-a')
  theirs = keyOf('reseller-b')
  own = (await clientsOf(mine)).json[0].id
  const [client] = (await clientsOf(theirs)).json
  foreign = client.id
  foreignName = client.name
  foreignCurrency = client.currency
})
afterAll(async () => {
  // The other Reseller's clients are unchanged.
  const [client] = (await clientsOf(theirs)).json
  expect(client).toMatchObject({ id: foreign, name: foreignName, currency: foreignCurrency })
  await service?.stop()
  service?.remove()
})

const noClient = (answer: Answered) => {
  const problem = answer.json.error?.data ?? answer.json
  const { requestId: _, ...said } = problem
  return said
}
const missing = (id: number) => ({
  type: 'urn:problem-type:not_found',
  title: 'Not found',
  status: 404,
  code: 'not_found',
  detail: `There is no client ${id}.`,
})

test('another Reseller’s client looks like one that does not exist, over both protocols', async () => {
  for (const id of [foreign, 999_999]) {
    expect(noClient(await send(service.url, `/clients/${id}`, { headers: mine }))).toEqual(missing(id))
    expect(noClient(await rpc(service.url, call('clients.get', { id }), mine))).toEqual(missing(id))
    const change = { credit: 1, name: 'taken over' }
    const patch = { method: 'PATCH', headers: mine, body: change }
    expect(noClient(await send(service.url, `/clients/${id}`, patch))).toEqual(missing(id))
    expect(noClient(await rpc(service.url, call('clients.update', { id, ...change }), mine))).toEqual(
      missing(id),
    )
  }
})

test('listings never contain another Reseller’s clients', async () => {
  const filters = [
    `id=${foreign}`,
    `name=${encodeURIComponent(foreignName)}`,
    `currency=${foreignCurrency}`,
    'limit=1000',
    'limit=1000&order=-id',
    'offset=0&limit=1000&order=name',
  ]
  for (const filter of filters) {
    const { status, json } = await send(service.url, `/clients?${filter}`, { headers: mine })
    expect(status).toBe(200)
    expect(json.map(({ id }: { id: number }) => id)).not.toContain(foreign)
    const params = Object.fromEntries(new URLSearchParams(filter))
    const typed = Object.fromEntries(
      Object.entries(params).map(([name, value]) => [
        name,
        name === 'order' ? [value] : /^\d+$/.test(value) ? Number(value) : value,
      ]),
    )
    const { result } = (await rpc(service.url, call('clients.search', typed), mine)).json
    expect(result.map(({ id }: { id: number }) => id)).not.toContain(foreign)
    const body = await send(service.url, '/clients', { headers: mine, body: typed })
    expect(body.json.map(({ id }: { id: number }) => id)).not.toContain(foreign)
  }
})

test.each<[name: string, path: (own: number, foreign: number) => string, sent: Sent]>([
  ['a query that names another id', (id, other) => `/clients/${id}?id=${other}`, {}],
  ['a query that names a Reseller', (id) => `/clients/${id}?reseller_id=2`, {}],
  [
    'a query beside a body',
    (id, other) => `/clients/${id}?id=${other}`,
    { method: 'PATCH', body: { credit: 1 } },
  ],
])('%s is refused or has no effect', async (_name, path, sent) => {
  const answer = await send(service.url, path(own, foreign), { ...sent, headers: mine })
  expect([200, 400]).toContain(answer.status)
  if (answer.status === 200) expect(answer.json.id).toBe(own)
})

test('bodies can’t name another client than the path, nor a Reseller', async () => {
  const bodies = [
    { id: foreign, credit: 1 },
    { credit: 1, reseller_id: 2 },
    { credit: 1, resellerId: 2 },
    `{"credit":1,"id":${own},"id":${foreign}}`,
    `{"credit":1,"__proto__":{"id":${foreign}}}`,
    `{"credit":1,"constructor":{"prototype":{"resellerId":2}}}`,
  ]
  for (const body of bodies) {
    const answer = await send(service.url, `/clients/${own}`, { method: 'PATCH', headers: mine, body })
    expect([answer.status, answer.json.code]).toEqual([
      400,
      expect.stringMatching(/^(validation_failed|parse_error)$/),
    ])
  }
  const body = { id: foreign }
  const read = await send(service.url, `/clients/${own}`, { headers: mine, body })
  expect(read.status).toBe(400)
})

test('headers can’t name another principal, method or path', async () => {
  const headers: Record<string, string>[] = [
    { 'X-Reseller-Id': '2' },
    { 'X-User-Id': '3' },
    { 'X-Forwarded-User': 'reseller-b' },
    { 'X-Original-Url': `/clients/${own}` },
    { 'X-Rewrite-Url': `/clients/${own}` },
    { 'X-Http-Method-Override': 'GET' },
    { 'X-Forwarded-For': '127.0.0.1' },
    { Cookie: `X-Api-Key=${theirs['x-api-key']}` },
  ]
  for (const extra of headers) {
    const answer = await send(service.url, `/clients/${foreign}`, { headers: { ...mine, ...extra } })
    expect(noClient(answer)).toEqual(missing(foreign))
  }
  // Header names are case-insensitive, and two keys join into an unknown one.
  for (const name of ['X-API-KEY', 'x-Api-kEy']) {
    const answer = await send(service.url, `/clients/${foreign}`, {
      headers: { [name]: mine['x-api-key'] ?? '' },
    })
    expect(answer.status).toBe(404)
  }
  const both = `GET /clients/${foreign} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n`
  const keys = [mine['x-api-key'], theirs['x-api-key']].map((key) => `X-Api-Key: ${key}\r\n`)
  for (const order of [keys, [...keys].reverse()]) {
    expect(await raw(service.url, `${both}${order.join('')}\r\n`)).toMatch(/^HTTP\/1\.1 401 /)
  }
})

test('other spellings of a path reach nothing else', async () => {
  const written = [
    `/clients/%${foreign.toString().charCodeAt(0).toString(16)}`,
    `/clients/${own}/../${foreign}`,
    `/clients/${own}%2f..%2f${foreign}`,
    `//clients/${foreign}`,
    `/clients/${foreign}/`,
    `/CLIENTS/${foreign}`,
    `/clients/${foreign}%00`,
    `/clients/${foreign}.json`,
    `/clients/${foreign};x=1`,
    `/clients/0${foreign}`,
    `/clients/${foreign}.0`,
    `/clients/+${foreign}`,
    `/clients/${foreign}e0`,
    `http://other/clients/${foreign}`,
  ]
  for (const path of written) {
    const answer = await send(service.url, path, { headers: mine })
    expect([path, [400, 404].includes(answer.status)]).toEqual([path, true])
    expect(answer.text).not.toContain(foreignName)
  }
})

test('each call of a batch runs as the caller', async () => {
  const batch = [
    call('clients.get', { id: own }, 1),
    call('clients.get', { id: foreign }, 2),
    call('clients.update', { id: foreign, credit: 1 }, 3),
    { jsonrpc: '2.0', method: 'clients.update', params: { id: foreign, credit: 1 } },
    call('clients.search', { id: foreign }, 4),
    call('iam.auth.jwt.refresh', {}, 5),
    call('clients.get', { id: foreign }, 6),
  ]
  const { json } = await rpc(service.url, batch, mine)
  const outcomes = json.map(({ id, result, error }: Loose) => [id, result?.id ?? result ?? error.code])
  expect(outcomes).toEqual([
    [1, own],
    [2, -32004],
    [3, -32004],
    [4, []],
    [5, -32001],
    [6, -32004],
  ])
})

test('every operation that needs a caller refuses those without one, by every route', async () => {
  const document = (await send(service.url, '/openapi.json')).json
  const operations = Object.entries<Record<string, Loose>>(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      operation?.operationId === undefined ? [] : [{ path, method: method.toUpperCase(), operation }],
    ),
  )
  expect(operations.length).toBeGreaterThanOrEqual(9)
  for (const { path, method, operation } of operations) {
    const open = operation.security?.length === 0
    const url = path.replace('{id}', String(foreign))
    const body = method === 'GET' ? undefined : {}
    const rest = await send(service.url, url, { method, body })
    const single = await rpc(service.url, call(operation['x-rpc-method'] ?? operation.operationId, {}))
    const batch = await rpc(service.url, [call(operation['x-rpc-method'] ?? operation.operationId, {})])
    const codes = [rest.json.code, single.json.error?.data.code, batch.json[0].error?.data.code]
    const expected = open ? 'validation_failed' : 'unauthenticated'
    expect([url, codes]).toEqual([url, [expected, expected, expected]])
  }
})
