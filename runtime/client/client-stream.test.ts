import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, expectTypeOf, onTestFinished, test, vi } from 'vitest'
import { clientOf, transports } from '../fixtures/client.js'
import { contractOf, type Definition } from '../fixtures/contract.js'
import { served, serveNode } from '../fixtures/serve.js'
import { jsonrpc } from '../jsonrpc/client/transport.js'
import { rest } from '../rest/client/transport.js'
import type { ServerSentEvent } from '../values/event-reader.js'
import { createClientOf } from './client.js'
import type { StreamableMethod, StreamMethod } from './client-calls.js'
import { TransportError } from './client-error.js'

interface Watch<Piece> {
  params: Record<never, never>
  result: string
  piece: Piece
  status: 200
}
interface Client<Piece = unknown> {
  readonly watch: StreamMethod<Watch<Piece>>
}

const streamOf = (media: object): Record<string, Definition> => ({
  watch: { method: 'GET', path: '/watch', answers: [media as never] },
})
const events = { type: 'text/event-stream', kind: 'events' }

async function collected<Piece>(pieces: AsyncIterable<Piece>): Promise<Piece[]> {
  const found: Piece[] = []
  for await (const piece of pieces) found.push(piece)
  return found
}

describe.each(transports)('a stream over %s', (_, transport) => {
  test.each([
    ['events that hold a value', events, [{ n: 1 }, 2, null]],
    [
      'events with JSON in their data',
      { ...events, data: 'json' },
      [{ event: 'a', id: '1', data: { n: 1 } }, { data: [] }],
    ],
    [
      'events with text in their data',
      { ...events, data: 'text' },
      [
        { event: 'a', data: '1\n2' },
        { retry: 5, data: '{}' },
      ],
    ],
    [
      'events with either',
      { ...events, data: 'either' },
      [{ data: 'ready' }, { data: { n: 1 } }, { data: '{' }],
    ],
    ['events that are texts', { ...events, text: true }, ['one', '[DONE]', ' two\n\nthree', '']],
    ['events that may be texts', events, ['one', 'null', null, '5', 5, { n: 1 }]],
    ['JSON lines', { type: 'application/jsonl', kind: 'lines' }, [{ n: 1 }, [2], 3, 'four']],
    ['a JSON sequence', { type: 'application/json-seq', kind: 'lines' }, [{ n: 1 }, [2], 3, 'four']],
  ])("of %s yields the handler's pieces", async (_, media, pieces) => {
    async function* watch() {
      yield* pieces
    }
    const client = await clientOf<Client>(streamOf(media), { handlers: { default: { watch } } }, transport)
    expect(await collected(client.watch())).toEqual(pieces)
  })

  test('of undescribed events yields them as they arrived', async () => {
    async function* watch() {
      yield new TextEncoder().encode('event: a\nid: 1\ndata: one\n\n')
      yield 'two'
      yield { n: 3 }
    }
    const client = await clientOf<Client<ServerSentEvent>>(
      streamOf({ ...events, bare: true }),
      { handlers: { default: { watch } } },
      transport,
    )
    const pieces = await collected(client.watch())
    expectTypeOf(pieces).toEqualTypeOf<ServerSentEvent[]>()
    expect(pieces).toEqual([
      { event: 'a', id: '1', data: 'one' },
      { event: 'message', id: '1', data: 'two' },
      { event: 'message', id: '1', data: '{"n":3}' },
    ])
  })

  test('has status and headers before its pieces', async () => {
    async function* watch() {
      yield { n: 1 }
    }
    const client = await clientOf<Client>(streamOf(events), { handlers: { default: { watch } } }, transport)
    const { data, status, rawHeaders } = await client.watch.withResponse()
    expect([status, rawHeaders.get('x-request-id')]).toEqual([200, expect.any(String)])
    expect(await collected(data)).toEqual([{ n: 1 }])
  })

  test("throws the service's error", async () => {
    const client = await clientOf<Client>(streamOf(events), {}, transport)
    await expect(collected(client.watch())).rejects.toMatchObject({ code: 'not_implemented' })
  })

  test('may be one of several media types', async () => {
    const definitions = {
      ask: {
        answers: [{ type: 'application/json', kind: 'json' }, events] as never,
        params: { type: 'object' },
      },
    }
    async function* words() {
      yield* [{ word: 'a' }, { word: 'b' }]
    }
    const ask = ({ stream }: { stream?: boolean }) => (stream ? words() : { text: 'a b' })
    interface Ask {
      params: { stream?: boolean }
      result: { text: string } | string
      piece: { word: string }
      status: 200
    }
    const client = await clientOf<{ ask: StreamableMethod<Ask> }>(
      { ask: { ...definitions.ask, body: { required: false, kind: 'fields' } } },
      { handlers: { default: { ask } } },
      transport,
    )
    expect(await client.ask()).toEqual({ text: 'a b' })
    const pieces = await collected(client.ask.stream({ stream: true }))
    expectTypeOf(pieces).toEqualTypeOf<{ word: string }[]>()
    expect(pieces).toEqual([{ word: 'a' }, { word: 'b' }])
    await expect(collected(client.ask.stream())).rejects.toMatchObject({ reason: 'unexpected_response' })
  })

  test('sends nothing before the first piece is read', async () => {
    const watch = vi.fn(async function* () {
      yield 1
    })
    const client = await clientOf<Client>(streamOf(events), { handlers: { default: { watch } } }, transport)
    const pieces = client.watch()
    expect(watch).not.toHaveBeenCalled()
    expect(await pieces.next()).toEqual({ done: false, value: 1 })
  })
})

