import { expect, expectTypeOf, test } from 'vitest'
import { clientOf, transports } from '../fixtures/client.js'
import { contractOf, type Definition, parameter } from '../fixtures/contract.js'
import { rest } from '../rest/client/transport.js'
import type { Context } from '../server/api/context.js'
import { createClientOf } from './client.js'
import type { ClientMethod } from './client-calls.js'

interface JobsAdd {
  params: { name: string }
  result: { id: number }
  status: 200 | 201 | undefined
  headers: { 'X-Left'?: number; Tags?: string[] }
}
interface Client {
  readonly jobs: { readonly add: ClientMethod<JobsAdd>; readonly get: ClientMethod<JobsGet> }
}
interface JobsGet {
  params: { name?: string }
  result: null
  status: 200
}

const definitions: Record<string, Definition> = {
  'jobs.add': {
    path: '/jobs',
    parameters: [parameter('name', ['string'])],
    statuses: [200, 201],
    headers: [
      { name: 'X-Left', coerce: { types: ['integer'] } },
      { name: 'Tags', coerce: { types: ['array'], items: { types: ['string'] } } },
      { name: 'X-Absent', coerce: { types: ['string'] } },
    ],
  },
  'jobs.get': { method: 'GET', path: '/jobs', parameters: [parameter('name', ['string'])] },
}

const handlers = {
  jobs: {
    add: (_: unknown, { reply }: Context<unknown>) => {
      reply.status(201).header('X-Left', 7).header('Tags', 'a, b').header('X-Other', 'more')
      return { id: 1 }
    },
    get: () => null,
  },
}

const [overRest, overJsonRpc] = transports.map(
  ([, transport]) =>
    () =>
      clientOf<Client>(definitions, { handlers }, transport),
)

test('REST has the status, the declared headers by their schemas, and other headers as text', async () => {
  const client = await overRest?.()
  const response = await client?.jobs.add.withResponse({ name: 'a' })
  const { data, status, headers, rawHeaders } = response ?? {}
  expect({ data, status, headers }).toEqual({
    data: { id: 1 },
    status: 201,
    headers: { 'X-Left': 7, Tags: ['a', 'b'] },
  })
  expect([rawHeaders?.get('x-other'), rawHeaders?.get('X-None')]).toEqual(['more', null])
})

test('JSON-RPC has no declared headers, and no status if the document has several', async () => {
  const client = await overJsonRpc?.()
  const response = await client?.jobs.add.withResponse({ name: 'a' })
  const { data, status, headers, rawHeaders } = response ?? {}
  expect({ data, status, headers }).toEqual({ data: { id: 1 }, status: undefined, headers: {} })
  expect(rawHeaders?.get('x-request-id')).toEqual(expect.any(String))
  expect(await client?.jobs.get.withResponse()).toMatchObject({ data: null, status: 200 })
})

test.each(transports)('over %s an error is thrown as ever', async (_, transport) => {
  const client = await clientOf<Client>(definitions, { handlers: {} }, transport)
  await expect(client.jobs.add.withResponse({ name: 'a' })).rejects.toMatchObject({ code: 'not_implemented' })
})

test.each([
  ['a number', { types: ['integer'] }, '12', 12],
  ['an invalid number', { types: ['integer'] }, 'many', undefined],
  ['a fraction where whole numbers are asked for', { types: ['integer'] }, '1.5', undefined],
  ['a number that a double would round', { types: ['integer'] }, '9007199254740993', undefined],
  ['a boolean', { types: ['boolean'] }, 'true', true],
  ['text', { types: ['string'] }, '12', '12'],
  [
    'a list with an item that does not fit',
    { types: ['array'], items: { types: ['integer'] } },
    '1, x',
    undefined,
  ],
  ['an object', { types: ['object'], properties: { left: { types: ['integer'] } } }, 'left,3', { left: 3 }],
] as const)('a header that is %s is read by its schema', async (_, coerce, text, expected) => {
  const contract = contractOf({ get: { method: 'GET', headers: [{ name: 'H', coerce }] } })
  const transport = rest('http://127.0.0.1', {
    fetch: async () => new Response('{}', { headers: { h: text, 'content-type': 'application/json' } }),
  })
  const client = createClientOf<{ get: ClientMethod<{ params: object }> }>(contract, { transport })
  const { headers, rawHeaders } = await client.get.withResponse({})
  expect(headers).toEqual(expected === undefined ? {} : { H: expected })
  expect(rawHeaders.get('H')).toBe(text)
})

