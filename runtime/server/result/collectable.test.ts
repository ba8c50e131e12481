import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type AnyTypes, contractOf } from '../../fixtures/contract.js'
import { served, serveNode } from '../../fixtures/serve.js'
import { createApiOf } from '../../server.js'

type Watch = (params: unknown, context: { readonly signal: AbortSignal }) => AsyncGenerator<unknown>

/** An api with one stream, which is a tool as well, and the codes that `onCall` receives. */
function apiOf(watch: Watch, callMs?: number) {
  const answers = [{ type: 'application/jsonl', kind: 'lines' }] as const
  const contract = contractOf({ watch: { method: 'GET', path: '/watch', answers } })
  Object.assign(contract.operations.watch ?? {}, { tool: { name: 'watch' } })
  const codes: unknown[] = []
  const api = createApiOf<AnyTypes, unknown, unknown, string>(
    { ...contract, mcp: () => ({ mode: 'each', tools: [{ name: 'watch', inputSchema: {} }] }) },
    {
      handlers: { default: { watch } },
      limits: { callMs },
      logger: false,
      onCall: ({ code }) => void codes.push(code),
    },
  )
  return { api, codes }
}

/** Of the streams that have begun: one that is late before it begins has nothing to end. */
let begun = 0
let ended = 0

/** Streams that do not end, and what they do when their call does. */
const endless: [string, Watch][] = [
  [
    'ignores its signal',
    async function* () {
      begun += 1
      try {
        for (;;) {
          yield { n: 1 }
          await sleep(5)
        }
      } finally {
        ended += 1
      }
    },
  ],
  [
    'never waits',
    async function* () {
      begun += 1
      try {
        for (;;) yield new Uint8Array()
      } finally {
        ended += 1
      }
    },
  ],
  [
    'returns at its signal',
    async function* (_, { signal }) {
      begun += 1
      try {
        yield { n: 1 }
        if (!signal.aborted) await once(signal, 'abort')
      } finally {
        ended += 1
      }
    },
  ],
  [
    'throws at its signal',
    async function* (_, { signal }) {
      begun += 1
      try {
        yield { n: 1 }
        await sleep(60_000, undefined, { signal })
      } finally {
        ended += 1
      }
    },
  ],
]

describe.each(endless)('a collected stream that %s', (_, watch) => {
  it('is unavailable after the time of its call, over each protocol', async () => {
    begun = 0
    ended = 0
    const { api, codes } = apiOf(watch, 30)
    const server = await served(serveNode(api))
    const call = { jsonrpc: '2.0', id: 7, method: 'watch' }
    const late = { code: -32003, data: { code: 'unavailable', detail: 'The call did not end within 30 ms.' } }
    expect((await server.rpc(call)).json).toMatchObject({ id: 7, error: late })
    expect((await server.rpc([call])).json).toMatchObject([{ id: 7, error: late }])
    await server.rpc({ jsonrpc: '2.0', method: 'watch' })
    const params = { name: 'watch', arguments: {} }
    const tool = await server.ask('/mcp', {
      method: 'POST',
      body: { jsonrpc: '2.0', id: 7, method: 'tools/call', params },
    })
    expect(tool.json).toMatchObject({ id: 7, result: { isError: true } })
    const port = await api.port('x-lines').call({ operation: 'watch', params: '{}' })
    expect(port).toMatchObject({ problem: late.data })
    await expect(api.call('watch', {})).rejects.toMatchObject({ code: 'unavailable' })
    await expect.poll(() => begun - ended).toBe(0)
    expect(ended).toBeGreaterThan(0)
    expect(codes).toEqual(Array.from({ length: 6 }, () => 'unavailable'))
  })
})

it.each(endless.filter(([name]) => name !== 'never waits'))(
  'a collected stream that %s fails when its caller is gone',
  async (_, watch) => {
    ended = 0
    const { api, codes } = apiOf(watch)
    const caller = new AbortController()
    const answer = api.port('x-lines').call({ operation: 'watch', params: '{}', signal: caller.signal })
    setTimeout(() => caller.abort(), 10)
    expect((await answer).problem?.code).toBe('internal_error')
    await expect.poll(() => ended).toBe(1)
    expect(codes).toEqual(['internal_error'])
  },
)

it('a stream that is sent in pieces may outlast the time of a call', async () => {
  const { api, codes } = apiOf(async function* (_, context) {
    yield { n: 1 }
    await sleep(40)
    if (!context.signal.aborted) yield { n: 2 }
  }, 20)
  const server = await served(serveNode(api))
  const response = await fetch(`http://127.0.0.1:${server.port}/watch`)
  expect(await response.text()).toBe('{"n":1}\n{"n":2}\n')
  const events = { Accept: 'text/event-stream' }
  const { text } = await server.rpc({ jsonrpc: '2.0', id: 7, method: 'watch' }, events)
  expect(text).toMatch(/\{"n":2\}\}\n\nevent: end/)
  expect(codes).toEqual([undefined, undefined])
})
