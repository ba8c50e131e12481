import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Operation, ParameterBinding, RestBinding } from '../../contract/operation.js'
import { restRequest } from './transport-request.js'

function operation(rest: Partial<RestBinding> & Pick<RestBinding, 'method' | 'path'>): Operation {
  return {
    name: 'test.op',
    source: '#',
    rest: { parameters: [], status: 200, ...rest },
    rpc: 'test.op',
    security: [],
    errors: [],
    idempotent: true,
    datetimes: {},
  }
}

function bind(
  where: ParameterBinding['in'],
  name: string,
  more: Partial<ParameterBinding> = {},
): ParameterBinding {
  const style = where === 'query' || where === 'cookie' ? 'form' : 'simple'
  return {
    name,
    param: name,
    in: where,
    required: false,
    style,
    explode: style === 'form',
    coerce: { types: ['string'] },
    ...more,
  }
}

const integer: Partial<ParameterBinding> = { coerce: { types: ['integer'] } }

const send = (op: Operation, params: Record<string, unknown>, getParams: 'query' | 'body' = 'query') =>
  restRequest('http://host/base', { operation: op, params }, getParams)

test('members of an open object are sent under their own names, unless the service would give their names to another', () => {
  const free: Partial<ParameterBinding> = { coerce: { types: ['object'] }, open: true }
  const op = operation({
    method: 'GET',
    path: '/clients',
    parameters: [bind('query', 'limit', integer), bind('query', 'params', free)],
  })
  expect(send(op, { limit: 5, params: { a: '1', b: 'x y' } }).url).toBe(
    'http://host/base/clients?limit=5&a=1&b=x%20y',
  )
  expect(() => send(op, { params: { limit: '5' } })).toThrow()
  expect(() => send(op, { params: { __tz: 'UTC' } })).toThrow()
  expect(() => send(op, { other: 'x' })).toThrow()
})

test('params go where the operation binds them', () => {
  const op = operation({
    method: 'PATCH',
    path: '/clients/{id}',
    parameters: [
      bind('path', 'id', integer),
      bind('query', 'dry', { coerce: { types: ['boolean'] } }),
      bind('header', 'If-Match'),
      bind('cookie', 'session'),
    ],
    body: { required: true, kind: 'fields' },
  })
  const params = { id: 7, dry: true, 'If-Match': '"a"', session: 's 1', credit: 10.5, __tz: 'Europe/Madrid' }
  expect(send(op, params)).toEqual({
    method: 'PATCH',
    url: 'http://host/base/clients/7?dry=true&__tz=Europe%2FMadrid',
    headers: {
      'If-Match': '"a"',
      accept: 'application/json, application/problem+json',
      'content-type': 'application/json',
      cookie: 'session=s%201',
    },
    body: '{"credit":10.5}',
  })
})

test('sends a renamed param under its wire name', () => {
  const op = operation({
    method: 'POST',
    path: '/clients/{id}',
    parameters: [bind('path', 'id', { param: 'client_id', ...integer })],
    body: { required: true, kind: 'fields', rename: { id: 'body_id' } },
  })
  const request = send(op, { client_id: 1, body_id: 2, name: 'x' })
  expect(request.url).toBe('http://host/base/clients/1')
  expect(JSON.parse(String(request.body))).toEqual({ id: 2, name: 'x' })
})

test('sends a body that is one param without a wrapper', () => {
  const op = operation({
    method: 'PUT',
    path: '/tags',
    body: { required: true, kind: 'param', param: 'tags' },
  })
  expect(send(op, { tags: ['a'] }).body).toBe('["a"]')
  expect(send(op, { tags: null }).body).toBe('null')
  expect(send(op, {})).not.toHaveProperty('body')
})

test('without fields omits an optional body, and sends a required one empty', () => {
  const optional = operation({ method: 'POST', path: '/x', body: { required: false, kind: 'fields' } })
  const required = operation({ method: 'POST', path: '/x', body: { required: true, kind: 'fields' } })
  expect(send(optional, {})).not.toHaveProperty('body')
  expect(send(optional, {}).headers).not.toHaveProperty('content-type')
  expect(send(required, {}).body).toBe('{}')
})

