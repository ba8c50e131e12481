import { describe, expect, test } from 'vitest'
import { billing, handlers, key } from '../fixtures/billing.js'
import type { Context, HttpRequest } from '../index.js'

type Options = Parameters<typeof billing>[0]

const json = { 'Content-Type': 'application/json' }

function send(options: Options, path: string, init?: RequestInit & { duplex?: 'half' }): Promise<Response> {
  return billing(options).fetch(new Request(`http://localhost${path}`, init))
}

/** POST /echo calls `any`. */
function echo(any: (params: unknown, context: Context<unknown>) => unknown): Options {
  return { handlers: { ...handlers, echo: { any } } }
}

/** An endless body that counts the bytes that are read. */
function endless() {
  const read = { bytes: 0, isCancelled: false }
  const body = new ReadableStream({
    pull(controller) {
      read.bytes += 1024
      controller.enqueue(new Uint8Array(1024).fill(0x20))
    },
    cancel() {
      read.isCancelled = true
    },
  })
  return { read, body }
}

describe('a body', () => {
  test('is counted while it arrives, and read up to a multiple of the limit', async () => {
    const { read, body } = endless()
    const options = { limits: { bodyBytes: 2048, anonymousBodyBytes: 2048 } }
    const response = await send(options, '/echo', { method: 'POST', headers: json, body, duplex: 'half' })
    expect([response.status, await response.json()]).toMatchObject([413, { code: 'payload_too_large' }])
    await expect.poll(() => read.isCancelled).toBe(true)
    expect(read.bytes).toBeLessThan(2048 * 10)
  })

  test('without credentials has the anonymous limit, with any length', async () => {
    const options = { limits: { bodyBytes: 2048, anonymousBodyBytes: 16 } }
    const credit = (headers: object) => {
      const body = new Blob([JSON.stringify({ credit: 1.25 }).padEnd(100)]).stream()
      return send(options, '/clients/7', {
        method: 'PATCH',
        headers: { ...json, ...headers },
        body,
        duplex: 'half',
      })
    }
    expect((await credit({})).status).toBe(401)
    expect((await credit(key)).status).toBe(200)
  })

  test('that other code has read is a fault of the service, and its log says what to do', async () => {
    const request = new Request('http://localhost/echo', { method: 'POST', headers: json, body: '{}' })
    await request.json()
    const lines: unknown[] = []
    const logger = {
      error: (details: { err?: unknown }) => lines.push(String(details.err)),
      warn: () => undefined,
    }
    const response = await billing({ logger }).fetch(request)
    expect([response.status, await response.json()]).toMatchObject([500, { code: 'internal_error' }])
    expect(lines).toEqual([expect.stringMatching(/read the body/)])
  })

  test('that was announced and is missing is refused', async () => {
    const headers = { 'Content-Length': '11' }
    expect((await send({}, '/echo', { method: 'POST', headers })).status).toBe(400)
  })

  test('whose caller disconnects is not a fault of the service', async () => {
    const body = new ReadableStream({
      pull(controller) {
        controller.error(new Error('gone'))
      },
    })
    const response = await send({}, '/echo', { method: 'POST', headers: json, body, duplex: 'half' })
    expect(response.status).toBe(400)
  })
})

describe('a caller that disconnects', () => {
  test('aborts the signal of its handler', async () => {
    const leaving = new AbortController()
    let signal: AbortSignal | undefined
    const any = async (_: unknown, context: Context<unknown>) => {
      signal = context.signal
      leaving.abort()
    }
    await send(echo(any), '/echo', { method: 'POST', headers: json, body: '{}', signal: leaving.signal })
    expect(signal?.aborted).toBe(true)
  })

  test('aborts nothing after the response', async () => {
    const leaving = new AbortController()
    let signal: AbortSignal | undefined
    const any = (_: unknown, context: Context<unknown>) => {
      signal = context.signal
    }
    await send(echo(any), '/echo', { method: 'POST', headers: json, body: '{}', signal: leaving.signal })
    leaving.abort()
    expect(signal?.aborted).toBe(false)
  })
})

describe('an answer', () => {
  test("to HEAD has the length of GET's body, and no body", async () => {
    const response = await send({}, '/clients/7', { method: 'HEAD', headers: key })
    const expected = String(JSON.stringify({ id: 7, credit: 10 }).length)
    expect([response.status, response.headers.get('content-length')]).toEqual([200, expected])
    expect(await response.text()).toBe('')
  })

  test('of a status without content has no body', async () => {
    const response = await send({}, '/clients/7', { method: 'DELETE', headers: key })
    expect([response.status, response.body]).toEqual([204, null])
  })

  test('has one header for each cookie that a handler sets', async () => {
    const any = (_: unknown, { reply }: Context<unknown>) => {
      reply.header('Set-Cookie', ['a=1; Path=/', 'b=2'])
    }
    const response = await send(echo(any), '/echo', { method: 'POST', headers: json, body: '{}' })
    expect(response.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2'])
  })
})

test('hooks receive method, target, headers and address of the request', async () => {
  let told: HttpRequest | undefined
  const api = billing({
    onCall: ({ request }: { request?: HttpRequest }) => {
      told = request
    },
  })
  await api.fetch(new Request('http://localhost/clients/7?a=1#b', { headers: { 'X-A': '1' } }), {
    address: '192.0.2.1',
  })
  expect(told).toMatchObject({
    method: 'GET',
    url: '/clients/7?a=1',
    headers: { 'x-a': '1' },
    socket: { remoteAddress: '192.0.2.1' },
  })
})

test("accepts a platform's second argument", async () => {
  const { fetch } = billing()
  const request = () => new Request('http://localhost/clients/7', { headers: key })
  const asPlatform = fetch as (request: Request, other: unknown, more?: unknown) => Promise<Response>
  for (const other of [{ address: { port: 1 } }, {}, undefined]) {
    expect((await asPlatform(request(), other, {})).status).toBe(200)
  }
})
