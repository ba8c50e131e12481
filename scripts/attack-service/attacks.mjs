// Worst cases: the most expensive requests that one caller can send to a node.

/**
 * @typedef {object} Attack
 * @property {string} name
 * @property {(turn: number) => Request} [request] sent again as soon as it is answered
 * @property {(host: string, credential: string) => Bytes} [bytes] sent as they are on one connection
 *
 * @typedef {{ method: string, path: string, headers?: Record<string, string>, body?: string }} Request
 *
 * @typedef {object} Bytes
 * @property {string} head what a connection sends first
 * @property {string} [again] what it then sends again and again
 * @property {number} [everyMs] how long it waits between two of them
 * @property {boolean} [unread] whether it never reads an answer
 */

/** Just below the body limit of 1 MiB. */
const most = 1_000_000

/** @param {string} unit @param {number} bytes */
const fill = (unit, bytes) => unit.repeat(Math.floor(bytes / unit.length))

/** @param {string} params @param {string} [method] */
const rpc = (params, method = 'clients.update') => ({
  method: 'POST',
  path: '/',
  body: `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)},"params":${params}}`,
})

/** @param {string} body */
const patch = (body) => ({ method: 'PATCH', path: '/clients/1', body })

/** Different names, `bytes` in total. @param {number} bytes @param {(index: number) => string} nameOf */
function members(bytes, nameOf) {
  const parts = []
  for (let index = 0, length = 0; length < bytes; index += 1) {
    const part = `${JSON.stringify(nameOf(index))}:1`
    parts.push(part)
    length += part.length + 1
  }
  return `{${parts.join(',')}}`
}

