import { beforeEach, describe, expect, test } from 'vitest'
import { apiOf } from '../../fixtures/api.js'
import { type Definition, parameter } from '../../fixtures/contract.js'
import { served } from '../../fixtures/serve.js'
import { servers } from '../../fixtures/servers.js'
import { isExpected, isNamed } from '../style/entity-tag.js'

const id = parameter('id', ['integer'], { in: 'path' })
const expected = parameter('if-match', ['string'], { in: 'header', param: 'expected', entityTag: true })
const others = parameter('if-none-match', ['string'], { in: 'header', param: 'others' })
const params = {
  type: 'object',
  properties: { id: { type: 'integer' }, expected: { type: 'string' }, others: { type: 'string' } },
  required: ['id'],
  additionalProperties: false,
}
const at = (method: string, path: string, parameters = [id]): Definition => ({
  method: method as 'GET',
  path,
  parameters,
  params,
})
const entityTag = ['version']
const definitions: Record<string, Definition> = {
  get: { ...at('GET', '/carts/{id}'), entityTag },
  query: { ...at('QUERY', '/carts/{id}'), entityTag },
  options: at('OPTIONS', '/carts/{id}'),
  put: { ...at('PUT', '/carts/{id}', [id, expected]), entityTag },
  remove: at('DELETE', '/carts/{id}'),
  replace: { ...at('POST', '/carts/{id}', [id, expected, others]), entityTag },
  getPlain: at('GET', '/plain/{id}'),
  putPlain: at('PUT', '/plain/{id}'),
  own: { ...at('GET', '/own/{id}'), entityTag },
}
interface Call {
  readonly id: number
}
interface HandlerContext {
  readonly reply: { header(name: string, value: string): void }
}

/** Names of the called handlers. */
let called: string[] = []
/** Codes as in the log. */
let logged: (string | undefined)[] = []
beforeEach(() => {
  called = []
  logged = []
})

/** The cart 8 has no text that could be a tag. */
const handler = (name: string) => (call: Call) => {
  called.push(name)
  return { ...call, version: call.id === 8 ? 'no tag' : 'v1' }
}
const api = apiOf(definitions, {
  onCall: ({ code }: { code?: string }) => logged.push(code),
  handlers: {
    default: {
      ...Object.fromEntries(Object.keys(definitions).map((name) => [name, handler(name)])),
      own: (call: Call, { reply }: HandlerContext) => {
        reply.header('ETag', call.id === 1 ? '"mine"' : 'W/"mine"')
        return { version: 'v1' }
      },
    },
  },
})

// RFC 9110 section 8.8.3.2: the strong comparison requires two strong tags, the weak one only the same text.
test.each([
  ['"v1"', true, true],
  ['W/"v1"', false, true],
  ['"a", W/"v1" , "b"', false, true],
  ['"a","v1"', true, true],
  ['*', true, true],
  [' * ', true, true],
  ['"v"', false, false],
  ['v1', false, false],
  ['', false, false],
])('%s as If-Match holds for "v1": %s; as If-None-Match it lists "v1": %s', (text, match, named) => {
  expect(isExpected('"v1"', text)).toBe(match)
  expect(isNamed('"v1"', text)).toBe(named)
})

test('only * matches a missing tag, and a weak tag never matches strongly', () => {
  expect(isExpected(undefined, '*')).toBe(true)
  expect(isExpected(undefined, '"v1"')).toBe(false)
  expect(isExpected('W/"v1"', 'W/"v1"')).toBe(false)
  expect(isExpected('W/"v1"', '"v1"')).toBe(false)
  expect(isNamed('W/"v1"', '"v1"')).toBe(true)
  expect(isNamed(undefined, '"v1"')).toBe(false)
})

