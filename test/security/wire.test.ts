import { once } from 'node:events'
import { connect } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServiceHere, type TestService } from '../service-process.js'
import { call, raw, rpc, send, statusesIn } from './target.js'

let service: TestService
let headers: Record<string, string>
/** Head lines of an honest caller. */
let own: string
let log = ''
beforeAll(async () => {
  const onLog = (lines: string) => {
    log += lines
  }
  service = await startServiceHere({ LOG_LIMIT: '0', MAX_CONNECTIONS: '300' }, { onLog })
  headers = { 'x-api-key': service.user('reseller-a').apiKey }
  own = `Host: localhost\r\nX-Api-Key: ${headers['x-api-key']}\r\n`
})
afterAll(async () => {
  await service?.stop()
  service?.remove()
})

/** The log line of a request. */
function lineOf(requestId: string): unknown {
  const line = log.split('\n').find((each) => each.includes(`"requestId":"${requestId}"`))
  return line === undefined ? undefined : JSON.parse(line)
}

const secondRequest = () => `GET /clients/2 HTTP/1.1\r\n${own}\r\n`
const json = 'Content-Type: application/json\r\n'

describe('a message with ambiguous framing', () => {
  test.each<[name: string, head: () => string]>([
    [
      'has a length and a coding',
      () =>
        `POST / HTTP/1.1\r\n${own}${json}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'has a coding and a length',
      () =>
        `POST / HTTP/1.1\r\n${own}${json}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n`,
    ],
    [
      'has two lengths',
      () => `POST / HTTP/1.1\r\n${own}${json}Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}`,
    ],
    ['has a list of lengths', () => `POST / HTTP/1.1\r\n${own}${json}Content-Length: 2, 2\r\n\r\n{}`],
    ['has a signed length', () => `POST / HTTP/1.1\r\n${own}${json}Content-Length: +2\r\n\r\n{}`],
    [
      'has a length of hexadecimal digits',
      () => `POST / HTTP/1.1\r\n${own}${json}Content-Length: 0x2\r\n\r\n{}`,
    ],
    [
      'has an unknown coding',
      () => `POST / HTTP/1.1\r\n${own}${json}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'has chunked before another coding',
      () => `POST / HTTP/1.1\r\n${own}${json}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
    ],
    [
      'has its coding after a folded line',
      () =>
        `POST / HTTP/1.1\r\n${own}${json}X: a\r\n Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n{}`,
    ],
    [
      'has a space before a colon',
      () => `POST / HTTP/1.1\r\n${own}${json}Transfer-Encoding : chunked\r\nContent-Length: 2\r\n\r\n{}`,
    ],
    [
      'ends its lines with LF alone',
      () => `POST / HTTP/1.1\n${own.replaceAll('\r', '')}Content-Length: 2\n\n{}`,
    ],
    [
      'has CR within a value',
      () => `POST / HTTP/1.1\r\n${own}${json}X: a\rTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n{}`,
    ],
    [
      'has chunks of no size',
      () => `POST / HTTP/1.1\r\n${own}${json}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    ],
    [
      'has a negative chunk',
      () => `POST / HTTP/1.1\r\n${own}${json}Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n`,
    ],
    [
      'has a chunk of 2 ** 64 bytes',
      () => `POST / HTTP/1.1\r\n${own}${json}Transfer-Encoding: chunked\r\n\r\n10000000000000000\r\n`,
    ],
    [
      'has chunk extensions without end',
      () =>
        `POST / HTTP/1.1\r\n${own}${json}Transfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(20_000)}\r\n{}\r\n`,
    ],
    ['has two hosts', () => `POST / HTTP/1.1\r\n${own}Host: other\r\n${json}Content-Length: 2\r\n\r\n{}`],
    ['has no host', () => `GET /clients/1 HTTP/1.1\r\nX-Api-Key: ${headers['x-api-key']}\r\n\r\n`],
    [
      'has a host that is no name',
      () => `GET /clients/1 HTTP/1.1\r\nX-Api-Key: ${headers['x-api-key']}\r\nHost: user@other\r\n\r\n`,
    ],
    [
      'is of HTTP/1.0 and has a coding',
      () =>
        `POST / HTTP/1.0\r\n${own}${json}Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    ],
    ['asks for a tunnel', () => `CONNECT other:1 HTTP/1.1\r\n${own}\r\n`],
    ['has NUL in a header', () => `GET /clients/1 HTTP/1.1\r\n${own}X: a\0b\r\n\r\n`],
    ['has 20 kB of headers', () => `GET /clients/1 HTTP/1.1\r\n${own}X: ${'a'.repeat(20_000)}\r\n\r\n`],
  ])('is refused once, with a problem, and the rest is not a request: it %s', async (_name, head) => {
    const answer = await raw(service.url, head() + secondRequest())
    const [status, ...more] = statusesIn(answer)
    expect([more, [400, 413, 431, 501].includes(status ?? 0)]).toEqual([[], true])
    expect(answer).not.toContain('"credit"')
    const requestId = /"requestId":"([^"]+)"/.exec(answer)?.[1]
    expect(requestId).toBeDefined()
    await expect.poll(() => log).toContain(`"requestId":"${requestId}"`)
  })

  // Statuses are those of RFC 9110, 9112 (section 6.1) and 6585; 408 and 431 have no code of their own.
  test.each<[name: string, status: number, code: string, head: () => string]>([
    ['another method than HTTP has', 400, 'invalid_request', () => `FETCH /clients/1 HTTP/1.1\r\n${own}\r\n`],
    ['a tunnel', 501, 'not_implemented', () => `CONNECT other:1 HTTP/1.1\r\n${own}\r\n`],
    [
      'a body in another coding',
      501,
      'not_implemented',
      () =>
        `POST /clients HTTP/1.1\r\n${own}${json}Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    ],
    [
      'chunk extensions without end',
      413,
      'payload_too_large',
      () =>
        `POST / HTTP/1.1\r\n${own}${json}Transfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(20_000)}\r\n{}\r\n`,
    ],
    ['a long target', 431, 'invalid_request', () => `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${own}\r\n`],
    ['no host', 400, 'invalid_request', () => 'GET /clients/1 HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ])('has a status and code in the answer and in the log: %s', async (_name, status, code, head) => {
    const answer = await raw(service.url, head())
    expect(statusesIn(answer)).toEqual([status])
    const content = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))
    const problem = content.error?.data ?? content
    expect(problem).toMatchObject({ status, code, type: `urn:problem-type:${code}` })
    await expect.poll(() => lineOf(problem.requestId)).toMatchObject({ code })
  })

  test.each([
    ['GET', '/clients/1', 400],
    ['GET', '/nothing', 404],
    ['GET', '/healthz', 200],
    ['DELETE', '/clients/1', 405],
    ['OPTIONS', '/clients/1', 204],
    ['HEAD', '/', 200],
    ['POST', '/nothing', 404],
  ])('is not one where a %s of %s has a body that looks like a request', async (method, path, status) => {
    const smuggled = `GET /clients/2 HTTP/1.1\r\n${own}\r\n`
    const head = `${method} ${path} HTTP/1.1\r\n${own}${json}Content-Length: ${smuggled.length}\r\n\r\n`
    const last = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
    const answer = await raw(service.url, head + smuggled + last)
    expect(statusesIn(answer)[0]).toBe(status)
    expect(answer).not.toContain('"credit"')
    expect(statusesIn(answer).length).toBeLessThanOrEqual(2)
  })
})

