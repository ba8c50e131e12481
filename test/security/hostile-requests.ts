import fc from 'fast-check'
import type { Sent } from './target.js'

/** A hostile or malformed request. */
export interface HostileRequest extends Sent {
  readonly path: string
}

/** Texts that are known to break parsers, and random ones. */
const text = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      '0',
      '-1',
      '1e400',
      '9007199254740993',
      'true',
      'null',
      '{}',
      '[]',
      '[[',
      '"',
      '\\',
      '%',
      '%zz',
      '%00',
    ],
    ...[
      '%ff',
      '%C0%80',
      '%ED%A0%80',
      '+',
      '..',
      '/',
      ';',
      ';x=1',
      '.a.b',
      ',',
      '|',
      '=',
      '&',
      '&&',
      '#',
      '?',
    ],
    ...[
      '__proto__',
      'constructor',
      'toString',
      'a[b]',
      '[]',
      '[0]',
      '[99999999]',
      '[-1]',
      '[][][]',
      'a[',
      ']',
      '@',
    ],
    ...[
      '\u0000',
      '\ud800',
      '\u202e',
      'é',
      '🜁',
      'a'.repeat(2_000),
      '['.repeat(500),
      '%5b'.repeat(300),
      '1,'.repeat(500),
    ],
  ),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.integer().map(String),
)

/** A text in a request target: encoded, or raw if a client may send it so. */
const encoded = fc.tuple(text, fc.boolean()).map(([value, isEncoded]) => {
  const wellFormed = Buffer.from(value, 'utf8').toString('utf8')
  return isEncoded ? encodeURIComponent(wellFormed) : wellFormed.replaceAll(/[^\x21-\x7e]/g, '')
})

const names = fc.constantFrom(
  ...[
    'filter',
    'page',
    'page[size]',
    'page[sort][0][by]',
    'page[sort][][desc]',
    'page[__proto__][x]',
    'page[size][size]',
  ],
  ...[
    'card[number]',
    'card[expires][year]',
    'items[0][price]',
    'items[1000000][price]',
    'items[][tags][]',
    'metadata[a]',
  ],
  ...[
    'limits[__proto__]',
    'expand[]',
    'expand[0]',
    'amount',
    'live',
    'count',
    'wait',
    'state',
    'fresh',
    'q',
    'beta',
  ],
  ...[
    '__tz',
    'limit',
    'tags',
    'near[x]',
    'id',
    'order',
    'offset',
    'name',
    'at',
    'from',
    'to',
    '__proto__',
    'constructor',
  ],
)

const pairs = fc
  .array(fc.tuple(fc.oneof({ weight: 4, arbitrary: names }, { weight: 1, arbitrary: encoded }), encoded), {
    maxLength: 6,
  })
  .map((all) => all.map(([name, value]) => `${name}=${value}`).join('&'))

/** JSON text, and mutations of it. */
const jsonText: fc.Arbitrary<string> = fc
  .tuple(
    fc.oneof(
      fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value)),
      fc.dictionary(names, fc.jsonValue({ maxDepth: 2 })).map((value) => JSON.stringify(value)),
    ),
    fc.array(
      fc.tuple(
        fc.nat(200),
        fc.constantFrom('', '{', '[', '"', ',', ':', '\\u0000', '1e999', '\\ud800', '\u0000', 'x'),
      ),
    ),
  )
  .map(([json, changes]) =>
    changes.slice(0, 2).reduce((all, [at, put]) => all.slice(0, at) + put + all.slice(at + put.length), json),
  )

const boundary = 'multipart/form-data; boundary=x'
const part = fc
  .tuple(
    names,
    fc.constantFrom('', '; filename="a"', '; filename*=x'),
    encoded,
    fc.constantFrom('\r\n\r\n', '\r\n', '\n\n'),
  )
  .map(
    ([name, file, value, gap]) =>
      `--x\r\nContent-Disposition: form-data; name="${name}"${file}${gap}${value}\r\n`,
  )
const form = fc
  .tuple(fc.array(part, { maxLength: 5 }), fc.constantFrom('--x--', '--x--\r\n', '--x', ''))
  .map(([parts, end]) => parts.join('') + end)