describe.each(servers)('preconditions under %s', (_, serve) => {
  const ask = async (method: string, target: string, headers: Record<string, string>) =>
    (await served(serve(api))).ask(target, { method, headers })

  test.each(['GET', 'HEAD', 'QUERY'])(
    'a %s is answered where If-Match names what it answers',
    async (method) => {
      for (const condition of ['"v1"', '"v0", "v1"', '*']) {
        const { status, headers } = await ask(method, '/carts/7', { 'If-Match': condition })
        expect([condition, status, headers.etag]).toEqual([condition, 200, '"v1"'])
      }
    },
  )

  test.each(['"v0"', 'W/"v1"', 'v1'])(
    'a GET whose If-Match is %s is 412, and logged as such',
    async (condition) => {
      const { status, json } = await ask('GET', '/carts/7', { 'If-Match': condition })
      expect([status, json]).toEqual([
        412,
        {
          type: 'urn:problem-type:precondition_failed',
          title: 'Precondition failed',
          status: 412,
          code: 'precondition_failed',
          detail: 'If-Match names another entity tag.',
          requestId: expect.any(String),
        },
      ])
      expect(logged).toEqual(['precondition_failed'])
      const head = await ask('HEAD', '/carts/7', { 'If-Match': condition })
      expect([head.status, head.headers['problem-code'], head.text]).toEqual([412, 'precondition_failed', ''])
    },
  )

  test('only * matches a response without a tag', async () => {
    expect((await ask('GET', '/carts/8', { 'If-Match': '*' })).status).toBe(200)
    expect((await ask('GET', '/carts/8', { 'If-Match': '"v1"' })).status).toBe(412)
    expect((await ask('GET', '/carts/8', { 'If-None-Match': '*' })).status).toBe(304)
  })

  test('If-Match comes before If-None-Match', async () => {
    const both = (match: string, none: string) =>
      ask('GET', '/carts/7', { 'If-Match': match, 'If-None-Match': none })
    expect((await both('"v0"', '"v1"')).status).toBe(412)
    expect((await both('"v1"', '"v1"')).status).toBe(304)
    expect((await both('"v1"', '"v0"')).status).toBe(200)
  })

  test("a handler's own tag takes precedence", async () => {
    expect((await ask('GET', '/own/1', { 'If-Match': '"mine"' })).status).toBe(200)
    expect((await ask('GET', '/own/1', { 'If-Match': '"v1"' })).status).toBe(412)
    expect((await ask('GET', '/own/2', { 'If-Match': 'W/"mine"' })).status).toBe(412)
    const known = await ask('GET', '/own/2', { 'If-None-Match': '"mine"' })
    expect([known.status, known.headers.etag]).toEqual([304, 'W/"mine"'])
    expect((await ask('GET', '/own/2', { 'If-None-Match': '"v1"' })).status).toBe(200)
  })

  test.each([
    ['PUT', 'If-None-Match', '"v1"'],
    ['PUT', 'If-None-Match', 'W/"v1"'],
    ['PUT', 'If-None-Match', '*'],
    ['PUT', 'If-None-Match', '"v0"'],
    ['DELETE', 'If-None-Match', '*'],
    ['DELETE', 'If-Match', '"v1"'],
    ['DELETE', 'If-Match', '"v0"'],
  ])(
    'a %s with %s: %s, which the api cannot evaluate, is 412 and does not run',
    async (method, name, value) => {
      const { status, json } = await ask(method, '/carts/7', { [name]: value })
      expect([status, json.code]).toEqual([412, 'precondition_failed'])
      expect(json.detail).toBe(`${name} cannot be checked for this change. Nothing was changed.`)
      expect([called, logged]).toEqual([[], ['precondition_failed']])
    },
  )

  test('a failure is the same with a precondition', async () => {
    expect((await ask('PUT', '/carts/x', { 'If-None-Match': '*' })).json.code).toBe('validation_failed')
    expect((await ask('GET', '/carts/x', { 'If-Match': '"v0"' })).json.code).toBe('validation_failed')
  })

  test('a precondition that the document declares for a change is the handler’s', async () => {
    expect((await ask('PUT', '/carts/7', { 'If-Match': '"v0"' })).json).toMatchObject({ expected: 'v0' })
    const { json } = await ask('POST', '/carts/7', { 'If-Match': '"v0"', 'If-None-Match': '"v1"' })
    expect(json).toMatchObject({ expected: 'v0', others: '"v1"' })
  })

  test('ignores preconditions without entity tags, and for methods that neither read nor change', async () => {
    const conditions = { 'If-Match': '"v0"', 'If-None-Match': '*' }
    expect((await ask('GET', '/plain/7', conditions)).status).toBe(200)
    expect((await ask('PUT', '/plain/7', conditions)).status).toBe(200)
    expect((await ask('OPTIONS', '/carts/7', conditions)).status).toBe(200)
  })
})
