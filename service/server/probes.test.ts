import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { createProbe } from './probes.js'

it('readiness is asked of the database once for all who ask meanwhile, and anew afterwards', async () => {
  let pings = 0
  let answer = () => {}
  const probe = createProbe({
    metrics: undefined as never,
    state: () => 'serving',
    overload: { isLasting: false },
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
