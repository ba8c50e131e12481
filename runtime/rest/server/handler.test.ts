import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runs } from '../../../test/runs.js'
import { billing, key } from '../../fixtures/billing.js'
import { type Served, serveNode } from '../../fixtures/serve.js'
import { servers } from '../../fixtures/servers.js'

describe.each(servers)('REST under %s', (name, serve) => {
  const parsed = name.includes('parser')
  let served: Served
  beforeAll(async () => {
    served = await serve(billing({ limits: { bodyBytes: 1000 } }))
  })
  afterAll(() => served.close())
  const patch = (body: unknown, headers: Record<string, string> = {}) =>
    served.ask('/clients/7', { method: 'PATCH', headers: { ...key, ...headers }, body })
  const violations = (answer: { json: { code: string; errors: { path: string; keyword: string }[] } }) => {
    expect(answer.json.code).toBe('validation_failed')
    return answer.json.errors.map(({ path, keyword }) => `${path} ${keyword}`)
  }

  test('answers a call with the result as JSON', async () => {
    const { status, headers, json } = await served.ask('/clients/7', { headers: key })
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/json')
    expect(json).toEqual({ id: 7, credit: 10 })
  })

  test('body fields and path params form one object', async () => {
    expect((await patch({ credit: 2.5 })).json).toEqual({ id: 7, credit: 2.5 })
  })

  test('converts texts of path and query, but not of a body', async () => {
    expect(violations(await patch({ credit: '2.5' }))).toEqual(['/credit type'])
    expect(violations(await served.ask('/clients/x', { headers: key }))).toEqual(['/id type'])
    const { json } = await served.ask('/lnp/gateways?limit=5&editable=true&order=id&order=-id&ratio=0.5')
    expect(json).toEqual({ limit: 5, editable: true, order: ['id', '-id'], ratio: 0.5 })
  })

  test('defaults are filled in', async () => {
    expect((await served.ask('/lnp/gateways')).json).toEqual({ limit: 20, order: [] })
  })

  test('a GET accepts params in a JSON body too', async () => {
    const body = { limit: 5, order: ['id'] }
    expect((await served.ask('/lnp/gateways', { body })).json).toEqual(body)
    expect((await served.ask('/lnp/gateways?limit=5', { body })).json).toEqual(body)
    expect((await served.ask('/lnp/gateways?limit=5', { body: {} })).json).toEqual({ limit: 5, order: [] })
  })

  test('the same param in two places with different values is a conflict', async () => {
    expect(violations(await served.ask('/lnp/gateways?limit=6', { body: { limit: 5 } }))).toEqual([
      '/limit conflict',
    ])
    expect(violations(await served.ask('/clients/7?id=8', { headers: key }))).toEqual(['/id conflict'])
    expect(violations(await served.ask('/clients/7?id=x', { headers: key }))).toEqual(['/id conflict'])
    expect((await served.ask('/clients/7?id=7', { headers: key })).json).toEqual({ id: 7, credit: 10 })
    expect(violations(await patch({ credit: 1, id: 8 }))).toEqual(['/id conflict'])
    expect((await patch({ credit: 1, id: 7 })).status).toBe(200)
  })

  test('refuses undeclared params in any location', async () => {
    expect(violations(await served.ask('/lnp/gateways?x=1'))).toEqual(['/x additionalProperties'])
    expect(violations(await served.ask('/lnp/gateways', { body: { x: 1 } }))).toEqual([
      '/x additionalProperties',
    ])
    const removed = await served.ask('/clients/7', { method: 'DELETE', headers: key, body: { x: 1 } })
    expect(violations(removed)).toEqual(['/x additionalProperties'])
  })

  test('reports a missing param at its own path', async () => {
    expect(violations(await patch({}))).toEqual(['/credit required'])
  })

  test('reports a missing required body, and accepts an empty object', async () => {
    expect(violations(await patch(undefined))).toEqual([' required', '/credit required'])
    const query = await served.ask('/clients/7?credit=5', { method: 'PATCH', headers: key })
    expect([query.status, violations(query)]).toEqual([400, [' required', '/credit type']])
  })

  test('no response may be cached: it is for its caller alone', async () => {
    for (const [path, headers] of [
      ['/clients/7', key],
      ['/clients/8', key],
      ['/clients/7', {}],
      ['/context', {}],
    ] as const) {
      const answer = await served.ask(path, { headers })
      expect([path, answer.headers['cache-control']]).toEqual([path, 'no-store'])
    }
    const token = await served.ask('/iam/token', { method: 'POST', body: { login: 'a' } })
    expect([token.status, token.headers['cache-control']]).toEqual([200, 'no-store'])
  })

  test('refuses a scalar that is sent twice', async () => {
    expect(violations(await served.ask('/lnp/gateways?limit=5&limit=5'))).toEqual(['/limit duplicate'])
  })

  test('refuses a number that a double would round', async () => {
    expect(violations(await patch('{"credit": 12345678901234567.89}'))).toEqual(['/credit exact'])
    expect(violations(await patch('{"credit": 0.12345678901234567}'))).toEqual(['/credit exact'])
    expect(violations(await patch('{"credit": 1e400}'))).toEqual(['/credit exact'])
    expect((await patch('{"credit": 0.1}')).json).toEqual({ id: 7, credit: 0.1 })
    const kept = '{"credit": 9007199254740991}'
    expect((await patch(kept)).json).toEqual({ id: 7, credit: 9_007_199_254_740_991 })
  })

  test('refuses a number in the query that a double would round', async () => {
    expect(violations(await served.ask('/lnp/gateways?ratio=0.12345678901234567'))).toEqual(['/ratio exact'])
  })

  test('refuses text that is not UTF-8', async () => {
    expect(violations(await served.ask('/lnp/gateways?name=%ff'))).toEqual(['/name encoding'])
    const answer = await served.ask('/clients/%ff', { headers: key })
    expect([answer.status, answer.json.code]).toEqual([400, 'invalid_request'])
  })

  test('reads a body that is one param as a whole', async () => {
    const put = (body: unknown) => served.ask('/notes', { method: 'PUT', body })
    expect((await put([1, 2])).json).toEqual({ note: [1, 2] })
    expect((await put({ __tz: 'x' })).json).toEqual({ note: { __tz: 'x' } })
    expect(violations(await put(undefined))).toEqual(['/note required'])
  })

  test('refuses a list instead of an object of fields', async () => {
    expect(violations(await patch([1]))).toEqual([' type', '/credit required'])
  })

  test('members with inherited names are data, and no prototype changes', async () => {
    const body = '{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}'
    expect((await served.ask('/echo?__proto__=2', { method: 'POST', body: '{}' })).text).toBe(
      '{"__proto__":"2"}',
    )
    expect((await served.ask('/echo', { method: 'POST', body })).json).toEqual(JSON.parse(body))
    expect(violations(await patch('{"credit": 1, "__proto__": 1}'))).toEqual([
      '/__proto__ additionalProperties',
    ])
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  test('HEAD answers as GET does, without the body', async () => {
    const head = await served.ask('/clients/7', { method: 'HEAD', headers: key })
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', '20'])
    const missing = await served.ask('/clients/8', { method: 'HEAD', headers: key })
    expect([missing.status, missing.text]).toEqual([404, ''])
    expect([head.headers['problem-code'], missing.headers['problem-code']]).toEqual([undefined, 'not_found'])
  })

  test('OPTIONS returns the methods of a path', async () => {
    const { status, headers, text } = await served.ask('/clients/7', { method: 'OPTIONS' })
    expect([status, headers.allow, text]).toEqual([204, 'DELETE, GET, HEAD, PATCH', ''])
  })

  test('another method on a known path is 405 with Allow', async () => {
    const { status, headers, json } = await served.ask('/clients/7', { method: 'POST' })
    const allowed = 'DELETE, GET, HEAD, PATCH'
    expect([status, headers.allow, json.code]).toEqual([405, allowed, 'method_not_allowed'])
    expect(json.detail).toBe(`This path takes ${allowed}.`)
  })

  test('an unknown path is 404', async () => {
    for (const path of ['/nothing', '/clients/', '/clients/7/', '/CLIENTS/7', '/__proto__']) {
      const { status, headers, json } = await served.ask(path)
      expect([path, status, json.code]).toEqual([path, 404, 'unknown_operation'])
      expect(json.detail).toBe(`No operation has the path ${path}.`)
      expect(headers['content-type']).toBe('application/problem+json')
    }
  })

  test('authentication comes before validation', async () => {
    const { status, json, headers } = await served.ask('/clients/x?y=1')
    expect([status, json.code]).toEqual([401, 'unauthenticated'])
    expect(headers['www-authenticate']).toBe('ApiKey realm="Fixture", Bearer realm="Fixture"')
  })

  test('an invalid API key and an invalid token are 401', async () => {
    const badKey = await served.ask('/clients/7', { headers: { 'X-Api-Key': 'bad' } })
    expect([badKey.status, badKey.json.code]).toEqual([401, 'invalid_api_key'])
    const badToken = await served.ask('/clients/7', { headers: { Authorization: 'Bearer bad' } })
    expect([badToken.status, badToken.json.code]).toEqual([401, 'invalid_token'])
  })

  test('answers the problem that a handler throws', async () => {
    const { status, json } = await served.ask('/clients/8', { headers: { ...key, 'X-Request-Id': 'r-1' } })
    expect(status).toBe(404)
    expect(json).toEqual({
      type: 'urn:problem-type:not_found',
      title: 'Not found',
      status: 404,
      code: 'not_found',
      detail: 'No client 8.',
      requestId: 'r-1',
    })
  })

  test.each(['throw', 'unlisted', 'result', 'bigint', 'cycle'])(
    'the fault %s is a bare internal_error',
    async (fault) => {
      const { status, json, text } = await served.ask(`/faults/${fault}`)
      expect([status, json.code]).toEqual([500, 'internal_error'])
      expect(Object.keys(json)).toEqual(['type', 'title', 'status', 'code', 'requestId'])
      expect(text).not.toContain('secret')
    },
  )

  test('an operation without a handler is not_implemented', async () => {
    const { status, json } = await served.ask('/faults/missing')
    expect([status, json.code]).toEqual([501, 'not_implemented'])
  })

  test('a status without a body has none', async () => {
    const { status, text, headers } = await served.ask('/clients/7', { method: 'DELETE', headers: key })
    expect([status, text, headers['content-type']]).toEqual([204, '', undefined])
  })

  test('a deprecated operation has the headers Deprecation and Sunset', async () => {
    const { headers, status } = await served.ask('/iam/token', { method: 'POST', body: { login: 'a' } })
    expect(status).toBe(200)
    expect(headers.deprecation).toBe('@1700000000')
    expect(headers.sunset).toBe('Fri, 15 Jan 2027 08:00:00 GMT')
    const failed = await served.ask('/iam/token', { method: 'POST', body: {} })
    expect([failed.status, failed.headers.deprecation]).toEqual([400, '@1700000000'])
  })

  test('reads __tz from the query or the body', async () => {
    const query = await served.ask('/rates?at=2024-07-01T12:00:00&__tz=Europe/Berlin')
    expect(query.json).toEqual({
      at: '2024-07-01T12:00:00+02:00',
      seen: '2024-07-01T10:00:00Z',
      zone: 'Europe/Berlin',
      history: ['2024-07-01T12:00:00+02:00', '2024-01-01T01:00:00.125+01:00'],
    })
    const body = await served.ask('/rates', { body: { at: '2024-07-01T12:00:00', __tz: 'Europe/Berlin' } })
    expect(body.json).toEqual(query.json)
    expect((await served.ask('/rates?at=2024-07-01T12:00:00')).json.at).toBe('2024-07-01T12:00:00+00:00')
  })

  test('refuses an unknown __tz, or two different ones', async () => {
    const ask = (query: string, body?: unknown) =>
      served.ask(`/lnp/gateways?${query}`, body === undefined ? {} : { body })
    expect(violations(await ask('__tz=Mars/Olympus'))).toEqual(['/__tz timezone'])
    expect(violations(await ask('__tz=%2B01:00'))).toEqual(['/__tz timezone'])
    expect(violations(await ask('', { __tz: 7 }))).toEqual(['/__tz timezone'])
    expect(violations(await ask('__tz=UTC', { __tz: 'Europe/Berlin' }))).toEqual(['/__tz conflict'])
    expect((await ask('__tz=UTC', { __tz: 'UTC' })).status).toBe(200)
  })

  test("keeps the caller's request id, and replaces an invalid one", async () => {
    const ask = (id: string) => served.ask('/context', { headers: { 'X-Request-Id': id } })
    const kept = await ask('a.b:c-1_2')
    expect([kept.headers['x-request-id'], kept.json.requestId]).toEqual(['a.b:c-1_2', 'a.b:c-1_2'])
    const replaced = await ask('no spaces')
    expect(replaced.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(replaced.json.requestId).toBe(replaced.headers['x-request-id'])
  })

  test('a handler receives its operation, protocol and zone', async () => {
    expect((await served.ask('/context?__tz=Asia/Tokyo')).json).toMatchObject({
      protocol: 'rest',
      operation: 'echo.context',
      timezone: 'Asia/Tokyo',
      aborted: false,
    })
  })

  test('a media type that is not JSON is 415, with the accepted ones', async () => {
    const types = ['text/plain', 'multipart/form-data', 'xapplication/json']
    for (const type of parsed ? types : [...types, 'application/json; charset=latin1']) {
      const { status, headers, json } = await patch('{"credit": 1}', { 'Content-Type': type })
      expect([type, status, json.code]).toEqual([type, 415, 'unsupported_media_type'])
      expect(headers['accept-patch']).toBe('application/json')
    }
    const post = await served.ask('/echo', {
      method: 'POST',
      body: 'x',
      headers: { 'Content-Type': 'text/plain' },
    })
    expect(post.headers['accept-post']).toBe('application/json')
  })

  test.skipIf(parsed)('no Content-Type, and the JSON media types, are read as JSON', async () => {
    for (const type of ['', 'application/merge-patch+json', 'Application/JSON; Charset="UTF-8"']) {
      expect([type, (await patch('{"credit": 1}', { 'Content-Type': type })).status]).toEqual([type, 200])
    }
  })

  test.skipIf(parsed)('an encoded body is 415, malformed JSON and UTF-8 are 400', async () => {
    expect((await patch('{}', { 'Content-Encoding': 'gzip' })).status).toBe(415)
    for (const body of ['{', '[1,]', Buffer.from([0x22, 0xff, 0x22]), '['.repeat(70) + ']'.repeat(70)]) {
      const { status, json } = await patch(body)
      expect([status, json.code]).toEqual([400, 'parse_error'])
    }
  })

  test.skipIf(parsed)('a body beyond the limit is 413, and the connection stays usable', async () => {
    const declared = await patch(JSON.stringify({ credit: 'x'.repeat(2000) }))
    expect([declared.status, declared.json.code]).toEqual([413, 'payload_too_large'])
    expect(declared.headers.connection).not.toBe('close')
    const chunked = await patch('x'.repeat(5000), { 'Transfer-Encoding': 'chunked' })
    expect([chunked.status, chunked.headers.connection]).toEqual([413, declared.headers.connection])
    expect((await patch({ credit: 1 })).status).toBe(200)
  })

  test.skipIf(parsed)('a body may have as many bytes as the limit, and no more', async () => {
    for (const headers of [{}, { 'Transfer-Encoding': 'chunked' }]) {
      expect((await patch('{"credit": 1}'.padEnd(1000), headers)).status).toBe(200)
      expect((await patch('{"credit": 1}'.padEnd(1001), headers)).status).toBe(413)
    }
  })

  test('a body without bytes counts as no body, with a declared length or in chunks', async () => {
    for (const headers of [{}, { 'Transfer-Encoding': 'chunked' }]) {
      expect(violations(await patch('', headers))).toEqual([' required', '/credit required'])
      expect((await served.ask('/clients/7', { headers: { ...key, ...headers }, body: '' })).status).toBe(200)
    }
  })
})

test('no request makes the server fail', { tags: 'long' }, async () => {
  const told: unknown[] = []
  const served = await serveNode(billing({ onCall: ({ error }: { error?: unknown }) => told.push(error) }))
  const paths = ['/clients/7', '/clients/', '/lnp/gateways', '/rates', '/echo', '/notes', '/iam/token', '/x']
  const text = fc.string({ unit: fc.constantFrom(...'%=&[]+,;./~!a1_tzlimitordernameat-:'), maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
      fc.tuple(fc.constantFrom(...paths), text, text),
      fc.option(fc.oneof(fc.json(), fc.string(), fc.dictionary(fc.string(), fc.jsonValue())), {
        nil: undefined,
      }),
      async (method, [path, more, query], body) => {
        const options = { method, headers: key, ...(body !== undefined && { body }) }
        const { status } = await served.ask(`${path}${more}?${query}`, options)
        expect(status).toBeLessThan(500)
      },
    ),
    { numRuns: runs(300, 6_000) },
  )
  expect(told.filter((error) => error !== undefined)).toEqual([])
  await served.close()
})
