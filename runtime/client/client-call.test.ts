import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { builtInErrors } from '../contract/catalogue.js'
import type { Operation } from '../contract/operation.js'
import { jsonrpc } from '../jsonrpc/client/transport.js'
import { rest } from '../rest/client/transport.js'
import { createClientOf } from './client.js'
import type { CallOptions, ClientOptions } from './client-options.js'
import type { Fetch, Transport } from './transport.js'

/** Reading is idempotent, buying is not, ordering has an idempotency key. */
function operation(name: string, idempotent: boolean): Operation {
  return {
    name,
    source: '#',
    rest: { method: idempotent ? 'GET' : 'POST', path: `/${name}`, parameters: [], status: 200 },
    rpc: name,
    security: [],
    errors: [],
    idempotent,
    datetimes: {},
  }
}

interface Client {
  read(params?: object, options?: CallOptions): Promise<unknown>
  buy(params?: object, options?: CallOptions): Promise<unknown>
  order(params?: object, options?: CallOptions): Promise<unknown>
}

const contract = {
  operations: {
    read: operation('read', true),
    buy: operation('buy', false),
    order: { ...operation('order', false), idempotencyKey: 'key' },
  },
  errors: builtInErrors,
  securitySchemes: {},
}

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A server whose nth request goes to the nth listener; the last listener also gets all further requests. */
async function serverOf(...listeners: RequestListener[]) {
  const times: number[] = []
  const server = createServer((request, response) => {
    const listener = listeners[Math.min(times.length, listeners.length - 1)]
    times.push(performance.now())
    request.resume().on('end', () => listener?.(request, response))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  closing.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return { times, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** Holds the timers of this length. `end` ends the latest. */
function heldTimers(length: number, onBegin = () => {}): { end(): void } {
  let latest = () => {}
  const begin = setTimeout
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms: number) => {
    if (ms !== length) return begin(run, ms)
    latest = run
    return onBegin()
  }) as typeof setTimeout)
  onTestFinished(() => void vi.restoreAllMocks())
  return { end: () => latest() }
}

const fine: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end('"fine"')
}
const silent: RequestListener = () => {}
const reset: RequestListener = (request) => {
  request.socket.destroy()
}
const stalled: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('"fi')
}
const cut: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
  response.write('"fi', () => response.destroy())
}
function unavailable(headers: Record<string, string> = {}, status = 503): RequestListener {
  const problem = {
    type: 'urn:problem-type:unavailable',
    title: 'Service unavailable',
    status,
    code: 'unavailable',
  }
  return (_, response) => {
    response
      .writeHead(status, { 'content-type': 'application/problem+json', ...headers })
      .end(JSON.stringify(problem))
  }
}
const htmlBadGateway: RequestListener = (_, response) => {
  response.writeHead(502, { 'content-type': 'text/html' }).end('<html>bad gateway</html>')
}

type Options = Omit<ClientOptions<Transport>, 'transport'>
const quick = { baseDelay: 1 }
const clientOf = (baseUrl: string, options: Options = {}) =>
  createClientOf<Client>(contract, { transport: rest(baseUrl), retry: quick, ...options })

describe('an idempotent call', () => {
  test.each([
    ['a 503 problem', unavailable()],
    ['a 429 problem', unavailable({}, 429)],
    ["a gateway's HTML 502", htmlBadGateway],
    ['a reset connection', reset],
    ['an answer that breaks off', cut],
  ])('is retried after %s', { tags: 'long' }, async (_, failing) => {
    const { baseUrl, times } = await serverOf(failing, fine)
    expect(await clientOf(baseUrl).read()).toBe('fine')
    expect(times).toHaveLength(2)
  })

  test('is retried after a timeout, before the response and within it', async () => {
    const timeouts = heldTimers(60_000)
    const { baseUrl, times } = await serverOf(timeouts.end, stalled, fine)
    const transport = rest(baseUrl, {
      async fetch(...request) {
        const response = await fetch(...request)
        if (times.length === 2) timeouts.end()
        return response
      },
    })
    const client = createClientOf<Client>(contract, { transport, retry: quick, timeout: 60_000 })
    expect(await client.read()).toBe('fine')
    expect(times).toHaveLength(3)
  })

  test('is tried three times in all, then fails with the last error', async () => {
    const { baseUrl, times } = await serverOf(reset, reset, unavailable())
    await expect(clientOf(baseUrl).read()).rejects.toMatchObject({ name: 'ApiError', status: 503 })
    expect(times).toHaveLength(3)
  })

  test("is retried as the options say; the call's override the client's", async () => {
    const { baseUrl, times } = await serverOf(unavailable())
    const client = clientOf(baseUrl, { retry: { retries: 5, baseDelay: 1 } })
    await expect(client.read({}, { retry: false })).rejects.toThrow()
    expect(times).toHaveLength(1)
    await expect(client.read()).rejects.toThrow()
    expect(times).toHaveLength(7)
  })

  test('is not retried after a permanent failure', async () => {
    const { baseUrl, times } = await serverOf(unavailable({}, 500))
    await expect(clientOf(baseUrl).read()).rejects.toMatchObject({ status: 500 })
    expect(times).toHaveLength(1)
  })

  test('waits as long as Retry-After says', { tags: 'long' }, async () => {
    const { baseUrl, times } = await serverOf(unavailable({ 'retry-after': '1' }), fine)
    expect(await clientOf(baseUrl).read()).toBe('fine')
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(950)
  })

  test('fails at once if Retry-After is too long, and reports it', async () => {
    const { baseUrl, times } = await serverOf(unavailable({ 'retry-after': '31' }), fine)
    await expect(clientOf(baseUrl).read()).rejects.toMatchObject({ retryAfterMs: 31_000 })
    expect(times).toHaveLength(1)
  })
})

