import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jsonrpc, rest } from '../../runtime/client.js'
import { type Ledger, startLedger } from './service.js'

const LEAST = -(2n ** 63n)
const MOST = 2n ** 63n - 1n

let ledger: Ledger
beforeAll(async () => {
  ledger = await startLedger('number')
})
afterAll(() => ledger.stop())

describe.each(['bigint', 'string'] as const)('against a service with %s', (mode) => {
  let larger: Ledger
  beforeAll(async () => {
    larger = await startLedger(mode)
  })
  afterAll(() => larger.stop())

  const own = (value: bigint) => (mode === 'bigint' ? value : String(value))
  const clients = (): readonly Ledger['overRest'][] => {
    const url = `http://127.0.0.1:${larger.served.port}`
    return [rest(url), jsonrpc(url)].map((transport) => ledger.createClient({ transport }))
  }
  const refusal = (operation: string, pointer: string) => ({
    name: 'TransportError',
    reason: 'unexpected_response',
    message: `${operation}: the result has an integer beyond ±(2^53 - 1) at "${pointer}", which may be rounded: set "int64" to "bigint" or "string" in the client's duet.config.json (HTTP status 200)`,
  })

  test('a client refuses a result that it would round, over both protocols', async () => {
    for (const client of clients()) {
      larger.answer({ node: { id: own(1n), below: [{ id: own(2n ** 53n + 1n) }] } })
      await expect(client.call('echo.everything', { id: 1, ids: [1] })).rejects.toMatchObject(
        refusal('echo.everything', '/node/below/0/id'),
      )
      larger.answer({ map: { 'a/b': own(LEAST + 1n) } })
      await expect(client.call('echo.everything', { id: 1, ids: [1] })).rejects.toMatchObject(
        refusal('echo.everything', '/map/a~1b'),
      )
      larger.answer(own(MOST))
      await expect(client.call('echo.whole', { body: 1 })).rejects.toMatchObject(refusal('echo.whole', ''))
    }
  })

  test.each([2n ** 53n - 1n, -(2n ** 53n) + 1n])('a client takes %s, the last that is safe', async (last) => {
    for (const client of clients()) {
      larger.answer(own(last))
      expect(await client.call('echo.whole', { body: 1 })).toBe(Number(last))
    }
  })

  test.each([2n ** 53n, -(2n ** 53n)])(
    '%s may be another integer rounded, and is refused',
    async (integer) => {
      for (const client of clients()) {
        larger.answer(own(integer))
        await expect(client.call('echo.whole', { body: 1 })).rejects.toMatchObject(refusal('echo.whole', ''))
      }
    },
  )

  test('a batch refuses the result alone', async () => {
    for (const integer of [1n, MOST, 2n]) larger.answer(own(integer))
    const batch = clients()[1]?.batch(['', '', ''].map(() => ['echo.whole', { body: 1 }] as const))
    expect(await batch).toMatchObject([
      { ok: true, result: 1 },
      { ok: false, error: refusal('echo.whole', '') },
      { ok: true, result: 2 },
    ])
  })
})

// A Duet service cannot send these, because its programs have doubles there.
describe('against a service that sends any text', () => {
  let url: string
  let text = ''
  const service = createServer(async (request, response) => {
    const body = await new Response(Readable.toWeb(request) as ReadableStream).text()
    const isRpc = request.url === '/'
    const type = text.startsWith('data:') ? 'text/event-stream' : 'application/json'
    response.setHeader('x-count', '9007199254740993')
    const piece = request.url?.startsWith('/lines') ? 'application/jsonl' : type
    response.setHeader('content-type', isRpc ? 'application/json' : piece)
    const result = type === 'application/json' && !text.includes('\n') ? text : JSON.stringify(text)
    response.end(isRpc ? `{"jsonrpc":"2.0","id":${JSON.parse(body).id},"result":${result}}` : text)
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  })
  afterAll(() => void service.close())

  const clients = () => [rest(url), jsonrpc(url)].map((transport) => ledger.createClient({ transport }))

  test('other numbers stay as they are', async () => {
    text =
      '{"plain":9007199254740993,"other":[9007199254740993],"X-Trace":9007199254740993,"id":5,"node":{"x":9007199254740993}}'
    for (const client of clients())
      expect(await client.call('echo.everything', { id: 1, ids: [1] })).toEqual(JSON.parse(text))
  })

  test('a header that would be rounded is omitted', async () => {
    text = '{"id":1}'
    const everything = clients()[0]?.echo.everything.withResponse({ id: 1, ids: [1] })
    expect(Object.keys((await everything)?.headers as object)).toEqual([])
  })

  test('a piece of a stream is refused, after those before it', async () => {
    text = '{"id":1}\n{"id":2,"below":[{"id":9007199254740993}]}\n'
    for (const { streams } of clients()) {
      const pieces: unknown[] = []
      const reading = async () => {
        for await (const piece of streams.lines({ from: 1 })) pieces.push(piece)
      }
      await expect(reading()).rejects.toThrow(
        'streams.lines: the result has an integer beyond ±(2^53 - 1) at "/below/0/id"',
      )
      expect(pieces).toEqual([{ id: 1 }])
    }
  })

  test('the data of an event is refused', async () => {
    text = 'data: {"id":9007199254740993}\n\n'
    for (const { streams } of clients()) {
      const next = streams.events({ from: 1 })[Symbol.asyncIterator]().next()
      await expect(next).rejects.toThrow(
        'streams.events: the result has an integer beyond ±(2^53 - 1) at "/data/id"',
      )
    }
  })
})