const body = fc.oneof(
  fc.record({
    type: fc.constantFrom('application/json', 'application/merge-patch+json', 'text/plain'),
    content: jsonText,
  }),
  fc.record({ type: fc.constant('application/x-www-form-urlencoded'), content: pairs }),
  fc.record({
    type: fc.constantFrom(boundary, 'multipart/form-data', `${boundary.slice(0, -1)}"`),
    content: form,
  }),
  fc.record({
    type: fc.constantFrom(
      'image/png',
      '*/*',
      '',
      'application/json; charset=utf-16',
      'application/json;;=;',
      'x',
    ),
    content: fc.string({ unit: 'binary', maxLength: 50 }),
  }),
)

const headers = fc
  .dictionary(
    fc.constantFrom(
      'x-options',
      'cookie',
      'x-api-key',
      'authorization',
      'if-match',
      'idempotency-key',
      'accept',
      'range',
    ),
    fc.oneof(
      jsonText,
      fc.constantFrom('track=1,2', 'track=%zz', 'track', ';=;', 'Bearer', 'Bearer ..', '"', 'W/"x"', '*'),
      encoded,
    ),
    { maxKeys: 3 },
  )
  .map((all) =>
    Object.fromEntries(
      Object.entries(all).map(([name, value]) => [name, value.replaceAll(/[^\t\x20-\x7e]/g, '').trim()]),
    ),
  )

/** Requests at and around the paths of a document. `{}` is the placeholder of a path parameter. */
export function hostileRequests(paths: readonly string[]): fc.Arbitrary<HostileRequest> {
  const path = fc
    .tuple(fc.constantFrom(...paths, '/{}', '/{}/{}'), fc.array(encoded, { minLength: 3, maxLength: 3 }))
    .map(([template, values]) => values.reduce((all, value) => all.replace('{}', () => value), template))
  return fc
    .record({
      path,
      query: fc.option(pairs),
      method: fc.constantFrom(
        'GET',
        'GET',
        'POST',
        'POST',
        'PUT',
        'PATCH',
        'DELETE',
        'HEAD',
        'OPTIONS',
        'TRACE',
      ),
      headers,
      body: fc.option(body),
    })
    .map(({ path: at, query, method, headers: given, body: sent }) => ({
      path: query === null ? at : `${at}?${query}`,
      method,
      headers: { ...given, ...(sent !== null && sent.type !== '' && { 'content-type': sent.type }) },
      ...(sent !== null && { body: sent.content }),
    }))
}

/** JSON-RPC bodies: envelopes, batches, and mutations of their text. */
export function hostileEnvelopes(methods: readonly string[]): fc.Arbitrary<string> {
  const envelope = fc.record(
    {
      jsonrpc: fc.oneof(
        { weight: 8, arbitrary: fc.constant('2.0') },
        { weight: 1, arbitrary: fc.jsonValue() },
      ),
      id: fc.oneof(fc.integer(), fc.string(), fc.constantFrom(null, 1e308, true), fc.jsonValue()),
      method: fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom(...methods) },
        {
          weight: 1,
          arbitrary: fc.oneof(fc.constantFrom('rpc.discover', 'rpc.x', '__proto__', 'toString'), fc.string()),
        },
      ),
      params: fc.oneof(
        fc.dictionary(names, fc.oneof(text, fc.jsonValue({ maxDepth: 2 }))),
        fc.jsonValue({ maxDepth: 3 }),
      ),
    },
    { requiredKeys: [] },
  )
  const whole = fc.oneof(
    envelope,
    fc.array(fc.oneof(envelope, fc.jsonValue({ maxDepth: 1 })), { maxLength: 12 }),
  )
  const change = fc.tuple(
    fc.nat(300),
    fc.constantFrom('', '{', '[', '"', '"id":1,', '\\ud800', '1e999', '\u0000'),
  )
  return fc.tuple(whole, fc.option(change, { freq: 4 })).map(([value, changed]) => {
    const json = JSON.stringify(value)
    return changed === null ? json : json.slice(0, changed[0]) + changed[1] + json.slice(changed[0])
  })
}