describe('a call that is not idempotent', () => {
  test.each([
    ['a 503 problem', unavailable({ 'retry-after': '0' })],
    ['a reset connection', reset],
    ["a gateway's HTML 502", htmlBadGateway],
  ])('is never retried after %s', async (_, failing) => {
    const { baseUrl, times } = await serverOf(failing, fine)
    await expect(clientOf(baseUrl).buy()).rejects.toThrow()
    expect(times).toHaveLength(1)
  })

  test('is retried only if it has an idempotency key', async () => {
    const { baseUrl, times } = await serverOf(reset, fine)
    expect(await clientOf(baseUrl).order({ key: 'k' })).toBe('fine')
    expect(times).toHaveLength(2)
    const keyless = await serverOf(reset, fine)
    await expect(clientOf(keyless.baseUrl).order({ key: undefined })).rejects.toThrow()
    expect(keyless.times).toHaveLength(1)
  })
})

describe('a call without a response', () => {
  test('ends with the reason network', async () => {
    const { baseUrl } = await serverOf(reset)
    const call = clientOf(baseUrl, { retry: false }).read()
    await expect(call).rejects.toMatchObject({ name: 'TransportError', reason: 'network', operation: 'read' })
  })

  test('ends with the reason network if nothing listens', async () => {
    const { baseUrl } = await serverOf(fine)
    // No other process gets the port of an open connection.
    const connection = connect(Number(new URL(baseUrl).port), '127.0.0.1')
    closing.push(() => connection.destroy())
    await once(connection, 'connect')
    const unheard = `http://127.0.0.1:${connection.localPort}`
    await expect(clientOf(unheard, { retry: false }).read()).rejects.toMatchObject({
      reason: 'network',
      message: expect.stringContaining('ECONNREFUSED'),
    })
  })

  test('ends with the reason timeout', async () => {
    const { baseUrl } = await serverOf(silent)
    const call = clientOf(baseUrl).buy({}, { timeout: 50 })
    await expect(call).rejects.toMatchObject({ reason: 'timeout', message: 'buy: no response in 50 ms' })
  })

  test('never times out with the timeout 0', async () => {
    const late: RequestListener = (request, response) => {
      setTimeout(() => fine(request, response), 300)
    }
    const { baseUrl } = await serverOf(late)
    expect(await clientOf(baseUrl, { timeout: 50 }).buy({}, { timeout: 0 })).toBe('fine')
  })

  test('times out even if fetch ignores the signal', async () => {
    const transport = rest('http://127.0.0.1', { fetch: () => new Promise(() => {}) })
    const client = createClientOf<Client>(contract, { transport, timeout: 50 })
    await expect(client.buy()).rejects.toMatchObject({ reason: 'timeout' })
  })
})

describe('an aborted call', () => {
  test('ends with the reason aborted, and the request with it', async () => {
    const gone = deferred()
    const { baseUrl } = await serverOf((request) => {
      request.socket.on('close', () => gone.resolve(undefined))
      controller.abort('enough')
    })
    const controller = new AbortController()
    const call = clientOf(baseUrl).read({}, { signal: controller.signal })
    await expect(call).rejects.toMatchObject({ reason: 'aborted', cause: 'enough' })
    await gone.promise
  })

  test('sends nothing if the signal is already aborted', async () => {
    const { baseUrl, times } = await serverOf(fine)
    const call = clientOf(baseUrl).read({}, { signal: AbortSignal.abort() })
    await expect(call).rejects.toMatchObject({ reason: 'aborted' })
    expect(times).toHaveLength(0)
  })

  test('ends during a wait between attempts', async () => {
    const { baseUrl, times } = await serverOf(unavailable({ 'retry-after': '20' }), fine)
    const controller = new AbortController()
    // The wait itself never ends.
    heldTimers(20_000, () => controller.abort())
    const call = clientOf(baseUrl).read({}, { signal: controller.signal })
    await expect(call).rejects.toMatchObject({ reason: 'aborted' })
    expect(times).toHaveLength(1)
  })
})

test("over JSON-RPC the problem's status decides, not HTTP's", async () => {
  const problem = {
    type: 'urn:problem-type:rate_limited',
    title: 'Too many requests',
    status: 429,
    code: 'rate_limited',
  }
  let answers = 0
  const { baseUrl } = await serverOf(async (request, response) => {
    answers += 1
    const error = { code: -32029, message: 'Too many requests', data: problem }
    const outcome = answers === 1 ? { error } : { result: 'fine' }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id: Number(request.headers['x-id']), ...outcome }))
  })
  const numbered: Fetch = (url, request) => {
    const { id } = JSON.parse(String(request.body))
    return fetch(url, { ...request, headers: { ...request.headers, 'x-id': String(id) } })
  }
  const transport = jsonrpc(baseUrl, { fetch: numbered })
  expect(await createClientOf<Client>(contract, { transport, retry: quick }).read()).toBe('fine')
  expect(answers).toBe(2)
})

function deferred() {
  let resolve: (value: unknown) => void = () => {}
  const promise = new Promise((done) => {
    resolve = done
  })
  return { promise, resolve }
}
