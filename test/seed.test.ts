import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type HttpResponse, rpc, send } from './calls.js'
import { startServiceHere, type TestService } from './service-process.js'

// Each sentence of the owner's description that states a behaviour has a test named after it, on the default version of
// the service.

let service: TestService
const key = (login: string) => ({ 'X-Api-Key': service.user(login).apiKey })

beforeAll(async () => {
  service = await startServiceHere()
})
afterAll(async () => {
  await service.stop()
  service.remove()
})

/** Gateways by RPC, and the same by REST with a JSON body, as section 4.1 describes it. */
async function gateways(params: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>[]> {
  const overRpc = await rpc(service.url, key('admin'), 'lnp.gateways.search', params)
  const overRest = await getWithBody('/lnp/gateways', key('admin'), params)
  expect(overRest).toEqual({ status: 200, body: overRpc.result })
  return overRpc.result as Record<string, unknown>[]
}

/** fetch refuses to send a body with GET, so this goes through node:http. */
function getWithBody(
  path: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): Promise<Pick<HttpResponse, 'status' | 'body'>> {
  const { promise, resolve, reject } = deferred<Pick<HttpResponse, 'status' | 'body'>>()
  const text = JSON.stringify(body)
  const sent = request(
    new URL(path, service.url),
    {
      method: 'GET',
      headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text), ...headers },
    },
    async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk as Buffer)
      resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) })
    },
  )
  sent.on('error', reject)
  sent.end(text)
  return promise
}