test('other protocols on the port get an HTTP answer or none', async () => {
  for (const bytes of [
    '\x16\x03\x01\x02\x00\x01',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'HELO x\r\n',
    '\0'.repeat(100),
  ]) {
    const statuses = statusesIn(await raw(service.url, bytes))
    expect(statuses.every((status) => status === 400)).toBe(true)
  }
  const upgrade = `GET /clients/1 HTTP/1.1\r\n${own}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`
  expect(statusesIn(await raw(service.url, upgrade))).toEqual([200])
})

test('input of a caller never becomes a log line or a header', { tags: 'long' }, async () => {
  const marks = [
    '\u001b[31mred',
    'a\nb',
    'a\r\nSet-Cookie: x=1',
    '\u009b31m',
    '\u202eabc',
    '\u2028',
    '\u007f',
  ]
  log = ''
  for (const mark of marks) {
    const encoded = encodeURIComponent(mark)
    const latin = Buffer.from(mark, 'utf8').toString('latin1')
    await send(service.url, `/clients/${encoded}?${encoded}=${encoded}&__tz=${encoded}`, { headers })
    await send(service.url, `/${encoded}`, { headers })
    await rpc(service.url, call(mark, { [mark]: mark, __tz: mark }, mark), headers)
    await rpc(service.url, call('iam.auth.jwt.authenticate', { login: mark, password: mark }), headers)
    await raw(
      service.url,
      `GET /clients/1 HTTP/1.1\r\n${own}X-Request-Id: ${latin}\r\nConnection: close\r\n\r\n`,
    )
    const answered = await raw(
      service.url,
      `GET /clients/1?${encoded} HTTP/1.1\r\n${own}User-Agent: ${latin.replaceAll(/[\r\n]/g, '')}\r\nConnection: close\r\n\r\n`,
    )
    expect(answered.split('\r\n\r\n')[0]?.toLowerCase()).not.toContain('set-cookie')
  }
  await send(service.url, '/healthz')
  await expect.poll(() => log.split('\n').length).toBeGreaterThan(marks.length * 4)
  for (const line of log.trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow()
  expect(log.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e]/u)
  expect(log).not.toContain(headers['x-api-key'])
})

