// @module-tag long

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type RunningService, startService } from '../service-process.js'
import { call, rpc, send } from './target.js'

describe('an overloaded node', () => {
  let service: RunningService
  let headers: Record<string, string>
  const login = (index: number) => ({ login: `nobody-${index}`, password: 'a guess of many' })
  const signIn = (index: number, address: string) =>
    send(service.url, '/iam/auth/jwt/authenticate', {
      method: 'POST',
      headers: { 'x-forwarded-for': address },
      body: login(index),
    })
  beforeAll(async () => {
    service = await startService({
      MAX_IN_FLIGHT: '8',
      CALL_TIMEOUT: '1',
      TRUST_PROXY: '1',
      ANONYMOUS_LIMIT: '0',
    })
    headers = { 'x-api-key': service.user('reseller-a').apiKey }
  })
  afterAll(async () => {
    await service?.stop()
    service?.remove()
  })

  /** Opens a connection that reads nothing. */
  async function open() {
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    await once(socket, 'connect')
    onTestFinished(() => void socket.destroy())
    return socket.pause()
  }

  const isFull = async () => (await send(service.url, '/clients/1', { headers })).status === 503
  const staysFull = async () => {
    if (!(await isFull())) return false
    await delay(100)
    return isFull()
  }

  /**
   * Sends calls one at a time until the answers exceed the kernel's buffers. Uses eight connections, since the service
   * reads no more from one on which an answer waits.
   */
  async function fill(
    sockets: readonly Socket[],
    isDone: () => Promise<boolean>,
    target: string,
    head = '',
    body = '',
  ) {
    const request = `${target} HTTP/1.1\r\nHost: localhost\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`
    for (let index = 0; index < 5_000; index++) {
      sockets[index % sockets.length]?.write(request)
      await delay(2)
      if (await isDone()) return
    }
    throw new Error('The kernel takes all answers')
  }

  test('refuses calls over both protocols, answers probes, and recovers', async () => {
    const slow = Array.from({ length: 8 }, (_, index) => signIn(index, `192.0.2.${index}`))
    const rest = await untilStatus(503, () => send(service.url, '/clients/1', { headers }))
    expect(rest.headers['retry-after']).toBe('1')
    expect(rest.json).toMatchObject({ status: 503, code: 'unavailable', retryAfter: 1 })
    const answer = await untilStatus(503, () => rpc(service.url, call('clients.get', { id: 1 }), headers))
    expect(answer.headers['retry-after']).toBe('1')
    expect(answer.json).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32003, data: { code: 'unavailable', retryAfter: 1 } },
    })
    expect((await send(service.url, '/healthz')).status).toBe(200)
    expect((await send(service.url, '/readyz')).status).toBe(200)
    await Promise.all(slow)
    expect((await send(service.url, '/clients/1', { headers })).status).toBe(200)
    const { text } = await send(service.url, '/metrics')
    expect(text).toMatch(/^billing_shed_total\{reason="in_flight"\} [1-9]/m)
    // The one in progress is the request for the metrics.
    expect(text).toMatch(/^billing_requests_in_flight 1$/m)
  })

  test('keeps half of its capacity for others if one address floods it', async () => {
    const slow = Array.from({ length: 8 }, (_, index) => signIn(index, '192.0.2.1'))
    const first = await Promise.race(slow)
    expect([first.status, first.json.code, first.headers['retry-after']]).toEqual([503, 'unavailable', '1'])
    const others = await Promise.all([1, 2].map(() => send(service.url, '/clients/1', { headers })))
    expect(others.map(({ status }) => status)).toEqual([200, 200])
    await Promise.all(slow)
    const { text } = await send(service.url, '/metrics')
    expect(text).toMatch(/^billing_shed_total\{reason="share"\} [1-9]/m)
  })

  test('is not ready while it refuses all calls, and ready afterwards', async () => {
    const readiness = () => send(service.url, '/readyz')
    // The call of a user, who has more time to read.
    const rate = call('accounting.currencies.get_rate', { from: 'EUR', to: 'USD' })
    const head = `X-Api-Key: ${headers['x-api-key']}\r\nContent-Type: application/json\r\n`
    const sockets = await Promise.all(Array.from({ length: 8 }, open))
    await fill(sockets, staysFull, 'POST /', head, JSON.stringify([rate, call('rpc.discover', {})]))
    const refused = await untilStatus(503, readiness, 100)
    expect(refused.headers['retry-after']).toBe('1')
    expect(refused.json).toMatchObject({ code: 'unavailable', detail: 'The service is overloaded.' })
    expect((await send(service.url, '/healthz')).status).toBe(200)
    for (const socket of sockets) socket.destroy()
    await untilStatus(200, readiness, 100)
  })

  test('drops unread answers to anonymous callers in favour of others', async () => {
    const sockets = await Promise.all(Array.from({ length: 8 }, open))
    await fill(sockets, isFull, 'GET /reference/reference.js')
    const ask = () => send(service.url, '/clients/1', { headers })
    const start = performance.now()
    await untilStatus(200, ask, 100)
    // Earlier than their time of ten seconds.
    expect(performance.now() - start).toBeLessThan(9_500)
    for (const socket of sockets) socket.destroy()
    const atWork = async () => (await send(service.url, '/metrics')).text
    await expect.poll(atWork).toMatch(/^billing_requests_in_flight 1$/m)
  })

  test('bounds the time of calls and batches', async () => {
    const batch = Array.from({ length: 60 }, (_, index) =>
      call('iam.auth.jwt.authenticate', login(index), index),
    )
    const { json } = await rpc(service.url, batch)
    const codes = new Set(json.map(({ error }: { error: { code: number } }) => error.code))
    // Two are hashed at a time. Those that still wait at the timeout are abandoned, and all get an answer.
    expect(json).toHaveLength(60)
    expect([...codes].every((code) => code === -32001 || code === -32003)).toBe(true)
    expect([...codes]).toContain(-32003)
  })

  test('answers each of a thousand concurrent calls', async () => {
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, () => send(service.url, '/clients/1', { headers })),
    )
    const statuses = new Set(answers.map(({ status }) => status))
    // 408 if this test was too slow to send the head.
    expect([...statuses].filter((status) => ![200, 408, 503].includes(status))).toEqual([])
    expect((await send(service.url, '/clients/1', { headers })).status).toBe(200)
  })
})

/** Repeats a call until it gets this status. */
async function untilStatus(status: number, ask: () => ReturnType<typeof send>, pauseMs = 0) {
  for (let index = 0; index < 50; index++) {
    const answer = await ask()
    if (answer.status === status) return answer
    if (pauseMs > 0) await delay(pauseMs)
  }
  throw new Error(`No answer of status ${status}`)
}
