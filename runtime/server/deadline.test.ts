import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { billing, handlers, key } from '../fixtures/billing.js'
import { served, serveNode } from '../fixtures/serve.js'

const slow = (any: (params: unknown, context: { signal: AbortSignal }) => unknown) =>
  billing({ handlers: { ...handlers, echo: { any } }, limits: { callMs: 50 } })

describe('a call that exceeds its time', () => {
  test('is answered with unavailable over both protocols, and its signal aborts', async () => {
    const signals: AbortSignal[] = []
    const server = await served(
      serveNode(
        slow(async (_, { signal }) => {
          signals.push(signal)
          await delay(10_000, undefined, { signal })
        }),
      ),
    )
    const rest = await server.ask('/echo', { method: 'POST', body: {} })
    expect([rest.status, rest.json]).toMatchObject([
      503,
      { code: 'unavailable', detail: 'The call did not end within 50 ms.' },
    ])
    const { json } = await server.rpc({ jsonrpc: '2.0', id: 7, method: 'echo.any', params: {} })
    expect(json).toMatchObject({ id: 7, error: { code: -32003, data: { code: 'unavailable' } } })
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
  })

  test('leaves a line in the log with its operation and its request', async () => {
    const lines: unknown[] = []
    const api = billing({
      handlers: { ...handlers, echo: { any: () => new Promise(() => {}) } },
      limits: { callMs: 50 },
      logger: { error: () => {}, warn: (details: object, message: string) => lines.push(details, message) },
    })
    lines.splice(0) // the warning of the operation without a handler
    const server = await served(serveNode(api))
    await server.ask('/echo', { method: 'POST', body: {}, headers: { 'X-Request-Id': 'r-1' } })
    expect(lines).toEqual([
      { operation: 'echo.any', protocol: 'rest', requestId: 'r-1' },
      'The call did not end within 50 ms.',
    ])
  })

  test('has an aborted signal if its handler asks late', async () => {
    let signal: AbortSignal | undefined
    const api = slow(async (_, context) => {
      await delay(80)
      signal = context.signal
    })
    await expect(api.call('echo.any', {})).rejects.toMatchObject({ code: 'unavailable' })
    await expect.poll(() => signal?.aborted).toBe(true)
  })

  test('is unavailable too if its handler throws at an aborted signal', async () => {
    const api = slow(async (_, context) => {
      const end = performance.now() + 80
      while (performance.now() < end);
      await delay(10_000, undefined, { signal: context.signal })
    })
    await expect(api.call('echo.any', {})).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('includes slow authentication', async () => {
    const api = billing({ authenticate: () => new Promise(() => {}), limits: { callMs: 50 } })
    const server = await served(serveNode(api))
    expect((await server.ask('/clients/7', { headers: key })).json).toMatchObject({ code: 'unavailable' })
  })

  test('does no harm when its handler fails afterwards', async () => {
    const api = slow(async () => {
      await delay(80)
      throw new Error('late')
    })
    await expect(api.call('echo.any', {})).rejects.toMatchObject({ code: 'unavailable' })
    await delay(80)
  })
})

test('a call that ends in time is answered normally, synchronous or not', async () => {
  expect(await slow(async () => ({ waited: true })).call('echo.any', {})).toEqual({ waited: true })
  expect(await slow(() => ({ waited: false })).call('echo.any', {})).toEqual({ waited: false })
})

test('the calls of a batch share the time, and those that have not begun by then never run', {
  tags: 'long',
}, async () => {
  const begun: unknown[] = []
  const server = await served(
    serveNode(
      billing({
        handlers: {
          ...handlers,
          echo: {
            any: async (params: unknown) => {
              begun.push(params)
              return begun.length === 1 ? {} : await new Promise(() => {})
            },
          },
        },
        limits: { callMs: 1_000, batchParallel: 1 },
      }),
    ),
  )
  const batch = Array.from({ length: 10 }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'echo.any',
    params: { id },
  }))
  const { json } = await server.rpc(batch)
  expect(
    json.map(({ result, error }: CallOutcome) => (result === undefined ? error?.data.detail : 'made')),
  ).toEqual([
    'made',
    'The call did not end within 1000 ms.',
    ...Array.from(
      { length: 8 },
      () => 'Earlier calls of the batch used all of its 1000 ms. This one was not started.',
    ),
  ])
  expect(json.at(-1)).toMatchObject({ id: 9, error: { code: -32003, data: { retryAfter: 1 } } })
  expect(begun).toHaveLength(2)
})

interface CallOutcome {
  readonly result?: unknown
  readonly error?: { readonly data: { readonly detail: string } }
}
