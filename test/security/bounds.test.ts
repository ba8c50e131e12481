// @module-tag long

import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Violation } from '../../runtime/core/problem.js'
import { parameter } from '../../runtime/fixtures/contract.js'
import { checkCharset } from '../../runtime/http/media-type.js'
import { coerceText } from '../../runtime/rest/coerce.js'
import { FormBinder } from '../../runtime/rest/form.js'
import { type RunningService, startService } from '../service-process.js'
import { send, statusesIn } from './target.js'

// Each place of docs/bounds.md that one request can push: at its bound and at ten times the bound.

let service: RunningService
let key: string
let longestLine = 0
beforeAll(async () => {
  service = await startService({
    TRUST_PROXY: '127.0.0.0/8,10.0.0.0/8',
    LOG_LEVEL: 'info',
    LOG_LIMIT: '0',
    ANONYMOUS_LIMIT: '0',
    FAILURE_LIMIT: '0',
    PROCESSOR_SHARE: '0',
    // A node that keeps what it should not ends.
    NODE_OPTIONS: '--max-old-space-size=256',
  })
  key = `X-Api-Key: ${service.user('reseller-a').apiKey}`
  let line = ''
  service.process.stderr?.on('data', (text: string) => {
    const lines = (line + text).split('\n')
    line = lines.pop() ?? ''
    for (const each of lines) longestLine = Math.max(longestLine, each.length)
  })
})
afterAll(async () => {
  await service?.stop()
  service?.remove()
})

/** The statuses of the answers to a request of so many units; 0: the connection ends without an answer. */
interface Row {
  readonly bound: number
  /** A request as it goes over the wire. */
  readonly request: (units: number) => string
  readonly at: number
  readonly beyond: number
  /** Bytes of an answer to what is refused, where they are more: a batch, a page. */
  readonly answerBytes?: number
}

const KiB = 1024
const MiB = 1024 * KiB

const get = (target: string, ...fields: readonly string[]) =>
  [`GET ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...fields, '', ''].join('\r\n')
const sent = (start: string, body: string, ...fields: readonly string[]) =>
  [
    `${start} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    ...(fields.some((field) => /^content-type/i.test(field)) ? [] : ['Content-Type: application/json']),
    `Content-Length: ${Buffer.byteLength(body, 'latin1')}`,
    ...fields,
    '',
    body,
  ].join('\r\n')
const patch = (body: string, ...fields: readonly string[]) => sent('PATCH /clients/1', body, key, ...fields)
const rpc = (body: string) => sent('POST /', body, key)
const call = (method: string, params: string, id = '1') =>
  `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`
const many = (text: string, count: number) => text.repeat(count).slice(0, -1)
const names = (count: number) => Array.from({ length: count }, (_, i) => `"n${i}":1`).join()
const authenticate = (login: string, password: string) =>
  sent('POST /iam/auth/jwt/authenticate', JSON.stringify({ login, password }))
const signIn = (body: string) =>
  sent(
    'POST /admin/sign-in',
    body,
    'Sec-Fetch-Site: same-origin',
    'Content-Type: application/x-www-form-urlencoded',
  )