describe('a stream over JSON-RPC', () => {
  async function clientFor(listener: (request: IncomingMessage, response: ServerResponse) => void) {
    const server = await served(serveNode({ node: () => listener }))
    const transport = jsonrpc(`http://127.0.0.1:${server.port}`)
    const retry = { retries: 2, baseDelay: 1 }
    return createClientOf<Client>(contractOf(streamOf(events)), { transport, retry })
  }

  test.each([
    ['breaks', (response: ServerResponse) => void response.destroy(), { reason: 'network' }],
    [
      'is ended by the service',
      (response: ServerResponse) => void response.writeHead(503).end(),
      { status: 503 },
    ],
  ])('is not sent again if it %s', async (_, answer, failure) => {
    const listener = vi.fn((_: IncomingMessage, response: ServerResponse) => answer(response))
    const client = await clientFor(listener)
    await expect(collected(client.watch())).rejects.toMatchObject(failure)
    expect(listener).toHaveBeenCalledTimes(1)
  })

  test('is not sent again if it times out', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const listener = vi.fn()
    const client = await clientFor(listener)
    const call = expect(collected(client.watch({}, { timeout: 200 }))).rejects.toMatchObject({
      reason: 'timeout',
    })
    await expect.poll(() => listener.mock.calls.length).toBe(1)
    vi.advanceTimersByTime(200)
    await call
    expect(listener).toHaveBeenCalledTimes(1)
  })
})

