import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { builtInErrors } from '../contract/catalogue.js'
import type { Operation } from '../contract/operation.js'
import { jsonrpc } from '../jsonrpc/client/transport.js'
import { createClientOf } from './client.js'
import type { JsonRpcCalls } from './client-calls.js'
import type { ClientOptions } from './client-options.js'
import { bearer } from './credentials/client-auth.js'
import type { JsonRpcTransport } from './transport.js'

interface Types {
  read: { params: { n: number }; result: number; errors: 'not_found' }
  buy: { params: { n: number }; result: number; errors: 'conflict' }
  order: { params: { n: number; key?: string }; result: number; errors: 'conflict' }
}

function operation(name: string, idempotent: boolean): Operation {
  return {
    name,
    source: '#',
    rest: { method: 'POST', path: `/${name}`, parameters: [], status: 200 },
    rpc: name,
    security: [{ jwt: [] }],
    errors: [],
    idempotent,
    datetimes: {},
  }
}

const contract = {
  operations: {
    read: operation('read', true),
    buy: operation('buy', false),
    order: { ...operation('order', false), idempotencyKey: 'key' },
  },
  errors: builtInErrors,
  securitySchemes: { jwt: { type: 'http', scheme: 'bearer' } },
} as const

interface Envelope {
  id: number
  method: string
  params: { n: number; __tz?: string }
}
type Outcome = { result: number } | { error: object }

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** Answers batches in reverse order; `outcome` decides each call, by the number of the request. */
async function connect(
  outcome: (call: Envelope, request: number, token: string | undefined) => Outcome | 'drop',
  options: Omit<ClientOptions<JsonRpcTransport>, 'transport'> = {},
) {
  const requests: Envelope[][] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const calls: Envelope[] = JSON.parse(body)
    requests.push(calls)
    const outcomes = calls.map((call) => outcome(call, requests.length, request.headers.authorization))
    if (outcomes.includes('drop')) {
      request.socket.destroy()
      return
    }
    const answers = calls.map(({ id }, index) => ({ jsonrpc: '2.0', id, ...(outcomes[index] as Outcome) }))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers.reverse()))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  closing.push(() => {
    server.close()
    server.closeAllConnections()
  })
  const transport = jsonrpc(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const client = createClientOf<JsonRpcCalls<Types>>(contract, {
    transport,
    retry: { baseDelay: 1 },
    ...options,
  })
  return { client, requests, sizes: () => requests.map((calls) => calls.map(({ params }) => params.n)) }
}

function failed(code: keyof typeof builtInErrors): Outcome {
  const { rpc, status, title } = builtInErrors[code]
  return {
    error: { code: rpc, message: title, data: { type: `urn:problem-type:${code}`, title, status, code } },
  }
}

test('outcomes are in the order of the calls, whatever the order of the responses', async () => {
  const { client, requests } = await connect(({ params }) =>
    params.n === 2 ? failed('not_found') : { result: params.n },
  )
  const outcomes = await client.batch(
    [
      ['read', { n: 1 }],
      ['buy', { n: 2 }],
      ['read', { n: 3 }],
    ],
    { timezone: 'Europe/Madrid' },
  )
  expect(outcomes).toEqual([
    { ok: true, result: 1 },
    { ok: false, error: expect.objectContaining({ code: 'not_found', operation: 'buy', rpcCode: -32004 }) },
    { ok: true, result: 3 },
  ])
  const [sent = []] = requests
  expect(new Set(sent.map(({ id }) => id)).size).toBe(3)
  expect(sent.map(({ params }) => params.__tz)).toEqual(['Europe/Madrid', 'Europe/Madrid', 'Europe/Madrid'])
})

test('an empty batch sends nothing', async () => {
  const { client, requests } = await connect(() => 'drop')
  expect(await client.batch([])).toEqual([])
  expect(requests).toEqual([])
})

test('retries a lost batch if every call is idempotent', async () => {
  const { client, sizes } = await connect(({ params }, request) =>
    request === 1 ? 'drop' : { result: params.n },
  )
  const outcomes = await client.batch([
    ['read', { n: 1 }],
    ['read', { n: 2 }],
  ])
  expect(outcomes.map(({ ok }) => ok)).toEqual([true, true])
  expect(sizes()).toEqual([
    [1, 2],
    [1, 2],
  ])
})

test('does not retry a lost batch if one call is not idempotent', async () => {
  const { client, sizes } = await connect(() => 'drop')
  const batch = client.batch([
    ['read', { n: 1 }],
    ['buy', { n: 2 }],
  ])
  await expect(batch).rejects.toMatchObject({ reason: 'network', operation: 'batch' })
  expect(sizes()).toEqual([[1, 2]])
})

test('retries a lost batch if every call is idempotent or has a key', async () => {
  const { client, sizes } = await connect(({ params }, request) =>
    request === 1 ? 'drop' : { result: params.n },
  )
  await client.batch([
    ['read', { n: 1 }],
    ['order', { n: 2, key: 'k' }],
  ])
  expect(sizes()).toEqual([
    [1, 2],
    [1, 2],
  ])
})

test('retries only the transient failures of an idempotent batch', async () => {
  const { client, sizes } = await connect(({ params: { n } }, request) => {
    if (n === 3) return failed('not_found')
    return n === 2 && request === 1 ? failed('unavailable') : { result: 10 * request + n }
  })
  const outcomes = await client.batch([
    ['read', { n: 1 }],
    ['read', { n: 2 }],
    ['read', { n: 3 }],
  ])
  expect(outcomes).toMatchObject([
    { ok: true, result: 11 },
    { ok: true, result: 22 },
    { ok: false, error: { code: 'not_found' } },
  ])
  expect(sizes()).toEqual([[1, 2, 3], [2]])
})

test('keeps earlier responses if the retry fails', async () => {
  const { client, sizes } = await connect(({ params: { n } }, request) => {
    if (request > 1) return 'drop'
    return n === 2 ? failed('unavailable') : { result: n }
  })
  const outcomes = await client.batch([
    ['read', { n: 1 }],
    ['read', { n: 2 }],
  ])
  expect(outcomes).toMatchObject([{ result: 1 }, { error: { code: 'unavailable' } }])
  expect(sizes()).toEqual([[1, 2], [2], [2]])
})

test('does not retry a transient failure of a batch that is not idempotent, even with a refused token', async () => {
  const auth = bearer((refused) => (refused === undefined ? 'old' : 'new'))
  const outcome = ({ params: { n } }: Envelope, request: number): Outcome => {
    if (n === 2) return failed('unavailable')
    return request === 1 ? failed('invalid_token') : { result: n }
  }
  const { client, sizes } = await connect(outcome, { auth })
  const outcomes = await client.batch([
    ['buy', { n: 1 }],
    ['buy', { n: 2 }],
  ])
  expect(outcomes).toMatchObject([{ result: 1 }, { error: { code: 'unavailable' } }])
  expect(sizes()).toEqual([[1, 2], [1]])
})

test('sends calls with a refused token again with a new one, even if they are not idempotent', async () => {
  let token = 'old'
  const auth = bearer((refused) => {
    if (refused === token) token = 'new'
    return token
  })
  const { client, sizes } = await connect(
    ({ params: { n } }, _, sent) =>
      n === 2 && sent === 'Bearer old' ? failed('invalid_token') : { result: n },
    { auth },
  )
  const outcomes = await client.batch([
    ['buy', { n: 1 }],
    ['buy', { n: 2 }],
  ])
  expect(outcomes).toEqual([
    { ok: true, result: 1 },
    { ok: true, result: 2 },
  ])
  expect(sizes()).toEqual([[1, 2], [2]])
})