/** @type {readonly Attack[]} */
export const attacks = [
  // Names, pointers and numbers.
  {
    name: 'a long name over inexact numbers',
    request: once(() => rpc(`{"${'a'.repeat(700_000)}":[${fill('9007199254740993,', 290_000)}1]}`, 'nope')),
  },
  { name: 'inexact numbers over REST', request: once(() => patch(`{"a":[${fill('1e999,', 900_000)}1]}`)) },
  { name: 'numbers of a million digits', request: once(() => patch(`{"credit":${'7'.repeat(most)}}`)) },
  { name: 'numbers with long exponents', request: once(() => patch(`{"credit":1e${'7'.repeat(most)}}`)) },
  { name: 'many wrong values', request: once(() => rpc(`{"id":1,"credit":[${fill('"x",', most)}1]}`)) },
  { name: 'many unknown names', request: once(() => rpc(members(most, (index) => `n${index}`))) },
  {
    name: 'names that look like indexes',
    request: once(() => rpc(members(most, (index) => String(index * 4097)))),
  },
  { name: 'one name many times', request: once(() => rpc(`{${fill('"a":1,', most)}"a":1}`)) },
  {
    name: 'names of prototypes',
    request: once(() => rpc(`{${fill('"__proto__":{},', most)}"constructor":{}}`)),
  },
  // Depth and width.
  { name: 'arrays within arrays', request: once(() => rpc(fill('[', most))) },
  {
    name: 'closed arrays within arrays',
    request: once(() => rpc(fill('[', most / 2) + fill(']', most / 2))),
  },
  { name: 'many empty arrays', request: once(() => rpc(`{"a":[${fill('[],', most)}[]]}`)) },
  { name: 'objects within objects', request: once(() => patch(fill('{"a":', most))) },
  {
    name: 'a long text with escapes',
    request: once(() => patch(`{"name":"${fill('\\ud83d\\ude00', most)}"}`)),
  },
  { name: 'a body of spaces', request: once(() => patch(`${' '.repeat(most)}{}`)) },
  // Batches and methods.
  {
    name: 'batches of unknown methods',
    request: once(() => batch(100, () => rpc('{}', 'n'.repeat(9_000)).body)),
  },
  { name: 'batches of discovery', request: once(() => batch(100, () => rpc('{}', 'rpc.discover').body)) },
  {
    name: 'batches of the longest listing',
    request: once(() => batch(100, () => rpc('{"limit":1000}', 'lnp.gateways.search').body)),
  },
  {
    name: 'batches of invalid envelopes',
    request: once(() => ({ ...rpc('{}'), body: `[${fill('1,', most)}1]` })),
  },
  {
    name: 'long ids',
    request: once(() => ({
      ...rpc('{}'),
      body: `{"jsonrpc":"2.0","id":"${'i'.repeat(most)}","method":"nope"}`,
    })),
  },
  // Heads.
  {
    name: 'long queries',
    request: once(() => ({ method: 'GET', path: `/lnp/gateways?${fill('order=id&', 14_000)}id=1` })),
  },
  {
    name: 'queries of unknown names',
    request: once(() => ({ method: 'GET', path: `/lnp/gateways?${fill('a%5B0%5D=1&', 14_000)}id=1` })),
  },
  {
    name: 'many header lines',
    request: once(() => ({
      method: 'GET',
      path: '/clients/1',
      headers: Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`a${index}`, '1'])),
    })),
  },
  {
    name: 'unknown time zones',
    request: (turn) => ({ method: 'GET', path: `/clients/1?__tz=Etc/${turn}` }),
  },
  {
    name: 'time zones in other letters',
    request: (turn) => ({ method: 'GET', path: `/clients/1?__tz=${zones[turn % zones.length]}` }),
  },
  // Credentials.
  {
    name: 'unknown keys',
    request: (turn) => ({ method: 'GET', path: '/clients/1', headers: { 'x-api-key': `bk_${turn}` } }),
  },
  {
    name: 'invalid tokens',
    request: once(() => ({
      method: 'GET',
      path: '/clients/1',
      headers: { authorization: `Bearer ${'e'.repeat(12_000)}` },
    })),
  },
  {
    name: 'passwords that are wrong',
    request: (turn) =>
      rpc(JSON.stringify({ login: `nobody${turn}`, password: 'p'.repeat(100) }), 'iam.auth.jwt.authenticate'),
  },
  {
    name: 'batches of passwords that are wrong',
    request: (turn) =>
      batch(100, (index) => {
        const params = JSON.stringify({ login: `n${turn}_${index}`, password: 'x' })
        return rpc(params, 'iam.auth.jwt.authenticate').body
      }),
  },
  {
    name: 'forms of the administration area',
    request: once(() => ({
      method: 'POST',
      path: '/admin/sign-in',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: fill('a=1&', 60_000),
    })),
  },
  // Connections.
  {
    name: 'pipelined calls',
    bytes: (host, credential) => ({
      head: '',
      again: fill(`GET /clients/1 HTTP/1.1\r\nHost: ${host}\r\n${credential}\r\n`, 60_000),
      everyMs: 10,
    }),
  },
  {
    name: 'pipelined bodies',
    bytes: (host, credential) => ({
      head: '',
      again: post(host, credential, fill('[', 200_000)),
      everyMs: 10,
    }),
  },
  {
    name: 'unread answers',
    bytes: (host, credential) => ({
      head: '',
      again: fill(`GET /openapi.json HTTP/1.1\r\nHost: ${host}\r\n${credential}\r\n`, 20_000),
      everyMs: 100,
      unread: true,
    }),
  },
  {
    name: 'slow bodies',
    bytes: (host, credential) => ({
      head: `POST / HTTP/1.1\r\nHost: ${host}\r\n${credential}Content-Type: application/json\r\nContent-Length: ${most}\r\n\r\n`,
      again: ' ',
      everyMs: 20,
    }),
  },
  {
    name: 'slow heads',
    bytes: (host) => ({ head: `GET / HTTP/1.1\r\nHost: ${host}\r\n`, again: 'a: 1\r\n', everyMs: 20 }),
  },
]

/** Zone names whose letters vary: `Europe/Berlin` has 4,096 spellings. */
const zones = Array.from({ length: 4_096 }, (_, bits) =>
  [...'Europe/Berlin']
    .map((letter, at) => ((bits >> at) & 1 ? letter.toUpperCase() : letter.toLowerCase()))
    .join(''),
)

/** Builds a constant request once. @param {() => Request} build @returns {() => Request} */
function once(build) {
  /** @type {Request | undefined} */
  let built
  return () => (built ??= build())
}

/** @param {number} length @param {() => string} call */
function batch(length, call) {
  return { method: 'POST', path: '/', body: `[${Array.from({ length }, call).join(',')}]` }
}

/** @param {string} host @param {string} credential @param {string} body */
function post(host, credential, body) {
  return `POST / HTTP/1.1\r\nHost: ${host}\r\n${credential}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}
