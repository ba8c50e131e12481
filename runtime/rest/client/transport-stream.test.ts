import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createClientOf } from '../../client/client.js'
import type { ClientCalls } from '../../client/client-calls.js'
import { type AnyTypes, contractOf } from '../../fixtures/contract.js'
import { type Served, serveNode } from '../../fixtures/serve.js'
import { jsonrpc } from '../../jsonrpc/client/transport.js'
import { rest } from './transport.js'

const contract = contractOf({ events: { method: 'GET', path: '/events' } })
const open: Served[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((served) => served.close()))
})

async function clientOf(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const served = await serveNode({ node: () => answer })
  open.push(served)
  const transport = rest(`http://127.0.0.1:${served.port}`)
  return createClientOf<ClientCalls<AnyTypes>>(contract, { transport, retry: false })
}

const textOf = (chunk: { value?: Uint8Array | undefined }) => new TextDecoder().decode(chunk.value)

describe('a call as a stream', () => {
  test('yields each piece on arrival, long before the last', async () => {
    let response: ServerResponse | undefined
    const client = await clientOf((_, given) => {
      response = given.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: 1\n\n')
    })
    const reader = (await client.call('events', {}, { as: 'stream' })).getReader()
    expect(textOf(await reader.read())).toBe('data: 1\n\n')
    response?.write('data: 2\n\n')
    expect(textOf(await reader.read())).toBe('data: 2\n\n')
    response?.end()
    expect(await reader.read()).toMatchObject({ done: true })
  })

  test('outlives the timeout once it has begun', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    let response: ServerResponse | undefined
    const client = await clientOf((_, given) => {
      response = given.writeHead(200)
      response.write('a')
    })
    const stream = await client.call('events', {}, { as: 'stream', timeout: 50 })
    vi.advanceTimersByTime(60_000)
    response?.end('b')
    expect(await new Response(stream).text()).toBe('ab')
  })

  test('times out if it does not begin', async () => {
    const client = await clientOf(() => {})
    const call = client.call('events', {}, { as: 'stream', timeout: 50 })
    await expect(call).rejects.toMatchObject({ reason: 'timeout' })
  })

  test('ends with the signal, and closes the connection', async () => {
    const gone: Promise<unknown>[] = []
    const client = await clientOf((_, response) => {
      gone.push(once(response, 'close'))
      response.writeHead(200).write('a')
    })
    const controller = new AbortController()
    const stream = await client.call('events', {}, { as: 'stream', signal: controller.signal })
    const reader = stream.getReader()
    await reader.read()
    controller.abort()
    await expect(reader.read()).rejects.toMatchObject({ reason: 'aborted' })
    await Promise.all(gone)
  })

  test('closes the connection if it is cancelled', async () => {
    const gone: Promise<unknown>[] = []
    const client = await clientOf((_, response) => {
      gone.push(once(response, 'close'))
      response.writeHead(200).write('a')
    })
    await (await client.call('events', {}, { as: 'stream' })).cancel()
    await Promise.all(gone)
  })

  test('fails if the connection breaks', async () => {
    const client = await clientOf((_, response) => {
      response.writeHead(200, { 'content-length': '9' }).write('a', () => response.destroy())
    })
    const stream = await client.call('events', {}, { as: 'stream' })
    await expect(new Response(stream).text()).rejects.toMatchObject({ reason: 'network' })
  })

  test("rejects with the service's problem", async () => {
    const client = await clientOf((_, response) => {
      response.writeHead(404, { 'content-type': 'application/problem+json' })
      response.end(JSON.stringify({ code: 'not_found' }))
    })
    await expect(client.call('events', {}, { as: 'stream' })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('is empty if the response is', async () => {
    const client = await clientOf((_, response) => response.writeHead(204).end())
    const stream = await client.call('events', {}, { as: 'stream' })
    expect(await new Response(stream).text()).toBe('')
  })

  test("arrives whole if the caller's fetch has no stream", async () => {
    const headers = { get: () => null }
    const fetch = async () => ({ status: 200, headers, text: async () => 'whole' })
    const transport = rest('http://localhost', { fetch })
    const client = createClientOf<ClientCalls<AnyTypes>>(contract, { transport })
    const stream = await client.call('events', {}, { as: 'stream' })
    expect(await new Response(stream).text()).toBe('whole')
  })

  test('is refused over JSON-RPC', async () => {
    const transport = jsonrpc('http://localhost')
    const client = createClientOf<ClientCalls<AnyTypes>>(contract, { transport })
    await expect(client.call('events', {}, { as: 'stream' })).rejects.toThrow(
      'events: streams work only over REST',
    )
  })
})
