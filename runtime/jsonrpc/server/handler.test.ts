import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runs } from '../../../test/runs.js'
import { authenticate, billing, handlers, key } from '../../fixtures/billing.js'
import { type Served, type ServedResponse, serveNode } from '../../fixtures/serve.js'
import { servers } from '../../fixtures/servers.js'

const call = (method: string, params?: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params })
const notify = (method: string, params?: unknown) => ({ jsonrpc: '2.0', method, params })
const bad = { 'X-Api-Key': 'bad' }

describe.each(servers)('JSON-RPC under %s', (name, serve) => {
  const parsed = name.includes('parser')
  let served: Served
  beforeAll(async () => {
    served = await serve(billing({ limits: { bodyBytes: 20_000, batchLength: 5 } }))
  })
  afterAll(() => served.close())
  const violations = (answer: ServedResponse) => {
    const { code, data } = answer.json.error
    expect([code, data.code]).toEqual([-32602, 'validation_failed'])
    return data.errors.map((each: { path: string; keyword: string }) => `${each.path} ${each.keyword}`)
  }

  test('answers a call with its result and id', async () => {
    const { status, json, headers } = await served.rpc(call('clients.get', { id: 7 }, 'x'), key)
    expect([status, headers['content-type']]).toEqual([200, 'application/json'])
    expect(json).toEqual({ jsonrpc: '2.0', id: 'x', result: { id: 7, credit: 10 } })
  })

  test.each([0, -1.5, '', '1', null, 'é\u2028"'])('the id %j is echoed with its type', async (id) => {
    expect((await served.rpc(call('lnp.gateways.search', {}, id))).json.id).toBe(id)
  })

  test.each([[[1]], [{}], [true]])('the id %j is -32600 with id null', async (id) => {
    const { json } = await served.rpc(call('lnp.gateways.search', {}, id))
    expect([json.error.code, json.id]).toEqual([-32600, null])
  })

  test('repeats an id of up to 256 characters; answers a longer one with -32600 and id null', async () => {
    const longest = 'é'.repeat(256)
    expect((await served.rpc(call('lnp.gateways.search', {}, longest))).json.id).toBe(longest)
    const { json } = await served.rpc(call('lnp.gateways.search', {}, `${longest}x`))
    expect([json.error.code, json.id]).toEqual([-32600, null])
  })

  test('answers -32600 to an id that a double would round, alone and in a batch', async () => {
    const rounded = '{"jsonrpc":"2.0","id":9007199254740993,"method":"echo.any"}'
    const { json } = await served.rpc(rounded)
    expect([json.error.code, json.id]).toEqual([-32600, null])
    const batch = await served.rpc(`[{"jsonrpc":"2.0","id":1,"method":"echo.any"},${rounded}]`)
    expect(batch.json.map((each: { id: unknown }) => each.id)).toEqual([1, null])
    expect([batch.json[0].result, batch.json[1].error.code]).toEqual([{}, -32600])
  })

  test('id null is a call, not a notification', async () => {
    expect((await served.rpc(call('lnp.gateways.search', {}, null))).status).toBe(200)
  })

  test.each([
    [{ jsonrpc: '1.0', id: 1, method: 'echo.any' }],
    [{ id: 1, method: 'echo.any' }],
    [{ jsonrpc: 2, id: 1, method: 'echo.any' }],
    [{ jsonrpc: '2.0', id: 1 }],
    [{ jsonrpc: '2.0', id: 1, method: null }],
    [{ jsonrpc: '2.0', id: 1, method: 'echo.any', params: null }],
    [{ jsonrpc: '2.0', id: 1, method: 'echo.any', params: 'x' }],
  ])('answers %j with -32600 and the readable id', async (body) => {
    const { json } = await served.rpc(body)
    expect([json.error.code, json.id, json.error.data.code]).toEqual([-32600, 1, 'invalid_request'])
  })

  test('missing params count as none', async () => {
    expect((await served.rpc(call('lnp.gateways.search'))).json.result).toEqual({ limit: 20, order: [] })
  })

  test.each(['none', 'rpc.none', '__proto__', 'constructor', 'toString', ''])(
    'the method %j is -32601',
    async (method) => {
      const { json } = await served.rpc(call(method))
      expect([json.error.code, json.error.data.code]).toEqual([-32601, 'unknown_operation'])
      expect(json.error.data.detail).toBe(
        `There is no method ${JSON.stringify(method)}. rpc.discover lists the methods.`,
      )
    },
  )

  test('rpc.discover returns the OpenRPC document to anonymous callers', async () => {
    const { json } = await served.rpc(call('rpc.discover'))
    expect(json.result).toEqual({ openrpc: '1.3.2', info: { title: 'Fixture' } })
    expect((await served.rpc(call('rpc.discover', {}, 2))).json).toMatchObject({ id: 2, result: json.result })
  })

  test('violations have the same paths as over REST', async () => {
    expect(violations(await served.rpc(call('clients.get', {}), key))).toEqual(['/id required'])
    expect(violations(await served.rpc(call('clients.get', { id: '7', x: 1 }), key))).toEqual([
      '/x additionalProperties',
      '/id type',
    ])
  })

  test('an error response has no result, and carries the problem', async () => {
    const { json } = await served.rpc(call('clients.get', { id: 8 }), { ...key, 'X-Request-Id': 'r-2' })
    expect(json).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: {
        code: -32004,
        message: 'Not found',
        data: {
          type: 'urn:problem-type:not_found',
          title: 'Not found',
          status: 404,
          code: 'not_found',
          detail: 'No client 8.',
          requestId: 'r-2',
        },
      },
    })
  })

  test('a handler without a result answers null', async () => {
    const { json } = await served.rpc(call('clients.remove', { id: 7 }), key)
    expect(json).toEqual({ jsonrpc: '2.0', id: 1, result: null })
  })

  test.each(['throw', 'unlisted', 'result', 'bigint', 'cycle'])(
    'the fault %s is a bare -32603',
    async (fault) => {
      const { json, text } = await served.rpc(call(`faults.${fault}`))
      expect([json.error.code, json.error.data.code, json.error.data.detail]).toEqual([
        -32603,
        'internal_error',
        undefined,
      ])
      expect(text).not.toContain('secret')
    },
  )

  test('an invalid API key is HTTP 401, an invalid token -32005 in 200', async () => {
    const invalid = await served.rpc(call('clients.get', { id: 7 }), bad)
    expect([invalid.status, invalid.json.error.code]).toEqual([401, -32001])
    const token = await served.rpc(call('clients.get', { id: 7 }), { Authorization: 'bearer bad' })
    expect([token.status, token.json.error.code, token.json.error.data.code]).toEqual([
      200,
      -32005,
      'invalid_token',
    ])
  })

  test('no response may be cached', async () => {
    for (const body of [call('echo.any'), [call('echo.any')], notify('echo.any'), call('clients.get')]) {
      expect((await served.rpc(body)).headers['cache-control']).toBe('no-store')
    }
  })

  test('HTTP 401 has a challenge: for a call, a batch and a notification', async () => {
    const refused = call('clients.get', { id: 7 })
    for (const body of [refused, [call('echo.any'), refused], notify('clients.get', { id: 7 })]) {
      const { status, headers } = await served.rpc(body, bad)
      expect([status, headers['www-authenticate']]).toEqual([
        401,
        'ApiKey realm="Fixture", Bearer realm="Fixture"',
      ])
    }
  })

  test('authentication comes before validation', async () => {
    const { status, json } = await served.rpc(call('clients.get', { id: 'x' }))
    expect([status, json.error.code]).toEqual([200, -32001])
  })

  test('reads __tz from the params', async () => {
    const params = { at: '2024-07-01T12:00:00', __tz: 'Europe/Berlin' }
    const { json } = await served.rpc(call('rates.get', params))
    expect(json.result).toMatchObject({ at: '2024-07-01T12:00:00+02:00', seen: '2024-07-01T10:00:00Z' })
    expect(violations(await served.rpc(call('lnp.gateways.search', { __tz: null })))).toEqual([
      '/__tz timezone',
    ])
    expect(violations(await served.rpc(call('lnp.gateways.search', { __tz: 'Mars' })))).toEqual([
      '/__tz timezone',
    ])
  })

  test('refuses only the call with a number that a double would round', async () => {
    const text = `[{"jsonrpc":"2.0","id":1,"method":"clients.update","params":{"id":7,"credit":1}},
      {"jsonrpc":"2.0","id":2,"method":"clients.update","params":{"id":7,"credit":12345678901234567.89}}]`
    const { json } = await served.rpc(text, key)
    expect(json[0].result).toEqual({ id: 7, credit: 1 })
    expect(json[1].error.data.errors).toMatchObject([{ path: '/credit', keyword: 'exact' }])
  })

  test('responses of a batch are in the order of its calls, without notifications', async () => {
    const { json } = await served.rpc(
      [
        call('clients.update', { id: 7, credit: 1 }, 'a'),
        notify('echo.any'),
        call('clients.get', { id: 7 }, 'b'),
      ],
      key,
    )
    expect(json.map(({ id }: { id: unknown }) => id)).toEqual(['a', 'b'])
  })

  test('answers one -32600 to a batch that is too long', async () => {
    const { json } = await served.rpc(Array(6).fill(call('echo.any')))
    expect([json.error.code, json.id]).toEqual([-32600, null])
  })

  test('a batch has the highest HTTP status of its responses', async () => {
    const { status, json } = await served.rpc([call('echo.any'), call('clients.get', { id: 7 }, 2)], bad)
    expect([status, json.length]).toEqual([401, 2])
  })

  test('a notification with an invalid API key is 401 without a body', async () => {
    const { status, headers, text } = await served.rpc(notify('clients.get', { id: 7 }), bad)
    expect([status, headers['content-length'], text]).toEqual([401, '0', ''])
  })

  test('a notification that fails otherwise is 204', async () => {
    for (const body of [
      notify('none'),
      notify('faults.throw'),
      notify('clients.get', {}),
      [notify('echo.any')],
    ]) {
      const { status, text } = await served.rpc(body)
      expect([status, text]).toEqual([204, ''])
    }
  })

  test('a call of a deprecated operation has the deprecation headers, also in a batch', async () => {
    const { headers } = await served.rpc(call('iam.auth.jwt.authenticate', { login: 'a' }))
    expect([headers.deprecation, headers.sunset]).toEqual(['@1700000000', 'Fri, 15 Jan 2027 08:00:00 GMT'])
    const batch = await served.rpc([call('iam.auth.jwt.authenticate', { login: 'a' })])
    expect(batch.headers.sunset).toBe(headers.sunset)
  })

  test('other methods on the address are 405 with Allow: POST', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const { status, headers } = await served.ask('/', { method })
      expect([method, status, headers.allow]).toEqual([method, 405, 'POST'])
    }
    const options = await served.ask('/', { method: 'OPTIONS' })
    expect([options.status, options.headers.allow]).toEqual([204, 'POST'])
  })

  test('a media type that is not JSON is 415', async () => {
    const { status, json, headers } = await served.rpc('x', { 'Content-Type': 'text/plain' })
    expect([status, json.error.code, json.id, headers['accept-post']]).toEqual([
      415,
      -32600,
      null,
      'application/json',
    ])
  })

  test.skipIf(parsed)('the older JSON-RPC media types are JSON', async () => {
    for (const type of ['application/json-rpc', 'application/jsonrequest']) {
      expect((await served.rpc(call('echo.any'), { 'Content-Type': type })).status).toBe(200)
    }
  })

  test.skipIf(parsed)('a body beyond the limit is 413, a nesting bomb is -32700', async () => {
    const large = await served.rpc(call('echo.any', { text: 'x'.repeat(30_000) }))
    expect([large.status, large.json.error.data.code]).toEqual([413, 'payload_too_large'])
    expect((await served.rpc('['.repeat(10_000))).json.error.code).toBe(-32700)
  })

  test('an empty body, of a declared length or in chunks, is -32700', async () => {
    for (const headers of [{}, { 'Transfer-Encoding': 'chunked' }]) {
      const { status, json } = await served.rpc('', headers)
      expect([status, json.error.code, json.id]).toEqual([200, -32700, null])
    }
  })

  test('a body that nests too deep is -32700', async () => {
    const { json } = await served.rpc(`${'['.repeat(65)}${']'.repeat(65)}`)
    expect([json.error.code, json.id]).toEqual([-32700, null])
    expect((await served.rpc(`${'['.repeat(64)}${']'.repeat(64)}`)).json[0].error.code).toBe(-32600)
  })
})

