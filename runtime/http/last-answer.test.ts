import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { ProblemError } from '../contract/problem.js'
import { billing, key } from '../fixtures/billing.js'
import { served } from '../fixtures/serve.js'
import { servers } from '../fixtures/servers.js'

const get = (id: number) => `GET /clients/${id} HTTP/1.1\r\nHost: a\r\nX-Api-Key: good\r\n\r\n`
const post = (...calls: object[]) => {
  const body = JSON.stringify(calls)
  return `POST / HTTP/1.1\r\nHost: a\r\nX-Api-Key: good\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}
const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'clients.get', params: { id } })

describe.each(servers.slice(0, 2))('under %s', (_, serve) => {
  /** A service of clients that refuses id 3. Returns the ids that were called and the responses. */
  async function exchanged(code: 'rate_limited' | 'unavailable' | 'not_found', requests: string) {
    const begun: number[] = []
    const get = ({ id }: { id: number }) => {
      begun.push(id)
      if (id === 3) throw new ProblemError(code)
      return { id, credit: 1 }
    }
    const api = billing({ handlers: { clients: { get } } })
    const server = await served(serve(api))
    const socket = connect(server.port, '127.0.0.1')
    socket.write(requests)
    if (code === 'not_found') socket.end()
    const answers = await text(socket)
    return {
      begun,
      statuses: [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
      answers,
    }
  }
  const calls = [1, 2, 3, 4, 5].map(get).join('')

  test.each(['rate_limited', 'unavailable'] as const)('%s ends the connection', async (code) => {
    const { begun, statuses, answers } = await exchanged(code, calls)
    expect(begun).toEqual([1, 2, 3])
    expect(statuses).toEqual(['200', '200', code === 'rate_limited' ? '429' : '503'])
    expect(answers.match(/^connection: close/gim)).toHaveLength(1)
  })

  test('also over JSON-RPC, where the batch and a batch that has begun are completed', async () => {
    const { begun, statuses, answers } = await exchanged(
      'rate_limited',
      post(call(3), call(4)) + post(call(5)),
    )
    expect([begun, statuses]).toEqual([
      [3, 4, 5],
      ['200', '200'],
    ])
    expect(answers.match(/^connection: close/gim)).toHaveLength(1)
  })

  test('other failures leave the connection open', async () => {
    expect((await exchanged('not_found', calls)).begun).toEqual([1, 2, 3, 4, 5])
  })
})

test("a refused call's response says that the connection ends", async () => {
  const around = () => Promise.reject(new ProblemError('rate_limited', { retryAfter: 12 }))
  const server = await served(servers[0]?.[1](billing({ around })) ?? Promise.reject())
  expect((await server.ask('/clients/7', { headers: key })).headers.connection).toBe('close')
})