const rows: Readonly<Record<string, Row>> = {
  'a path': {
    bound: 14 * KiB,
    request: (size) => get(`/${'a'.repeat(size)}`),
    at: 404,
    beyond: 431,
  },
  'segments of a path': {
    bound: 7_000,
    request: (count) => get('/a'.repeat(count)),
    at: 404,
    beyond: 431,
  },
  'a value in a path': {
    bound: 14 * KiB,
    request: (size) => get(`/clients/${'9'.repeat(size)}`, key),
    at: 400,
    beyond: 431,
  },
  'header lines': {
    bound: 200,
    request: (lines) => get('/clients', key, ...Array.from({ length: lines - 3 }, (_, i) => `a${i}:1`)),
    at: 200,
    beyond: 431,
  },
  'query parameters': {
    bound: 2_000,
    request: (count) => get(`/clients?${Array.from({ length: count }, (_, i) => `n${i}`).join('&')}`, key),
    at: 400,
    beyond: 431,
  },
  'a query parameter that stands often': {
    bound: 1_500,
    request: (count) => get(`/clients?${many('limit=1&', count)}`, key),
    at: 400,
    beyond: 431,
  },
  'items of a query parameter': {
    bound: 1_000,
    request: (count) => get(`/clients?${many('order=-name&', count)}`, key),
    at: 400,
    beyond: 431,
  },
  'a time zone': {
    bound: 64,
    request: (size) => get(`/clients?__tz=${'a'.repeat(size)}`, key),
    at: 400,
    beyond: 400,
  },
  'rows of a page': {
    bound: 1_000,
    request: (limit) => get(`/clients?limit=${limit}`, key),
    at: 200,
    beyond: 400,
  },
  cookies: {
    bound: 2_500,
    request: (count) => get('/clients', key, `Cookie: ${many('a=b; ', count)}`),
    at: 200,
    beyond: 431,
  },
  'parameters of a media type': {
    bound: 2_000,
    request: (count) => patch('{}', `Content-Type: application/json${many(';a="\\""', count)}"`),
    at: 200,
    beyond: 431,
  },
  'tags of If-None-Match': {
    bound: 2_500,
    request: (count) => get('/clients/1', key, `If-None-Match: ${many('"abc",', count)}`),
    at: 200,
    beyond: 431,
  },
  'If-Match': {
    bound: 255,
    request: (size) => patch('{"credit":1}', `If-Match: "${'a'.repeat(size)}"`),
    at: 412,
    beyond: 400,
  },
  'Idempotency-Key': {
    bound: 255,
    request: (size) => patch('{}', `Idempotency-Key: ${'k'.repeat(size)}`),
    at: 200,
    beyond: 400,
  },
  'X-Request-Id': {
    bound: 128,
    request: (size) => get('/clients', `X-Request-Id: ${'i'.repeat(size)}`),
    at: 401,
    beyond: 401,
  },
  'addresses of X-Forwarded-For': {
    bound: 1_500,
    request: (count) => get('/clients', key, `X-Forwarded-For: ${many('10.0.0.1,', count)}`),
    at: 200,
    beyond: 431,
  },
  'an API key': {
    bound: 14 * KiB,
    request: (size) => get('/clients', `X-Api-Key: bk_${'a'.repeat(size)}`),
    at: 401,
    beyond: 431,
  },
  'a token': {
    bound: 14 * KiB,
    request: (size) => get('/clients', `Authorization: Bearer ${'a.'.repeat(size / 2)}`),
    at: 401,
    beyond: 431,
  },
  'a body of nobody known': {
    bound: 16 * KiB,
    request: (size) => sent('POST /', 'x'.repeat(size)),
    at: 200,
    beyond: 413,
  },
  'a body': {
    bound: MiB,
    request: (size) => patch(`{"name":"${'a'.repeat(size - 11)}"}`),
    at: 400,
    beyond: 413,
  },
  'extensions of chunks': {
    bound: 15 * KiB,
    request: (size) => chunked(`2;${'a'.repeat(size)}\r\n{}\r\n0\r\n\r\n`),
    at: 200,
    beyond: 413,
  },
  trailers: {
    bound: 15 * KiB,
    request: (size) => chunked(`2\r\n{}\r\n0\r\na: ${'a'.repeat(size)}\r\n\r\n`),
    at: 200,
    beyond: 431,
  },
  'chunks of one byte': {
    bound: 6_000,
    request: (count) => chunked(`${'1\r\n \r\n'.repeat(count)}2\r\n{}\r\n0\r\n\r\n`),
    at: 200,
    beyond: 200,
  },
  'depth of JSON': {
    bound: 64,
    request: (depth) => patch(`{"name":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`),
    at: 400,
    beyond: 400,
  },
  'values of JSON': {
    bound: 19_000,
    request: (count) => patch(`{"name":[${many('0,', count)}]}`),
    at: 400,
    beyond: 413,
  },
  'arrays of JSON': {
    bound: 9_000,
    request: (count) => patch(`{"name":[${many('[],', count)}]}`),
    at: 400,
    beyond: 413,
  },
  'names of JSON': {
    bound: 8_000,
    request: (count) => patch(`{${names(count)}}`),
    at: 400,
    beyond: 413,
  },
  'a name of JSON': {
    bound: 100_000,
    request: (size) => patch(`{"${'a'.repeat(size)}":[${many('1e999,', 100)}]}`),
    at: 400,
    beyond: 400,
  },
  'a name that stands often': {
    bound: 9_000,
    request: (count) => patch(`{${many('"a":1,', count)}}`),
    at: 400,
    beyond: 413,
  },
  'numbers that no double holds': {
    bound: 15_000,
    request: (count) => rpc(call('clients.update', `{"id":1,"credit":[${many('1e999,', count)}]}`)),
    at: 200,
    beyond: 413,
  },
  'numbers below a long name': {
    bound: 5_000,
    request: (count) => rpc(call('nope', `{"${'n'.repeat(300_000)}":[${many('9007199254740993,', count)}]}`)),
    at: 200,
    beyond: 413,
  },
  'digits of a number': {
    bound: 100_000,
    request: (digits) => patch(`{"credit":${'9'.repeat(digits)}}`),
    at: 400,
    beyond: 400,
  },
  'digits of an exponent': {
    bound: 100_000,
    request: (digits) => patch(`{"credit":1e-${'9'.repeat(digits)}}`),
    at: 400,
    beyond: 400,
  },
  'escapes of a text': {
    bound: 16_000,
    request: (count) => patch(`{"name":"${'\\u0000'.repeat(count)}"}`),
    at: 400,
    beyond: 400,
  },
  'backslashes of a text': {
    bound: 50_000,
    request: (count) => patch(`{"name":"${'\\\\'.repeat(count)}"}`),
    at: 400,
    beyond: 400,
  },
  'an id of JSON-RPC': {
    bound: 256,
    request: (size) => rpc(call('nope', '{}', `"${'\\u0000'.repeat(size)}"`)),
    at: 200,
    beyond: 200,
  },
  'a name of a method': {
    bound: 100_000,
    request: (size) => rpc(call('m'.repeat(size), '{}')),
    at: 200,
    beyond: 200,
  },
  'calls of a batch': {
    bound: 100,
    request: (count) => rpc(`[${many(`${call('nope', '{}')},`, count)}]`),
    at: 200,
    beyond: 200,
    answerBytes: 48 * KiB,
  },
  'a text that its schema bounds': {
    bound: 100_000,
    request: (size) => calling('clients.search', `{"name":"${'a'.repeat(size)}"}`),
    at: 200,
    beyond: 200,
  },
  'a fraction of a second': {
    bound: 50_000,
    request: (digits) =>
      calling(
        'accounting.currencies.get_rate',
        `{"from":"EUR","to":"USD","at":"2026-03-01T12:00:00.${'1'.repeat(digits)}"}`,
      ),
    at: 200,
    beyond: 200,
  },
  'items that are wrong': {
    bound: 10_000,
    request: (count) => calling('clients.search', `{"order":[${many('"nope",', count)}]}`),
    at: 200,
    beyond: 413,
  },
  'items that have to differ': {
    bound: 6_000,
    request: (count) => calling('lnp.gateways.search', `{"order":[${many('{"a":1},', count)}]}`),
    at: 200,
    beyond: 413,
  },
  'a password': {
    bound: 1_024,
    request: (size) => authenticate('nobody', 'p'.repeat(size)),
    at: 401,
    beyond: 400,
  },
  'a login': {
    bound: 255,
    request: (size) => authenticate('l'.repeat(size), 'password'),
    at: 401,
    beyond: 400,
  },
  'a login of the administration area': {
    bound: 6_000,
    request: (size) => signIn(`login=${'"'.repeat(size)}&password=wrong`),
    at: 403,
    beyond: 403,
  },
  'a form': {
    bound: 60 * KiB,
    request: (size) => signIn('a&'.repeat(size / 2)),
    at: 403,
    beyond: 413,
  },
  'a path to come back to': {
    bound: 1_400,
    request: (size) => get(`/admin/users?${'%'.repeat(size)}`),
    at: 303,
    beyond: 303,
  },
}

