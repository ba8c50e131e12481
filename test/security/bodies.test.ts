import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startService, startServiceHere, type TestService } from '../service-process.js'
import { call, type Loose, rpc, send } from './target.js'

let service: TestService
let headers: Record<string, string>
beforeAll(async () => {
  service = await startServiceHere()
  headers = { 'x-api-key': service.user('reseller-a').apiKey }
})
afterAll(async () => {
  await service?.stop()
  service?.remove()
})

const patch = (body: unknown) => send(service.url, '/clients/1', { method: 'PATCH', headers, body })
const post = (body: unknown) => rpc(service.url, body, headers)
const problemOf = (json: Loose) => (Array.isArray(json) ? json[0] : json)?.error?.data ?? json
const MiB = 1024 * 1024

/** CPU seconds of the process. */
async function cpuSeconds(): Promise<number> {
  const { text } = await send(service.url, '/metrics')
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1])
}

test.each<[name: string, body: string | Uint8Array, code: string]>([
  ['nests 100,000 arrays', '['.repeat(100_000), 'parse_error'],
  ['nests 100,000 arrays and closes them', '['.repeat(100_000) + ']'.repeat(100_000), 'parse_error'],
  ['nests objects', '{"a":'.repeat(60_000), 'parse_error'],
  [
    'nests behind a long string',
    `{"a":"${'\\"['.repeat(1000)}","b":${'['.repeat(70)}${']'.repeat(70)}}`,
    'parse_error',
  ],
  ['is too long', `{"name":"${'a'.repeat(MiB)}"}`, 'payload_too_large'],
  ['is no UTF-8', new Uint8Array([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x7d]), 'parse_error'],
  ['is UTF-16', Buffer.from('{"credit":1}', 'utf16le'), 'parse_error'],
  ['has a byte order mark', '\ufeff{"credit":1}', 'parse_error'],
  ['has NaN', '{"credit":NaN}', 'parse_error'],
  ['has a comment', '{"credit":1}//', 'parse_error'],
  ['names a param twice', '{"credit":1,"credit":1000000}', 'parse_error'],
  ['names a param twice in two ways', '{"credit":1,"cr\\u0065dit":1000000}', 'parse_error'],
  ['has two values', '{"credit":1}{"credit":2}', 'parse_error'],
])('a body that %s is refused over both protocols', async (_name, body, code) => {
  for (const { status, json } of [await patch(body), await post(body)]) {
    expect([status < 500, problemOf(json).code]).toEqual([true, code])
  }
})

test.each<[name: string, params: string, path: string]>([
  ['a credit of 1e308', '"credit":1e308', '/credit'],
  ['a credit of 1e999', '"credit":1e999', '/credit'],
  ['a credit of -0', '"credit":-0.0', ''],
  ['a credit of 400 digits', `"credit":${'9'.repeat(400)}`, '/credit'],
  ['a credit that a double rounds', '"credit":0.1000000000000000055', '/credit'],
  ['a credit beside its column', '"credit":0.00001', '/credit'],
  ['a credit as text', '"credit":"1"', '/credit'],
  ['a credit as an object', '"credit":{"valueOf":1}', '/credit'],
  ['a name with NUL', '"name":"a\\u0000b"', '/name'],
  ['a name with half a surrogate pair', '"name":"a\\ud800b"', '/name'],
  ['a name of 300 characters', `"name":"${'a'.repeat(300)}"`, '/name'],
  ['__proto__', '"__proto__":{"polluted":true}', '/__proto__'],
  ['constructor', '"constructor":{"prototype":{"polluted":true}}', '/constructor'],
  ['toString', '"toString":1', '/toString'],
  ['hasOwnProperty', '"hasOwnProperty":1,"credit":"x"', '/hasOwnProperty'],
  ['__tz that is no text', '"__tz":{"a":1}', '/__tz'],
  ['__tz that is long', `"__tz":"${'A/'.repeat(5000)}"`, '/__tz'],
])('%s is validated as any other param', async (_name, params, path) => {
  const rest = await patch(`{${params}}`)
  const { json } = await post(
    `{"jsonrpc":"2.0","id":1,"method":"clients.update","params":{"id":1,${params}}}`,
  )
  if (path === '') {
    expect([rest.json.credit, json.result.credit]).toEqual([0, 0])
    return
  }
  for (const problem of [rest.json, json.error.data]) {
    expect(problem).toMatchObject({ status: 400, code: 'validation_failed' })
    expect(problem.errors.map((violation: Loose) => violation.path)).toContain(path)
  }
})

test.each(['expected_version', 'idempotency_key'])(
  '%s is a header over REST, and nothing else',
  async (name) => {
    const sent = { method: 'PATCH', headers }
    const change = '{"credit":7}'
    for (const { status, json } of [
      await patch(`{"credit":7,"${name}":"1"}`),
      await send(service.url, `/clients/1?${name}=1`, { ...sent, body: change }),
    ]) {
      expect([status, json.errors]).toMatchObject([
        400,
        [{ path: `/${name}`, keyword: 'additionalProperties' }],
      ])
    }
  },
)

