import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runs } from '../../../test/runs.js'
import { createClientOf } from '../../client/client.js'
import type { ClientCalls } from '../../client/client-calls.js'
import { isApiError } from '../../client/client-error.js'
import type { Coercion } from '../../contract/operation.js'
import { type AnyTypes, contractOf, type Definition, parameter } from '../../fixtures/contract.js'
import { type Served, serveNode } from '../../fixtures/serve.js'
import { jsonrpc } from '../../jsonrpc/client/transport.js'
import { createApiOf } from '../../server.js'
import { rest } from './transport.js'

const nullable: Coercion = { types: ['null', 'integer'] }
const strings: Coercion = { types: ['array'], items: { types: ['string'] } }
const integers: Coercion = { types: ['array'], items: { types: ['integer'] } }
const members: Coercion = { types: ['object'], properties: { a: { types: ['integer'] }, b: strings } }
const schemas = {
  text: { type: 'string' },
  textOrNull: { type: ['string', 'null'] },
  number: { type: ['integer', 'null'] },
  strings: { type: 'array', items: { type: 'string' } },
  integers: { type: 'array', items: { type: 'integer' } },
  either: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
  mixed: { type: ['string', 'integer'] },
  deep: { type: 'object' },
  flat: { type: 'object' },
  json: {},
  header: { type: 'array', items: { type: 'string' } },
  cookie: { type: ['string', 'null'] },
}
const search: Definition = {
  method: 'GET',
  path: '/search/{id}',
  parameters: [
    parameter('id', ['string'], { in: 'path' }),
    parameter('text', ['string']),
    parameter('textOrNull', ['null', 'string']),
    parameter('number', [], { coerce: nullable }),
    parameter('strings', [], { coerce: strings }),
    parameter('integers', [], { coerce: integers }),
    parameter('either', [], { coerce: { types: ['string', 'array'], items: { types: ['string'] } } }),
    parameter('mixed', ['integer', 'string']),
    parameter('deep', [], { coerce: members, style: 'deepObject' }),
    parameter('flat', [], { coerce: members, explode: false }),
    parameter('json', [], { json: true }),
    parameter('header', [], { in: 'header', coerce: strings }),
    parameter('cookie', ['null', 'string'], { in: 'cookie' }),
  ],
  params: {
    type: 'object',
    properties: { id: { type: 'string' }, ...schemas },
    required: ['id'],
    additionalProperties: false,
  },
}
/** A GET with a body in the document: query parameters describe how to read its fields. */
const report: Definition = {
  method: 'GET',
  path: '/report',
  parameters: [parameter('year', ['integer'])],
  body: { required: true, kind: 'fields', rename: { jahr: 'year' } },
  params: { type: 'object', properties: { year: { type: 'integer' }, title: {} } },
}

/** A call with a required body whose fields are all optional. */
const change: Definition = {
  method: 'PATCH',
  path: '/change',
  body: { required: true, kind: 'fields' },
  params: { type: 'object' },
}

let server: Served
const contract = contractOf({ search, report, change })
beforeAll(async () => {
  const echo = (params: unknown) => params
  const handlers = { default: { search: echo, report: echo, change: echo } }
  server = await serveNode(createApiOf<AnyTypes, unknown, unknown, string>(contract, { handlers }))
})
afterAll(() => server.close())

async function outcome(transport: typeof rest | typeof jsonrpc, name: string, params: object) {
  const client = createClientOf<ClientCalls<AnyTypes>>(contract, {
    transport: transport(`http://127.0.0.1:${server.port}`) as ReturnType<typeof rest>,
  })
  try {
    return { value: await client.call(name, params) }
  } catch (error) {
    if (!isApiError(error)) throw error
    return { error }
  }
}

describe('what REST cannot express', () => {
  test.each<[keyof typeof schemas, unknown, string]>([
    ['strings', [], 'absent'],
    ['deep', {}, 'absent'],
    ['flat', {}, 'absent'],
    ['textOrNull', null, '""'],
    ['text', null, '""'],
    ['strings', null, '[""]'],
    ['either', ['a'], '"a"'],
    ['mixed', '5', '5'],
    ['number', '', 'null'],
    ['deep', { b: [] }, 'absent'],
    ['header', [], 'absent'],
    ['header', [' a'], '["a"]'],
    ['cookie', null, '""'],
  ])('%s: refuses %j before it sends anything', async (name, value, read) => {
    const { error } = await outcome(rest, 'search', { id: 'a', [name]: value })
    expect(error).toMatchObject({ code: 'validation_failed', status: 400, rpcCode: -32602 })
    expect(error?.violations).toEqual([
      {
        path: `/${name}`,
        keyword: 'rest',
        message: `REST would send it as ${read}; call over JSON-RPC to send it as it is`,
      },
    ])
  })

  test('works over JSON-RPC', async () => {
    const params = { id: 'a', strings: [], deep: {}, textOrNull: null, either: ['a'], mixed: '5' }
    expect(await outcome(jsonrpc, 'search', params)).toEqual({ value: params })
  })
})