test('a request id that is safe for a log and a header is kept and repeated in problems', async () => {
  const kept = await send(service.url, '/clients/999', { headers: { ...headers, 'x-request-id': 'r-1.a:b' } })
  expect([kept.headers['x-request-id'], kept.json.requestId]).toEqual(['r-1.a:b', 'r-1.a:b'])
  for (const unfit of ['a b', 'a"b', '<script>', 'a'.repeat(129), '%0d%0a']) {
    const answer = await send(service.url, '/clients/999', { headers: { ...headers, 'x-request-id': unfit } })
    expect(answer.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
    expect(answer.json.requestId).toBe(answer.headers['x-request-id'])
  }
})

describe('requests after one that ends its connection', () => {
  const rpcCall = `POST / HTTP/1.1\r\nHost: localhost\r\n${json}Content-Length: 2\r\n\r\n{}`
  const waiting = 'GET /nope HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n\r\n'
  const chunked =
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n'
  const unknown = 'GET /nope HTTP/1.1\r\nHost: localhost\r\n\r\n'

  // node:http fails an assertion if the service answers them.
  test.each([
    ['that waits to be asked for a body', rpcCall + waiting],
    ['whose body is not read', rpcCall + chunked],
  ])('%s do no harm if the caller hangs up', async (_, first) => {
    const packet = first + rpcCall.repeat(2) + unknown + rpcCall + unknown.repeat(3)
    const { hostname, port } = new URL(service.url)
    for (let round = 0; round < 40; round++) {
      const socket = connect(Number(port), hostname).resume()
      socket.on('error', () => {})
      await once(socket, 'connect')
      socket.write(packet)
      await delay([1, 3, 6, 12][round % 4])
      if (round % 2 === 0) socket.resetAndDestroy()
      else socket.destroy()
    }
    expect((await send(service.url, '/clients/1', { headers })).status).toBe(200)
  })
})

test('a body that is cut off has one log line, with the caller’s request id', async () => {
  const { hostname, port } = new URL(service.url)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  socket.end(`POST / HTTP/1.1\r\n${own}${json}X-Request-Id: cut-1\r\nContent-Length: 100\r\n\r\n{`)
  const answer = await textOf(socket)
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({
    jsonrpc: '2.0',
    id: null,
    error: { code: -32600, data: { code: 'invalid_request', status: 400, requestId: 'cut-1' } },
  })
  await expect.poll(() => lineOf('cut-1')).toMatchObject({ protocol: 'jsonrpc', code: 'invalid_request' })
  expect(log.split('"requestId":"cut-1"')).toHaveLength(2)
})

test('a malformed message after an answered call has a log line too', async () => {
  const before = log.split('"code":"invalid_request"').length
  const text = await raw(service.url, `${secondRequest()}BLAH\r\n\r\n`)
  expect(statusesIn(text)).toEqual([200])
  await expect.poll(() => log.split('"code":"invalid_request"').length).toBe(before + 1)
})

describe('slow callers', () => {
  /** Opens a connection, sends the bytes and keeps it open. */
  function hold(bytes: string): Promise<{ readonly closed: () => boolean; end(): void; text(): string }> {
    const { hostname, port } = new URL(service.url)
    return new Promise((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(bytes)
        resolve({ closed: () => socket.destroyed, end: () => socket.destroy(), text: () => text })
      })
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('error', () => {})
    })
  }

  test('of heads do not block others: the oldest is closed for new connections', async () => {
    const held = await Promise.all(Array.from({ length: 300 }, () => hold('GET /clients/1 HTTP/1.1\r\nX: ')))
    // Uses new connections, since those of earlier tests have been idle for longest.
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => send(service.url, '/clients/1', { headers, agent: false })),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(held.filter(({ closed }) => closed()).length).toBeGreaterThan(0)
    for (const { end } of held) end()
  })

  test('of bodies do not block others: the oldest is closed for new ones', { tags: 'long' }, async () => {
    const head = `POST / HTTP/1.1\r\n${own}${json}Content-Length: 1000\r\n\r\n{`
    const held = await Promise.all(Array.from({ length: 260 }, () => hold(head)))
    await expect.poll(() => held.some(({ text }) => text().startsWith('HTTP/1.1 503'))).toBe(true)
    const { json: answer } = await rpc(service.url, call('clients.get', { id: 1 }), headers)
    expect(answer.result.id).toBe(1)
    for (const { end } of held) end()
  })

  test('of bodies with a long announced length do not block others', { tags: 'long' }, async () => {
    const head = (length: number) => `POST / HTTP/1.1\r\n${own}${json}Content-Length: ${length}\r\n\r\n{`
    // Their announced lengths are far beyond the node's bound.
    const held = await Promise.all(
      [1_048_576, 20].flatMap((length) => Array.from({ length: 50 }, () => hold(head(length)))),
    )
    for (let index = 0; index < 5; index++) {
      expect((await send(service.url, '/clients/1', { headers })).status).toBe(200)
      expect((await rpc(service.url, call('clients.get', { id: 1 }), headers)).json.result.id).toBe(1)
    }
    for (const { end } of held) end()
  })

  test.runIf(process.env.SECURITY === 'all')(
    'of heads and of bodies are cut off in time',
    { timeout: 120_000 },
    async () => {
      const heads = await hold('GET /clients/1 HTTP/1.1\r\nX: ')
      const bodies = await hold(`POST / HTTP/1.1\r\n${own}${json}Content-Length: 1000\r\n\r\n{`)
      const silent = await hold('')
      await expect.poll(() => heads.closed(), { timeout: 20_000 }).toBe(true)
      await expect.poll(() => silent.closed(), { timeout: 20_000 }).toBe(true)
      await expect.poll(() => bodies.closed(), { timeout: 60_000 }).toBe(true)
      expect(heads.text()).toMatch(/^HTTP\/1\.1 408 /)
      expect(bodies.text()).toMatch(/^HTTP\/1\.1 408 /)
    },
  )
})