test('prototype pollution does not change the next caller’s answers', async () => {
  const keys = ['__proto__', 'constructor', 'prototype', 'toString', 'then', 'toJSON']
  const nested = keys.map((key) => `"${key}":{"limit":1,"code":"x","then":1}`).join(',')
  await post(`{"jsonrpc":"2.0","id":1,"method":"clients.search","params":{${nested}},${nested}}`)
  await patch(`{${nested}}`)
  for (const query of [
    '__proto__[limit]=1',
    'constructor[prototype][limit]=1',
    '__proto__.limit=1',
    'a[__proto__][b]=1',
  ]) {
    const { status } = await send(service.url, `/clients?${query}`, { headers })
    expect([query, status]).toEqual([query, 400])
  }
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'rpc.__proto__', '']) {
    const { json } = await post(call(name, {}))
    expect(json.error.code).toBe(-32601)
  }
  expect((await send(service.url, '/clients', { headers })).json).toHaveLength(3)
})

describe('integers', () => {
  test.each([
    '9007199254740992',
    '9007199254740993',
    '-1',
    '0',
    '1.5',
    '1e400',
    '99999999999999999999999999',
    '0x1',
    '1_000',
    ' 1',
    '١',
    '',
  ])('such as %j are unknown ids', async (text) => {
    const { status, json } = await send(service.url, `/clients/${encodeURIComponent(text)}`, { headers })
    expect([400, 404]).toContain(status)
    expect(json.code).toMatch(/^(validation_failed|unknown_operation)$/)
    const search = await send(service.url, `/clients?offset=${encodeURIComponent(text)}&limit=1`, { headers })
    expect([200, 400]).toContain(search.status)
  })

  test('of the largest size skip every row', async () => {
    const { status, json } = await send(service.url, '/clients?offset=9007199254740991', { headers })
    expect([status, json]).toEqual([200, []])
  })
})

describe('SQL', () => {
  const injected = [
    'name; drop table clients; --',
    'id) or 1=1 --',
    '-id,name',
    'id desc',
    '(select 1)',
    'reseller_id',
    '"id"',
    'id\u0000',
    '--id',
  ]
  test.each(injected)('in the sort column %j is an invalid value', async (order) => {
    const rest = await send(service.url, `/clients?order=${encodeURIComponent(order)}`, { headers })
    const { json } = await post(call('clients.search', { order: [order] }))
    for (const problem of [rest.json, json.error.data]) expect(problem.code).toBe('validation_failed')
  })

  test.each([
    "' or '1'='1",
    "'; drop table clients; --",
    '%',
    '_',
    '\\',
    "\\'; --",
    '$1',
    '?',
    '\u0000',
    '\ud800',
  ])('in the name %j to look for matches nothing', async (name) => {
    const { json } = await post(call('clients.search', { name }))
    expect(json.result ?? json.error.data.code).toEqual(json.result === undefined ? 'validation_failed' : [])
    const query = new URLSearchParams({ name })
    const rest = await send(service.url, `/clients?${query}`, { headers })
    expect([200, 400]).toContain(rest.status)
    if (rest.status === 200) expect(rest.json).toEqual([])
  })
})

describe('batches', () => {
  test('with too many calls are refused as a whole', async () => {
    const { json } = await post(Array.from({ length: 101 }, (_, id) => call('clients.get', { id: 1 }, id)))
    expect(json.error).toMatchObject({ code: -32600, data: { code: 'invalid_request' } })
  })

  test('of a hundred thousand empty calls cost little', async () => {
    const body = `[${Array.from({ length: 300_000 }, () => '{}').join(',')}]`
    const before = await cpuSeconds()
    expect((await post(body)).json.error.code).toBe(-32600)
    expect((await cpuSeconds()) - before).toBeLessThan(5)
  })

  test('inside batches are no calls', async () => {
    const { json } = await post([[call('clients.get', { id: 1 })], [[]]])
    expect(json.map(({ error }: Loose) => error.code)).toEqual([-32600, -32600])
  })

  test('with repeated or invalid ids get an answer for each call', async () => {
    const { json } = await post([
      call('clients.get', { id: 1 }, 1),
      call('clients.get', { id: 1 }, 1),
      call('clients.get', { id: 1 }, {}),
      call('clients.get', { id: 1 }, [1]),
      call('clients.get', { id: 1 }, true),
      `{"id":1}`,
    ])
    expect(json.map(({ id, error }: Loose) => [id, error?.code])).toEqual([
      [1, undefined],
      [1, undefined],
      [null, -32600],
      [null, -32600],
      [null, -32600],
      [null, -32600],
    ])
  })
})

test('two hundred bodies of a megabyte use bounded memory', { tags: 'long' }, async () => {
  const { url, stop, remove, user } = await startService()
  onTestFinished(async () => {
    await stop()
    remove()
  })
  const own = { 'x-api-key': user('reseller-a').apiKey }
  const residentMemory = async () => {
    const { text } = await send(url, '/metrics')
    return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1])
  }
  const before = await residentMemory()
  const body = `{"jsonrpc":"2.0","id":1,"method":"clients.search","params":{"order":[${`"${'name'.repeat(13)}",`.repeat(18_000)}"id"]}}`
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => rpc(url, body, own)))
    for (const { status } of answers) expect([200, 503]).toContain(status)
  }
  expect((await residentMemory()) - before).toBeLessThan(400 * MiB)
  expect((await send(url, '/clients/1', { headers: own })).status).toBe(200)
})
