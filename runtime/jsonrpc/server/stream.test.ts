import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ProblemError } from '../../contract/problem.js'
import { contractOf } from '../../fixtures/contract.js'
import { served as untilEnd } from '../../fixtures/serve.js'
import { servers } from '../../fixtures/servers.js'
import type { Limits } from '../../server/api/limits.js'
import { createApiOf } from '../../server.js'

const lines = { type: 'application/jsonl', kind: 'lines' } as const

/** An api whose only stream is what the handler returns. */
function apiOf(
  watch: (params: unknown, context: { readonly signal: AbortSignal }) => unknown,
  limits: Partial<Limits> = {},
) {
  const contract = contractOf({
    watch: { method: 'GET', path: '/watch', answers: [lines, { type: 'application/json', kind: 'json' }] },
  })
  return createApiOf(contract, { handlers: { default: { watch } }, limits, logger: false })
}

function signalled(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

const call = { jsonrpc: '2.0', id: 7, method: 'watch' }
const events = { Accept: 'application/json, text/event-stream' }

const bytes = (text: string) => new TextEncoder().encode(text)

async function* count() {
  for (const n of [1, 2]) yield { n }
}

describe.each(servers)('a stream over JSON-RPC under %s', (_, serve) => {
  it('is a response for each piece, and a last one without', async () => {
    const served = await untilEnd(serve(apiOf(count)))
    const { status, headers, text } = await served.rpc(call, events)
    expect([status, headers['content-type'], headers['x-accel-buffering']]).toEqual([
      200,
      'text/event-stream',
      'no',
    ])
    expect(text).toBe(
      [
        'data: {"jsonrpc":"2.0","id":7,"result":{"n":1}}',
        'data: {"jsonrpc":"2.0","id":7,"result":{"n":2}}',
        'event: end\ndata: {"jsonrpc":"2.0","id":7,"result":null}',
        '',
      ].join('\n\n'),
    )
  })

  it.each([{}, { Accept: 'application/json' }, { Accept: 'text/event-stream;q=0' }, { Accept: '*/*' }])(
    'is one result for a caller that does not name events: %j',
    async (headers) => {
      const served = await untilEnd(serve(apiOf(count)))
      expect((await served.rpc(call, headers)).json).toEqual({
        jsonrpc: '2.0',
        id: 7,
        result: '{"n":1}\n{"n":2}\n',
      })
    },
  )

  it('is one result in a batch', async () => {
    const served = await untilEnd(serve(apiOf(count)))
    expect((await served.rpc([call], events)).json).toEqual([
      { jsonrpc: '2.0', id: 7, result: '{"n":1}\n{"n":2}\n' },
    ])
  })

  it('runs to its end for a notification, which has no response', async () => {
    const run: number[] = []
    const served = await untilEnd(
      serve(
        apiOf(async function* () {
          for await (const piece of count()) {
            run.push(piece.n)
            yield piece
          }
        }),
      ),
    )
    const { id: _, ...notification } = call
    const { status, text } = await served.rpc(notification, events)
    expect([status, text, run]).toEqual([204, '', [1, 2]])
  })

  it('ends with the error of its handler', async () => {
    const served = await untilEnd(
      serve(
        apiOf(async function* () {
          yield { n: 1 }
          throw new ProblemError('not_found', { detail: 'No more.' })
        }),
      ),
    )
    const { text } = await served.rpc(call, events)
    const [, last = ''] = text.split('\n\n')
    expect(last.split('\n')[0]).toBe('event: error')
    expect(JSON.parse(last.slice(last.indexOf('{')))).toMatchObject({
      id: 7,
      error: { code: -32004, data: { code: 'not_found', detail: 'No more.' } },
    })
  })

  it('has no event if the call fails before', async () => {
    const served = await untilEnd(
      serve(
        apiOf(() => {
          throw new ProblemError('not_found')
        }),
      ),
    )
    expect((await served.rpc(call, events)).json).toMatchObject({ id: 7, error: { code: -32004 } })
  })

  it('reads the pieces that a handler writes as bytes itself', async () => {
    const served = await untilEnd(
      serve(
        apiOf(async function* () {
          yield { n: 1 }
          yield bytes('{"n":2}\n{"n"')
          yield bytes(':3}\n')
          yield { n: 4 }
        }),
      ),
    )
    const { text } = await served.rpc(call, events)
    expect(text.match(/"result":[^\n]*/g)).toEqual([
      '"result":{"n":1}}',
      '"result":{"n":2}}',
      '"result":{"n":3}}',
      '"result":{"n":4}}',
      '"result":null}',
    ])
  })

  it('gives an event the id of its piece', async () => {
    const served = await untilEnd(
      serve(
        apiOf(async function* () {
          yield { id: 'a-1', data: 'x' }
          yield { id: 'two\nlines', data: 'y' }
        }),
      ),
    )
    const { text } = await served.rpc(call, events)
    expect(text.match(/^id: .*$/gm)).toEqual(['id: a-1'])
  })

  it('ends when it has nothing to send for too long, and so does its handler', async () => {
    const ended = signalled()
    const served = await untilEnd(
      serve(
        apiOf(
          async function* (_, { signal }) {
            yield { n: 1 }
            await once(signal, 'abort')
            ended.resolve()
          },
          { streamIdleMs: 50 },
        ),
      ),
    )
    const { text } = await served.rpc(call, events)
    expect(text).toContain('The stream had nothing to send for 50 ms.')
    await ended.promise
  })

  it('ends when its time is over', async () => {
    const served = await untilEnd(
      serve(
        apiOf(
          async function* () {
            for (;;) {
              yield { n: 1 }
              await sleep(5)
            }
          },
          { streamMs: 60 },
        ),
      ),
    )
    expect((await served.rpc(call, events)).text).toContain('The stream did not end within 60 ms.')
  })

  it('has comments while it has nothing to send', async () => {
    const served = await untilEnd(
      serve(
        apiOf(
          async function* () {
            await sleep(60)
            yield { n: 1 }
          },
          { streamKeepAliveMs: 10 },
        ),
      ),
    )
    expect((await served.rpc(call, events)).text).toMatch(/^(?::\n)+data: /)
  })
})

describe('a stream of events over REST', () => {
  it('has no comment within a line that its handler has begun', async () => {
    const contract = contractOf({
      watch: { method: 'GET', path: '/watch', answers: [{ type: 'text/event-stream', kind: 'events' }] },
    })
    async function* watch() {
      yield bytes('data: {"n"')
      await sleep(60)
      yield bytes(':1}\n')
      await sleep(60)
      yield bytes('\n')
    }
    const limits = { streamKeepAliveMs: 10 }
    const api = createApiOf(contract, { handlers: { default: { watch } }, limits, logger: false })
    for (const [, serve] of servers) {
      const served = await untilEnd(serve(api))
      expect((await served.ask('/watch')).text).toMatch(/^data: \{"n":1\}\n(?::\n)+\n$/)
    }
  })
})

describe('the connection of a stream', () => {
  async function serverOf(api: ReturnType<typeof apiOf>): Promise<number> {
    const server = createServer(api.node()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    return (server.address() as AddressInfo).port
  }
  const body = JSON.stringify(call)
  const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length, ...events }

  it('ends the handler when the caller hangs up', async () => {
    const ended = signalled()
    const port = await serverOf(
      apiOf(async function* (_, { signal }) {
        try {
          yield { n: 1 }
          await once(signal, 'abort')
        } finally {
          ended.resolve()
        }
      }),
    )
    const sent = request({ port, method: 'POST', path: '/', headers })
    sent.on('error', () => {})
    sent.end(body)
    const [response] = await once(sent, 'response')
    await once(response, 'data')
    sent.destroy()
    await ended.promise
  })
})