test.each<[keyof typeof schemas, unknown]>([
  ['number', null],
  ['integers', []],
  ['strings', ['']],
  ['either', ''],
  ['deep', { a: 1, b: ['x', 'y'] }],
  ['json', []],
  ['json', null],
])('%s: %j arrives as it is', async (name, value) => {
  const params = { id: 'a', [name]: value }
  expect(await outcome(rest, 'search', params)).toEqual({ value: params })
})

test('every call over REST means the same as over JSON-RPC, or is refused', {
  tags: 'long',
}, async () => {
  const value = fc.oneof(
    fc.constantFrom<unknown>(null, '', [], {}, [''], ['a'], ['a', 'b'], [1], 5, '5', true, 'true', { a: 1 }),
    fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<unknown>,
  )
  const names = Object.keys(schemas)
  await fc.assert(
    fc.asyncProperty(
      fc.string({ minLength: 1 }).filter((id) => !/^\.{1,2}$/.test(id)),
      fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 3, noNullPrototype: true }),
      async (id, others) => {
        const params = JSON.parse(JSON.stringify({ ...others, id }))
        // The platform refuses characters beyond Latin-1 in headers.
        fc.pre(/^[\x20-\x7e]*$/.test(String(JSON.stringify(params.header ?? ''))))
        const overRest = await outcome(rest, 'search', params)
        const overJsonRpc = await outcome(jsonrpc, 'search', params)
        if (overRest.error === undefined) expect(overRest).toEqual(overJsonRpc)
        else expect(overRest.error.code).toBe('validation_failed')
      },
    ),
    { numRuns: runs(200, 4_000) },
  )
})

test('sends a required body without fields if there are none', async () => {
  expect(await outcome(rest, 'change', {})).toEqual({ value: {} })
  expect(await outcome(jsonrpc, 'change', {})).toEqual({ value: {} })
})

test('a missing path param is the same error over both protocols', async () => {
  for (const transport of [rest, jsonrpc]) {
    const { error } = await outcome(transport, 'search', {})
    expect(error).toMatchObject({ code: 'validation_failed', status: 400, rpcCode: -32602 })
    expect(error?.violations).toEqual([
      { path: '/id', keyword: 'required', message: "must have required property 'id'" },
    ])
  }
})

test('refuses a path param that no path can hold before it sends anything', async () => {
  for (const id of ['', '.', '..']) {
    const { error } = await outcome(rest, 'search', { id })
    expect(error).toMatchObject({ code: 'validation_failed', violations: [{ path: '/id', keyword: 'rest' }] })
    expect(await outcome(jsonrpc, 'search', { id })).toEqual({ value: { id } })
  }
})

test('a value without JSON text is the same error over both protocols', async () => {
  const ring: { self?: unknown } = {}
  ring.self = ring
  const twice = { a: 1 }
  for (const transport of [rest, jsonrpc]) {
    const { error } = await outcome(transport, 'search', { id: 5n, json: ring, deep: { 'a/b': [1n] } })
    expect(error).toMatchObject({ code: 'validation_failed', status: 400, rpcCode: -32602 })
    expect(error?.violations.map(({ path, keyword }) => `${path} ${keyword}`)).toEqual([
      '/id json',
      '/json/self json',
      '/deep/a~1b/0 json',
    ])
    expect(await outcome(transport, 'change', { x: twice, y: twice })).toEqual({
      value: { x: twice, y: twice },
    })
  }
})

describe('a GET with a body in the document', () => {
  test('is sent in the query', async () => {
    const params = { year: 2026, title: 'a b' }
    expect(await outcome(rest, 'report', params)).toEqual({ value: params })
  })

  test('is refused if the query has no declared form', async () => {
    const { error } = await outcome(rest, 'report', { year: 2026, title: 7 })
    expect(error?.violations).toMatchObject([{ path: '/title', keyword: 'rest' }])
  })
})
