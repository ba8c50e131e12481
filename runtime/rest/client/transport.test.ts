import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createClientOf } from '../../client/client.js'
import type { CallOptions } from '../../client/client-options.js'
import type { Fetch } from '../../client/transport.js'
import { builtInErrors } from '../../contract/catalogue.js'
import type { Operation } from '../../contract/operation.js'
import { type RestTransportOptions, rest } from './transport.js'

interface Client {
  search(params?: { limit?: number; session?: string }, options?: CallOptions): Promise<unknown>
}

const search: Operation = {
  name: 'search',
  source: '#',
  rest: {
    method: 'GET',
    path: '/search',
    parameters: [
      {
        name: 'limit',
        param: 'limit',
        in: 'query',
        required: false,
        style: 'form',
        explode: true,
        coerce: { types: ['integer'] },
      },
      {
        name: 'session',
        param: 'session',
        in: 'cookie',
        required: false,
        style: 'form',
        explode: true,
        coerce: { types: ['string'] },
      },
    ],
    status: 200,
  },
  rpc: 'search',
  security: [],
  errors: [],
  idempotent: false,
  datetimes: {},
}

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

interface FakeResponse {
  status?: number
  headers?: Record<string, string>
  body?: string
}

async function connect(
  { body = '', headers = {}, status = 200 }: FakeResponse,
  options: Partial<RestTransportOptions> = {},
) {
  const received: { url: string | undefined; cookie: string | undefined; body: string }[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    received.push({ url: request.url, cookie: request.headers.cookie, body: text })
    response.writeHead(status, headers).end(body)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  closing.push(() => {
    server.close()
    server.closeAllConnections()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base/`
  const transport = rest(baseUrl, options)
  return {
    client: createClientOf<Client>(
      { operations: { search }, errors: builtInErrors, securitySchemes: {} },
      { transport },
    ),
    received,
  }
}

const json = { 'content-type': 'application/json; charset=utf-8' }
const problemJson = { 'content-type': 'application/problem+json' }

test('paths are appended to the base address, params to the query and the Cookie header', async () => {
  const { client, received } = await connect({ headers: json, body: '[]' })
  expect(await client.search({ limit: 5, session: 'a' })).toEqual([])
  expect(received).toEqual([{ url: '/base/search?limit=5', cookie: 'session=a', body: '' }])
})

test('reads any JSON media type and any success status', async () => {
  const { client } = await connect({
    status: 203,
    headers: { 'content-type': 'application/vnd.x+json' },
    body: '1',
  })
  expect(await client.search()).toBe(1)
})

describe('a GET with its params in the body', () => {
  test('needs a custom fetch', () => {
    expect(() => rest('http://host', { getParams: 'body' })).toThrow(/needs a fetch option/)
  })

  test('is sent by a fetch built on node:http', async () => {
    const viaHttp: Fetch = (url, { body, headers, method, signal }) =>
      new Promise((resolve, reject) => {
        if (typeof body !== 'string') throw new Error('The body is no text')
        const length = Buffer.byteLength(body)
        const sent = httpRequest(
          url,
          { method, headers: { ...headers, 'content-length': length }, signal },
          (answer) => {
            const text = async () => Buffer.concat(await answer.toArray()).toString()
            const get = (name: string) => answer.headers[name]?.toString() ?? null
            resolve({ status: answer.statusCode ?? 0, headers: { get }, text })
          },
        )
        sent.on('error', reject).end(body)
      })
    const { client, received } = await connect(
      { headers: json, body: '[]' },
      { fetch: viaHttp, getParams: 'body' },
    )
    expect(await client.search({ limit: 5 }, { timezone: 'UTC' })).toEqual([])
    expect(received).toEqual([{ url: '/base/search?__tz=UTC', cookie: undefined, body: '{"limit":5}' }])
  })
})

describe('an unexpected response', () => {
  test.each<[string, FakeResponse]>([
    ['is a page', { headers: { 'content-type': 'text/html' }, body: '<html>' }],
    ['is JSON that does not say so', { body: '[]' }],
    ['is broken JSON', { headers: json, body: '[' }],
    ['is an error page', { status: 500, headers: { 'content-type': 'text/html' }, body: '<html>' }],
    ['is an error without a body', { status: 500 }],
    ['is an error whose JSON is no problem', { status: 500, headers: json, body: '{"error":"x"}' }],
    ['is an error whose problem is no object', { status: 500, headers: problemJson, body: '[1]' }],
  ])('%s', async (_, answer) => {
    const { client } = await connect(answer)
    await expect(client.search()).rejects.toMatchObject({
      name: 'TransportError',
      reason: 'unexpected_response',
      operation: 'search',
      status: answer.status ?? 200,
      excerpt: answer.body ?? '',
    })
  })

  test('is a redirect, which clients do not follow', async () => {
    const { client, received } = await connect({ status: 302, headers: { location: '/elsewhere' } })
    await expect(client.search()).rejects.toMatchObject({
      reason: 'unexpected_response',
      status: 302,
      message: 'search: a redirect, which clients do not follow: use the final address (HTTP status 302)',
    })
    expect(received).toHaveLength(1)
  })
})

describe('a problem', () => {
  test('keeps a code that the catalogue does not have', async () => {
    const { client } = await connect({
      status: 418,
      headers: problemJson,
      body: '{"code":"teapot","title":"Teapot"}',
    })
    await expect(client.search()).rejects.toMatchObject({ code: 'teapot', status: 418, rpcCode: undefined })
  })

  test('without a code is an unknown_error', async () => {
    const body = '{"type":"about:blank","title":"Forbidden","status":403,"detail":"Not from here."}'
    const { client } = await connect({ status: 403, headers: problemJson, body })
    await expect(client.search()).rejects.toMatchObject({
      code: 'unknown_error',
      status: 403,
      title: 'Forbidden',
      detail: 'Not from here.',
    })
  })

  test('with member names of Object.prototype changes no prototype', async () => {
    const body = '{"code":"constructor","__proto__":{"polluted":1},"title":"X"}'
    const { client } = await connect({ status: 400, headers: problemJson, body })
    await expect(client.search()).rejects.toMatchObject({ code: 'constructor', rpcCode: undefined })
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })
})