test('sends an undeclared param to the service', () => {
  expect(send(operation({ method: 'GET', path: '/x' }), { odd: 1 }).url).toBe('http://host/base/x?odd=1')
})

test('a member named __proto__ is a field like any other', () => {
  const op = operation({ method: 'POST', path: '/x', body: { required: true, kind: 'fields' } })
  expect(send(op, JSON.parse('{"__proto__": 1}')).body).toBe('{"__proto__":1}')
})

test.each(['/a/./b', '/a/..', '/a/%2e', '/a\\b'])('the path %s, which clients alter, is refused', (path) => {
  expect(() => send(operation({ method: 'GET', path }), {})).toThrow(
    expect.objectContaining({ violations: [expect.objectContaining({ path: '', keyword: 'rest' })] }),
  )
})

test('refuses a header that HTTP clients set', () => {
  const op = operation({ method: 'GET', path: '/x', parameters: [bind('header', 'Content-Length')] })
  expect(() => send(op, { 'Content-Length': '7' })).toThrow(
    expect.objectContaining({
      violations: [expect.objectContaining({ path: '/Content-Length', keyword: 'rest' })],
    }),
  )
})

test('sends a cookie whose name must be encoded', () => {
  const op = operation({ method: 'GET', path: '/x', parameters: [bind('cookie', "it's")] })
  expect(send(op, { "it's": 'a' }).headers.cookie).toBe('it%27s=a')
})

describe('a GET whose params go into the body', () => {
  const op = operation({
    method: 'GET',
    path: '/clients/{id}',
    parameters: [
      bind('path', 'id', integer),
      bind('query', 'max', { param: 'limit', ...integer }),
      bind('header', 'X-A'),
    ],
  })

  test('sends query params as typed JSON under their own names; other params stay', () => {
    const request = send(op, { id: 1, limit: 5, 'X-A': 'a', __tz: 'UTC' }, 'body')
    expect(request.url).toBe('http://host/base/clients/1?__tz=UTC')
    expect(request.body).toBe('{"limit":5}')
    expect(request.headers).toMatchObject({ 'X-A': 'a', 'content-type': 'application/json' })
  })

  test('has no body without query params', () => {
    expect(send(op, { id: 1 }, 'body')).not.toHaveProperty('body')
  })
})

describe('a GET with a body in the document', () => {
  const op = operation({
    method: 'GET',
    path: '/report',
    parameters: [bind('query', 'year', integer)],
    body: { required: true, kind: 'fields', rename: { name: 'title' } },
  })

  test('sends its fields in the query, since fetch sends no GET with a body', () => {
    const request = send(op, { year: 2026, title: 'a b' })
    expect(request.url).toBe('http://host/base/report?year=2026&title=a%20b')
    expect(request).not.toHaveProperty('body')
    expect(request.headers).not.toHaveProperty('content-type')
  })

  test("sends the document's body if the option says so", () => {
    const request = send(op, { year: 2026, title: 7 }, 'body')
    expect(request.url).toBe('http://host/base/report')
    expect(JSON.parse(String(request.body))).toEqual({ year: 2026, name: 7 })
  })

  test('sends a body that is one param without a wrapper, plus the query', () => {
    const bare = operation({
      method: 'GET',
      path: '/report',
      parameters: [bind('query', 'year', integer)],
      body: { required: true, kind: 'param', param: 'ids' },
    })
    const request = send(bare, { year: 2026, ids: [1] }, 'body')
    expect([request.url, request.body]).toEqual(['http://host/base/report?year=2026', '[1]'])
  })

  test('is the same for HEAD', () => {
    const head = operation({ ...op.rest, method: 'HEAD' })
    expect(send(head, { title: 'a' }, 'body')).not.toHaveProperty('body')
  })
})