function chunked(body: string): string {
  const fields = ['Content-Type: application/json', 'Transfer-Encoding: chunked', key]
  return `PATCH /clients/1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${fields.join('\r\n')}\r\n\r\n${body}`
}

function calling(method: string, params: string): string {
  return rpc(call(method, params))
}

test.each(Object.entries(rows))('%s: bounded, and linear beyond the bound', async (_name, row) => {
  const { bound, request, at, beyond, answerBytes = 16 * KiB } = row
  const usual = await pushed(request(bound))
  const tenfold = await pushed(request(10 * bound))
  expect([usual.status, tenfold.status]).toEqual([at, beyond])
  for (const { status, text } of [usual, tenfold]) {
    const isRefused = status >= 300 || text.includes('"error"')
    if (isRefused) expect(text.length).toBeLessThan(answerBytes)
  }
  // What is refused at the door costs next to nothing; what is read costs as much for a byte as it does at the bound.
  expect(tenfold.cpuSeconds).toBeLessThan(3 * 10 * usual.cpuSeconds + 0.3)
  expect(tenfold.heapBytes).toBeLessThan(220 * MiB)
})

test('nothing that callers made up has become a label, and no line of the log is long', async () => {
  const { text } = await send(service.url, '/metrics')
  const labels = [...text.matchAll(/(?:operation|code|policy)="([^"]*)"/g)].map(([, label = '']) => label)
  expect(new Set(labels).size).toBeLessThan(60)
  expect(labels.filter((label) => label.length > 64 || /^(.)\1+$/.test(label) || label === 'nope')).toEqual(
    [],
  )
  expect(longestLine).toBeGreaterThan(0)
  expect(longestLine).toBeLessThanOrEqual(16 * KiB)
})

