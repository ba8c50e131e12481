// The places of docs/bounds.md that one request can push.

/** The expected statuses by number of units. 0: the connection ends without an answer. */
export interface Row {
  readonly bound: number
  /** A request as it goes over the wire. */
  readonly request: (units: number) => string
  readonly at: number
  readonly beyond: number
  /** Most bytes of a refusal, if it may be longer than usual: a batch, a page. */
  readonly answerBytes?: number
}

export const KiB = 1024
export const MiB = 1024 * KiB

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

/** Placeholder of the API key's header line. */
export const key = 'X-Api-Key: {key}'

export const rows: Readonly<Record<string, Row>> = {
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
  'a query parameter that is repeated often': {
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
  'a body of an anonymous caller': {
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
  'a name that is repeated often': {
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
    at: 303,
    beyond: 303,
  },
  'a form': {
    bound: 60 * KiB,
    request: (size) => signIn('a&'.repeat(size / 2)),
    at: 303,
    beyond: 303,
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