describe('a path param', () => {
  const op = operation({ method: 'GET', path: '/clients/{id}/notes', parameters: [bind('path', 'id')] })

  const refusal = (keyword: string, ...paths: string[]) =>
    expect.objectContaining({
      code: 'validation_failed',
      violations: paths.map((path) => expect.objectContaining({ path, keyword })),
    })

  test('stays one segment with any value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (id) => {
        fc.pre(id !== '.' && id !== '..')
        const { pathname, search, hash } = new URL(send(op, { id }).url)
        expect(pathname.split('/').map(decodeURIComponent)).toEqual(['', 'base', 'clients', id, 'notes'])
        expect(search + hash).toBe('')
      }),
    )
  })

  test('that would be a dot segment is refused, since a URL parser would resolve it', () => {
    expect(() => send(op, { id: '..' })).toThrow(refusal('rest', '/id'))
    expect(() => send(op, { id: '.' })).toThrow(refusal('rest', '/id'))
    expect(send(op, { id: '%2e%2e' }).url).toBe('http://host/base/clients/%252e%252e/notes')
  })

  test('is refused if its style or neighbour makes it a dot segment', () => {
    const label = operation({
      method: 'GET',
      path: '/a/{id}/b',
      parameters: [bind('path', 'id', { style: 'label', explode: true })],
    })
    expect(() => send(label, { id: '.' })).toThrow(refusal('rest', '/id'))
    const two = operation({
      method: 'GET',
      path: '/a/{x}{y}',
      parameters: [bind('path', 'x'), bind('path', 'y')],
    })
    expect(() => send(two, { x: '.', y: '.' })).toThrow(refusal('rest', '/x', '/y'))
  })

  test('may have a line break if it is the whole segment', () => {
    expect(send(op, { id: 'a\nb' }).url).toBe('http://host/base/clients/a%0Ab/notes')
  })

  test('is refused if its neighbour would receive a part of it', () => {
    const two = operation({
      method: 'GET',
      path: '/a/{x}-{y}.json',
      parameters: [bind('path', 'x'), bind('path', 'y')],
    })
    expect(send(two, { x: 'p', y: 'q-r.json' }).url).toBe('http://host/base/a/p-q-r.json.json')
    expect(() => send(two, { x: 'p-q', y: 'r' })).toThrow(
      expect.objectContaining({
        violations: [
          { path: '/x', keyword: 'rest', message: expect.stringContaining('as "p";') },
          { path: '/y', keyword: 'rest', message: expect.stringContaining('as "q-r";') },
        ],
      }),
    )
  })

  test('is refused if it is missing or empty', () => {
    for (const id of [null, '', [], {}, ['']]) expect(() => send(op, { id })).toThrow(refusal('rest', '/id'))
    expect(() => send(op, {})).toThrow(refusal('required', '/id'))
  })
})

test.each(['form', 'multipart'] as const)('a body that is no object has no form: %s', (kind) => {
  const media = [
    { type: kind === 'form' ? 'application/x-www-form-urlencoded' : 'multipart/form-data', kind },
  ]
  const body = { required: false, kind: 'param' as const, param: 'rows', media }
  const op = operation({ method: 'POST', path: '/imports', body })
  expect(() => send(op, { rows: 'a,b' })).toThrow(
    expect.objectContaining({ violations: [expect.objectContaining({ path: '/rows', keyword: 'rest' })] }),
  )
  expect(send(op, { rows: { a: 'b' } }).body).toBeDefined()
})

test('sends a text body unchanged, and refuses other values', () => {
  const media = [{ type: 'text/plain', kind: 'text' as const }]
  const op = operation({
    method: 'POST',
    path: '/notes',
    body: { required: true, kind: 'param', param: 'note', media },
  })
  expect(send(op, { note: 'a,b' }).body).toBe('a,b')
  for (const note of [['a', 'b'], 1, null, { a: 'b' }])
    expect(() => send(op, { note })).toThrow(
      expect.objectContaining({ violations: [expect.objectContaining({ path: '/note', keyword: 'rest' })] }),
    )
})