const fields = [
  parameter('list', ['array'], { coerce: { types: ['array'], items: { types: ['integer'] } } }),
  parameter('deep', ['object'], { style: 'deepObject' }),
]
const form = new FormBinder({ type: 'application/x-www-form-urlencoded', kind: 'form', fields })
const multipart = new FormBinder({ type: 'multipart/form-data', kind: 'multipart', fields })
const read = (binder: FormBinder, type: string) => async (body: string) => {
  const violations: Violation[] = []
  const request = { readableDidRead: true, readableEnded: true, headers: { 'content-type': type } }
  const kept = Object.assign(request, { rawBody: Buffer.from(body) }) as unknown as IncomingMessage
  const rule = { limit: 10 * MiB, values: 100_000, parts: 100_000, acceptParsed: false, work: undefined }
  await binder.read(kept, rule, violations)
  return violations
}
const readForm = read(form, 'application/x-www-form-urlencoded')
const readParts = read(multipart, 'multipart/form-data; boundary=b')
const part = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n1\r\n`

// What the service's own document has no use for, and other services that are made with Duet do.
test.each<[name: string, bound: number, read: (units: number) => unknown]>([
  ['names of a form without a value', 50_000, (count) => readForm('a&'.repeat(count))],
  [
    'names of a form',
    5_000,
    (count) => readForm(Array.from({ length: count }, (_, i) => `n${i}=1`).join('&')),
  ],
  ['items of a form', 10_000, (count) => readForm('list=1&'.repeat(count))],
  [
    'members of a form',
    5_000,
    (count) => readForm(Array.from({ length: count }, (_, i) => `deep[m${i}]=1`).join('&')),
  ],
  ['keys of a name', 64, (count) => readForm(`deep${'[a]'.repeat(count)}=1&`.repeat(50))],
  ['broken escapes of a form', 10_000, (count) => readForm('deep=%ff&'.repeat(count))],
  ['parts of a form', 500, (count) => readParts(`${part('list').repeat(count)}--b--\r\n`)],
  ['a name of a part', 10_000, (size) => readParts(`${part('n'.repeat(size))}--b--\r\n`)],
  ['digits of a text', 50_000, (count) => coerceText('9'.repeat(count), { types: ['number'] }, '/n', [])],
  ['parameters of a media type', 2_000, (count) => checkCharset(`text/plain${';a="\\""'.repeat(count)}`)],
])('reading %s takes as long for each at ten times as many', async (_name, bound, run) => {
  const cpuSeconds = async (units: number) => {
    const start = process.cpuUsage()
    const violations = await run(units)
    const { user, system } = process.cpuUsage(start)
    if (Array.isArray(violations)) expect(violations.length).toBeLessThanOrEqual(50)
    return (user + system) / 1e6
  }
  const usual = await cpuSeconds(bound)
  expect(await cpuSeconds(10 * bound)).toBeLessThan(3 * 10 * usual + 0.2)
})

/** Sends a request, and measures the node meanwhile. */
async function pushed(request: string) {
  const before = await measured()
  const text = await exchanged(request)
  const after = await measured()
  const [status = 0] = statusesIn(text)
  return { status, text, cpuSeconds: after.cpu - before.cpu, heapBytes: after.heap }
}

async function measured(): Promise<{ readonly cpu: number; readonly heap: number }> {
  const { text } = await send(service.url, '/metrics')
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1])
  return { cpu: value('process_cpu_seconds_total'), heap: value('nodejs_heap_size_used_bytes') }
}

/** All that comes back until the connection ends. */
function exchanged(request: string): Promise<string> {
  const { hostname, port } = new URL(service.url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.setEncoding('latin1')
    socket.on('data', (piece) => {
      text += piece
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
    socket.write(request, 'latin1')
  })
}