test.each([
  [200, { 'X-Left': 7 }],
  [201, { 'X-Left': '7' }],
  [203, {}],
])('a header that two statuses declare is read as the status %i declares it', async (status, expected) => {
  const headers = [
    { name: 'X-Left', coerce: { types: ['integer'] }, statuses: [200] },
    { name: 'X-Left', coerce: { types: ['string'] }, statuses: [201] },
  ] as const
  const contract = contractOf({ get: { method: 'GET', statuses: [200, 201], headers } })
  const answer = { status, headers: { 'x-left': '7', 'content-type': 'application/json' } }
  const transport = rest('http://127.0.0.1', { fetch: async () => new Response('{}', answer) })
  const client = createClientOf<{ get: ClientMethod<{ params: object }> }>(contract, { transport })
  expect((await client.get.withResponse({})).headers).toEqual(expected)
})

test('reads an exploded object, and JSON', async () => {
  const contract = contractOf({
    get: {
      method: 'GET',
      headers: [
        { name: 'Limits', coerce: { types: ['object'], values: { types: ['integer'] } }, explode: true },
        { name: 'Page', coerce: { types: ['object'] }, json: true },
        { name: 'Broken', coerce: { types: ['object'] }, json: true },
      ],
    },
  })
  const headers = { limits: 'a=1,b=2', page: '{"next":[1]}', broken: '{', 'content-type': 'application/json' }
  const transport = rest('http://127.0.0.1', { fetch: async () => new Response('{}', { headers }) })
  const client = createClientOf<{ get: ClientMethod<{ params: object }> }>(contract, { transport })
  const response = await client.get.withResponse({})
  expect(response.headers).toEqual({ Limits: { a: 1, b: 2 }, Page: { next: [1] } })
})

test('status and headers are typed by the operation', async () => {
  type Method = Client['jobs']['add']
  expectTypeOf<Parameters<Method['withResponse']>[0]>().toEqualTypeOf<{ name: string }>()
  type Response = Awaited<ReturnType<Method['withResponse']>>
  expectTypeOf<Response['data']>().toEqualTypeOf<{ id: number }>()
  expectTypeOf<Response['status']>().toEqualTypeOf<200 | 201 | undefined>()
  expectTypeOf<Response['headers']['X-Left']>().toEqualTypeOf<number | undefined>()
  expectTypeOf<keyof Response['headers']>().toEqualTypeOf<'X-Left' | 'Tags'>()
  expectTypeOf<Awaited<ReturnType<Client['jobs']['get']['withResponse']>>['status']>().toEqualTypeOf<200>()
})

test.each(transports)(
  '%s sends an ETag as received, with or without its quotation marks',
  async (_, transport) => {
    const seen: unknown[] = []
    const expected = parameter('If-Match', ['string'], { in: 'header', param: 'expected', entityTag: true })
    const params = { type: 'object', properties: { expected: { type: 'string' } } }
    const client = await clientOf<{ readonly carts: { readonly set: ClientMethod<CartsSet> } }>(
      { 'carts.set': { method: 'PUT', path: '/cart', parameters: [expected], params } },
      {
        handlers: {
          carts: {
            set: (given: { expected?: string }) => {
              seen.push(given.expected)
              return null
            },
          },
        },
      },
      transport,
    )
    for (const tag of ['"1"', '1', '*', '""']) await client.carts.set({ expected: tag })
    expect(seen).toEqual(['1', '1', '*', ''])
  },
)

interface CartsSet {
  params: { expected?: string }
  result: null
  status: 200
}