function deferred<T>(): {
  promise: Promise<T>
  resolve: (value: T) => void
  reject: (error: unknown) => void
} {
  let resolve: (value: T) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

describe('section 1: what the service does', () => {
  test('the same operations are offered over two protocols', async () => {
    const rest = await send(`${service.url}/clients/1`, 'GET', key('admin'))
    const overRpc = await rpc(service.url, key('admin'), 'clients.get', { id: 1 })
    expect(rest.status).toBe(200)
    expect(overRpc.result).toEqual(rest.body)
  })

  test('REST: an HTTP method and a path per operation', async () => {
    expect((await send(`${service.url}/lnp/gateways`, 'GET', key('admin'))).status).toBe(200)
    expect(
      (await send(`${service.url}/accounting/currencies/exchange-rate?from=EUR&to=USD`, 'GET', key('admin')))
        .status,
    ).toBe(200)
    expect((await send(`${service.url}/clients/1`, 'GET', key('admin'))).status).toBe(200)
    expect((await send(`${service.url}/clients/1`, 'PATCH', key('admin'), {})).status).toBe(200)
  })

  test('JSON-RPC: a method name per operation, sent in a POST body to the base URL', async () => {
    const answer = await send(`${service.url}/`, 'POST', key('admin'), {
      jsonrpc: '2.0',
      id: 'a',
      method: 'clients.get',
      params: { id: 1 },
    })
    expect(answer).toMatchObject({ status: 200, body: { jsonrpc: '2.0', id: 'a', result: { id: 1 } } })
  })

  test('the JSON-RPC message has the members jsonrpc with the value 2.0, id, method and params', async () => {
    const wrong = await send(`${service.url}/`, 'POST', key('admin'), {
      jsonrpc: '1.0',
      id: 1,
      method: 'clients.get',
      params: { id: 1 },
    })
    expect(wrong.body).toMatchObject({ jsonrpc: '2.0', id: 1, error: { code: -32600 } })
  })

  test('params is an object', async () => {
    expect((await rpc(service.url, key('admin'), 'clients.get', [1])).error?.code).toBe(-32602)
  })

  test('the REST payload is a JSON body carrying the fields of the operation', async () => {
    const answer = await send(`${service.url}/clients/2`, 'PATCH', key('admin'), { credit: 12.5 })
    expect(answer).toMatchObject({ status: 200, body: { id: 2, credit: 12.5 } })
  })
})

describe('section 1: timezone conversion', () => {
  const newYork = () => key('reseller-a')
  const rateAt = (headers: Record<string, string>, params: Record<string, unknown>) =>
    rpc(service.url, headers, 'accounting.currencies.get_rate', { from: 'EUR', to: 'USD', ...params })
  const offset = (answer: { result?: unknown }) =>
    (answer.result as { effective_from: string }).effective_from.slice(-6)

  test('__tz carries a timezone name in the Olson (IANA tz database) format, a string', async () => {
    expect(offset(await rateAt(newYork(), { __tz: 'Asia/Kolkata' }))).toBe('+05:30')
    expect((await rateAt(newYork(), { __tz: 'Nowhere/City' })).error).toMatchObject({
      code: -32602,
      data: { code: 'validation_failed', errors: [{ path: '/__tz' }] },
    })
    expect((await rateAt(newYork(), { __tz: 3 })).error?.code).toBe(-32602)
  })

  test('when __tz is omitted, the timezone of the authenticated user is used', async () => {
    expect(['-05:00', '-04:00']).toContain(offset(await rateAt(newYork(), {})))
  })

  test('when that user has no timezone set, the global system timezone setting is used', async () => {
    expect(offset(await rateAt(key('reseller-b'), {}))).toBe('+00:00')
  })

  test('when an incoming datetime value itself carries a timezone, __tz is ignored for that value', async () => {
    const bare = await rateAt(newYork(), { at: '2026-03-01T12:00:00+00:00', __tz: 'Pacific/Kiritimati' })
    const utc = await rateAt(newYork(), { at: '2026-03-01T12:00:00+00:00', __tz: 'UTC' })
    expect(new Date((bare.result as { effective_from: string }).effective_from)).toEqual(
      new Date((utc.result as { effective_from: string }).effective_from),
    )
    expect(offset(bare)).toBe('+14:00')
  })
})

describe('section 4.1: list gateways', () => {
  test('all request parameters are optional', async () => {
    expect((await send(`${service.url}/lnp/gateways`, 'GET', key('admin'))).status).toBe(200)
    expect((await rpc(service.url, key('admin'), 'lnp.gateways.search')).error).toBeUndefined()
  })

  test('limit is the number of rows to return, 20 by default', async () => {
    expect(await gateways({})).toHaveLength(20)
    expect(await gateways({ limit: 3 })).toHaveLength(3)
  })

  test('offset is the number of rows to skip, 0 by default', async () => {
    const [first, second] = await gateways({ limit: 2 })
    expect(await gateways({ limit: 2, offset: 0 })).toEqual([first, second])
    expect((await gateways({ limit: 1, offset: 1 }))[0]).toEqual(second)
  })

  test.each(['credentials_id', 'editable', 'id', 'name', 'title'])(
    '%s is a column to order by, and a leading - means descending',
    async (column) => {
      const values = async (order: string) =>
        (await gateways({ order: [order], limit: 100 })).map((row) => row[column])
      const ascending = await values(column)
      expect(ascending.length).toBeGreaterThanOrEqual(25)
      expect(ascending).toEqual([...ascending].sort(compare))
      expect(await values(`-${column}`)).toEqual([...ascending].sort(compare).reverse())
    },
  )

  test('order is an array of allowed values, empty by default', async () => {
    expect(
      (await rpc(service.url, key('admin'), 'lnp.gateways.search', { order: ['secret'] })).error?.code,
    ).toBe(-32602)
    expect((await rpc(service.url, key('admin'), 'lnp.gateways.search', { order: 'id' })).error?.code).toBe(
      -32602,
    )
    expect(await gateways({ order: [] })).toEqual(await gateways({}))
  })

  test('id filters by gateway id', async () => {
    expect(await gateways({ id: 7 })).toMatchObject([{ id: 7 }])
    expect(await gateways({ id: 7_000_000 })).toEqual([])
  })

  test('name filters by name', async () => {
    const [gateway] = await gateways({ id: 5 })
    expect(await gateways({ name: gateway?.name })).toEqual([gateway])
    expect(await gateways({ name: 'no such name' })).toEqual([])
  })

  test('editable: when true, only gateways that can be edited are included', async () => {
    const all = await gateways({ limit: 100 })
    const editable = all.filter((row) => row.editable === true)
    expect(editable.length).toBeLessThan(all.length)
    expect(await gateways({ limit: 100, editable: true })).toEqual(editable)
    expect(await gateways({ limit: 100, editable: false })).toEqual(all)
  })

  test('the response is an array of Gateway objects', async () => {
    const [row] = await gateways({ limit: 1 })
    expect(Object.keys(row ?? {}).sort()).toEqual(['credentials_id', 'editable', 'id', 'name', 'title'])
  })
})

describe('sections 4.2 to 4.4: currencies and clients', () => {
  test('currencies are not limited by Reseller', async () => {
    const params = { from: 'EUR', to: 'USD', at: '2026-03-01T12:00:00Z', __tz: 'UTC' }
    const answers = await Promise.all(
      ['admin', 'reseller-a', 'reseller-b'].map((login) =>
        rpc(service.url, key(login), 'accounting.currencies.get_rate', params),
      ),
    )
    expect(answers[0]?.result).toMatchObject({ from: 'EUR', to: 'USD', rate: expect.any(Number) })
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
  })

  test('clients.get takes {id}, an integer', async () => {
    expect((await rpc(service.url, key('admin'), 'clients.get', { id: 1 })).result).toMatchObject({
      id: 1,
      credit: expect.any(Number),
    })
    expect((await rpc(service.url, key('admin'), 'clients.get', { id: '1' })).error?.code).toBe(-32602)
  })

  test('clients.update takes {id, credit}, and PATCH a JSON body of the fields to change', async () => {
    expect(
      (await rpc(service.url, key('admin'), 'clients.update', { id: 3, credit: 99.75 })).result,
    ).toMatchObject({ id: 3, credit: 99.75 })
    expect(
      (await send(`${service.url}/clients/3`, 'PATCH', key('admin'), { credit: 100.25 })).body,
    ).toMatchObject({ credit: 100.25 })
    expect((await send(`${service.url}/clients/3`, 'GET', key('admin'))).body).toMatchObject({
      id: 3,
      credit: 100.25,
    })
  })
})

describe('sections 4.5 and 5: tokens', () => {
  const login = async () => {
    const { login, password } = service.user('reseller-a')
    const answer = await rpc(service.url, {}, 'iam.auth.jwt.authenticate', { login, password })
    return answer.result as { token: string; expires_at: string }
  }

  test('authenticate exchanges a login and a password for a token; the response carries the token and its expiry timestamp', async () => {
    const { token, expires_at } = await login()
    expect(token).toEqual(expect.any(String))
    expect(Date.parse(expires_at)).toBeGreaterThan(Date.now())
  })

  test('the header Authorization: Bearer <ACCESS_TOKEN> is sent on regular requests', async () => {
    const { token } = await login()
    expect(
      (await rpc(service.url, { Authorization: `Bearer ${token}` }, 'clients.get', { id: 1 })).result,
    ).toMatchObject({ id: 1 })
    expect((await send(`${service.url}/clients/1`, 'GET', { Authorization: `Bearer ${token}` })).status).toBe(
      200,
    )
  })

  test('refresh returns a new token; to be called before the current one expires', async () => {
    const { token } = await login()
    const answer = await rpc(service.url, { Authorization: `Bearer ${token}` }, 'iam.auth.jwt.refresh', {})
    const renewed = (answer.result as { token: string }).token
    expect(renewed).not.toBe(token)
    expect(
      (await rpc(service.url, { Authorization: `Bearer ${renewed}` }, 'clients.get', { id: 1 })).result,
    ).toMatchObject({ id: 1 })
  })

  test('when the token is invalid, a JSON-RPC error response with code -32005 is returned', async () => {
    const answer = await rpc(service.url, { Authorization: 'Bearer not.a.token' }, 'clients.get', { id: 1 })
    expect(answer).toMatchObject({
      httpStatus: 200,
      error: { code: -32005, data: { code: 'invalid_token' } },
    })
  })
})

describe('section 5: authentication', () => {
  test('every request carries the HTTP header X-Api-Key with the API key of the user', async () => {
    expect((await send(`${service.url}/clients/1`, 'GET', key('reseller-a'))).status).toBe(200)
    expect((await send(`${service.url}/clients/1`, 'GET')).status).toBe(401)
  })

  test('when the key is invalid, the HTTP status is 401', async () => {
    const wrong = { 'X-Api-Key': 'bk_wrong' }
    expect((await send(`${service.url}/clients/1`, 'GET', wrong)).status).toBe(401)
    expect((await rpc(service.url, wrong, 'clients.get', { id: 1 })).httpStatus).toBe(401)
  })

  test('the role assigned to the user has no effect: every method can be called', async () => {
    for (const login of ['admin', 'reseller-a', 'reseller-b']) {
      const id = login === 'reseller-b' ? 4 : 1
      expect((await rpc(service.url, key(login), 'lnp.gateways.search')).error).toBeUndefined()
      expect((await rpc(service.url, key(login), 'clients.get', { id })).error).toBeUndefined()
      expect((await rpc(service.url, key(login), 'clients.update', { id })).error).toBeUndefined()
      expect(
        (await rpc(service.url, key(login), 'accounting.currencies.get_rate', { from: 'EUR', to: 'USD' }))
          .error,
      ).toBeUndefined()
    }
  })

  test("only entities associated with the user's Reseller are accessible", async () => {
    const foreign = await rpc(service.url, key('reseller-a'), 'clients.get', { id: 4 })
    const missing = await rpc(service.url, key('reseller-a'), 'clients.get', { id: 4_000 })
    expect(foreign.error).toMatchObject({ code: -32004, data: { code: 'not_found' } })
    expect(foreign.error?.data.title).toBe(missing.error?.data.title)
    expect(String(foreign.error?.data.detail).replace('4', '#')).toBe(
      String(missing.error?.data.detail).replace('4000', '#'),
    )
    expect((await send(`${service.url}/clients/4`, 'GET', key('reseller-a'))).status).toBe(404)

    const before = await send(`${service.url}/clients/4`, 'GET', key('reseller-b'))
    expect((await send(`${service.url}/clients/4`, 'PATCH', key('reseller-a'), { credit: 1 })).status).toBe(
      404,
    )
    expect((await send(`${service.url}/clients/4`, 'GET', key('reseller-b'))).body).toEqual(before.body)
  })
})

describe('section 9: versioning', () => {
  test('an OpenAPI specification is available per system version', async () => {
    const { status, body } = await send(`${service.url}/openapi.json`, 'GET')
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { openapi: expect.stringMatching(/^3\.1/), info: { version: '1.1.0' } },
    })
  })
})

// PostgreSQL orders false before true, and text here by code point.
function compare(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0
  return Number(a) - Number(b)
}