describe('batches', () => {
  test('limit concurrent calls, and ask the hook once per alternative', async () => {
    let running = 0
    let most = 0
    const hook = vi.fn(authenticate)
    const search = async () => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 5))
      running--
    }
    const api = billing({
      authenticate: hook,
      handlers: { ...handlers, 'lnp.gateways': { search } },
      limits: { batchParallel: 3 },
    })
    const served = await serveNode(api)
    await served.rpc(Array.from({ length: 12 }, (_, id) => call('lnp.gateways.search', {}, id)))
    expect(most).toBe(3)
    const { json } = await served.rpc(
      Array.from({ length: 100 }, (_, id) => call('clients.get', { id: 7 }, id)),
      key,
    )
    expect(json).toHaveLength(100)
    expect(hook).toHaveBeenCalledTimes(1)
    await served.close()
  })
})

test('no body makes the server fail, and every response is a response object or an array of them', {
  tags: 'long',
}, async () => {
  const told: unknown[] = []
  const served = await serveNode(billing({ onCall: ({ error }: { error?: unknown }) => told.push(error) }))
  const methods = [
    'clients.get',
    'clients.update',
    'lnp.gateways.search',
    'rates.get',
    'echo.any',
    'rpc.discover',
  ]
  const envelope = fc.record(
    {
      jsonrpc: fc.constantFrom('2.0', '1.0', 2),
      id: fc.jsonValue({ maxDepth: 1 }),
      method: fc.oneof(fc.constantFrom(...methods), fc.string()),
      params: fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.record({ id: fc.jsonValue(), __tz: fc.string() })),
    },
    { requiredKeys: [] },
  )
  const body = fc.oneof(fc.json(), fc.string(), envelope, fc.array(envelope, { maxLength: 4 }))
  await fc.assert(
    fc.asyncProperty(body, async (sent) => {
      const { status, json } = await served.rpc(sent, key)
      if (status === 204) return
      expect(status).toBe(200)
      for (const answer of [json].flat()) {
        expect(answer.jsonrpc).toBe('2.0')
        expect('result' in answer).not.toBe('error' in answer)
      }
    }),
    { numRuns: runs(200, 4_000) },
  )
  expect(told.filter((error) => error !== undefined)).toEqual([])
  await served.close()
})
