import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CallEvent } from 'duet-runtime'
import { expect, it } from 'vitest'
import { createProbe } from './probes.js'

it('shares one readiness query among concurrent probes, and asks again afterwards', async () => {
  let pings = 0
  let answer = () => {}
  const probe = createProbe({
    metrics: undefined as never,
    state: () => 'serving',
    overload: { isLasting: false },
    onRefusal: () => {},
    ping: () => {
      pings += 1
      return new Promise((resolve) => {
        answer = resolve
      })
    },
  })
  const server = createServer((request, response) => void probe(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const ask = async () => {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/readyz`)
    await response.text()
    return response.status
  }
  let requests = 0
  server.on('request', () => {
    requests += 1
  })
  const asked = [ask(), ask(), ask()]
  await expect.poll(() => requests).toBe(3)
  expect(pings).toBe(1)
  answer()
  expect(await Promise.all(asked)).toEqual([200, 200, 200])
  const later = ask()
  await expect.poll(() => pings).toBe(2)
  answer()
  expect(await later).toBe(200)
  server.close()
})

it('reports every refusal of a probe with the request id of its response, and no other response', async () => {
  const refused: CallEvent<never>[] = []
  let state: 'draining' | 'serving' = 'serving'
  const overload = { isLasting: false }
  let ping = async () => {}
  const probe = createProbe({
    metrics: undefined as never,
    state: () => state,
    overload,
    onRefusal: (event) => refused.push(event),
    ping: () => ping(),
  })
  const server = createServer((request, response) => void probe(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const ask = async (path: string, method = 'GET') => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
    const response = await fetch(url, { method })
    const requestId = response.headers.get('x-request-id')
    const event = refused.shift()
    expect(event?.requestId).toBe(event === undefined ? undefined : requestId)
    return [response.status, event?.code]
  }
  expect(await ask('/readyz')).toEqual([200, undefined])
  expect(await ask('/healthz', 'OPTIONS')).toEqual([204, undefined])
  expect(await ask('/healthz', 'DELETE')).toEqual([405, 'method_not_allowed'])
  ping = () => Promise.reject(new Error('gone'))
  expect(await ask('/readyz')).toEqual([503, 'unavailable'])
  overload.isLasting = true
  expect(await ask('/readyz')).toEqual([503, 'unavailable'])
  state = 'draining'
  expect(await ask('/readyz')).toEqual([503, 'unavailable'])
  expect(await ask('/healthz')).toEqual([200, undefined])
  expect(refused).toEqual([])
  server.close()
})