describe('a stream over REST', () => {
  async function clientFor(
    answer: (request: IncomingMessage, response: ServerResponse) => void,
    media = events,
  ) {
    const listener = vi.fn(answer)
    const server = await served(serveNode({ node: () => listener }))
    const transport = rest(`http://127.0.0.1:${server.port}`)
    const retry = { retries: 2, baseDelay: 1 }
    const client = createClientOf<Client>(contractOf(streamOf(media)), { transport, retry })
    return { client, listener }
  }
  const begun = (response: ServerResponse, text: string, type = events.type) =>
    void response.writeHead(200, { 'content-type': type }).write(text)

  test('goes on for as long as it takes, whatever the timeout', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    let response: ServerResponse | undefined
    const { client } = await clientFor((_, given) => {
      response = given
      begun(given, 'data: 1\n\n')
    })
    const pieces = client.watch({}, { timeout: 50 })
    expect(await pieces.next()).toMatchObject({ value: 1 })
    vi.advanceTimersByTime(3_600_000)
    response?.end('data: 2\n\n')
    expect(await pieces.next()).toMatchObject({ value: 2 })
  })

  test('that breaks throws a TransportError and is not retried', async () => {
    const { client, listener } = await clientFor((_, response) => {
      begun(response, 'data: 1\n\n')
      setImmediate(() => response.destroy())
    })
    const found: unknown[] = []
    const read = async () => {
      for await (const piece of client.watch()) found.push(piece)
    }
    await expect(read()).rejects.toMatchObject({
      name: 'TransportError',
      reason: 'network',
      operation: 'watch',
    })
    expect([found, listener.mock.calls.length]).toEqual([[1], 1])
  })

  test('is retried only before it begins', async () => {
    const { client, listener } = await clientFor((_, response) => {
      if (listener.mock.calls.length === 1) response.writeHead(503).end()
      else begun(response, 'data: 1\n\n')
    })
    expect(await client.watch().next()).toMatchObject({ value: 1 })
    expect(listener).toHaveBeenCalledTimes(2)
  })

  test.each([
    ['an event', events, 'data: {"n":\n\n'],
    ['a line', { type: 'application/jsonl', kind: 'lines' }, '{"n":1}\n{"n":'],
  ])('throws a TransportError for %s that is not JSON', async (_, media, text) => {
    const { client } = await clientFor((_, response) => {
      response.writeHead(200, { 'content-type': media.type }).end(text)
    }, media)
    await expect(collected(client.watch())).rejects.toThrow(TransportError)
    await expect(collected(client.watch())).rejects.toMatchObject({ reason: 'unexpected_response' })
  })

  test('ends at [DONE], which is not JSON', async () => {
    const { client } = await clientFor((_, response) => begun(response, 'data: 1\n\ndata: [DONE]\n\n'))
    expect(await collected(client.watch())).toEqual([1])
  })

  test('refuses a response with another media type', async () => {
    const { client } = await clientFor((_, response) => begun(response, '<p>', 'text/html'))
    await expect(collected(client.watch())).rejects.toMatchObject({ reason: 'unexpected_response' })
  })

  test('is empty if the service returns nothing', async () => {
    const { client } = await clientFor((_, response) => response.writeHead(204).end())
    expect(await collected(client.watch())).toEqual([])
  })

  test.each([
    [
      'break',
      async (pieces: AsyncIterable<unknown>) => {
        for await (const _ of pieces) break
      },
    ],
    [
      'an error in the loop',
      async (pieces: AsyncIterable<unknown>) => {
        const read = async () => {
          for await (const piece of pieces) throw new Error(String(piece))
        }
        await expect(read()).rejects.toThrow('1')
      },
    ],
  ])('closes its connection at %s', async (_, read) => {
    let closed: Promise<unknown> | undefined
    const { client } = await clientFor((_, response) => {
      closed = once(response, 'close')
      begun(response, 'data: 1\n\n')
    })
    await read(client.watch())
    await closed
  })

  test('closes its connection if the data of withResponse is not read', async () => {
    let closed: Promise<unknown> | undefined
    const { client } = await clientFor((_, response) => {
      closed = once(response, 'close')
      begun(response, 'data: 1\n\n')
    })
    const { data } = await client.watch.withResponse()
    await data.return()
    await closed
  })

  test('ends with its signal, and closes its connection', async () => {
    let closed: Promise<unknown> | undefined
    const { client } = await clientFor((_, response) => {
      closed = once(response, 'close')
      begun(response, 'data: 1\n\n')
    })
    const controller = new AbortController()
    const pieces = client.watch({}, { signal: controller.signal })
    await pieces.next()
    const next = pieces.next()
    controller.abort()
    await expect(next).rejects.toMatchObject({ name: 'TransportError', reason: 'aborted' })
    await closed
  })
})
