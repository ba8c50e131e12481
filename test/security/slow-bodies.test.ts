// @module-tag long

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type RunningService, startService } from '../service-process.js'
import { call, send } from './target.js'

const rounds = process.env.SECURITY === 'all' ? 8 : 2
/** Most bodies that may be unfinished at the same time: half of the connections. */
const places = 400

describe('bodies that never end', () => {
  let service: RunningService
  let key: string
  beforeAll(async () => {
    const bounds = { MAX_CONNECTIONS: String(2 * places) }
    service = await startService({ TRUST_PROXY: '1', ANONYMOUS_LIMIT: '0', PROCESSOR_SHARE: '0', ...bounds })
    key = service.user('reseller-a').apiKey
    expect((await send(service.url, '/clients/1', { headers: { 'x-api-key': key } })).status).toBe(200)
  })
  afterAll(async () => {
    await service?.stop()
    service?.remove()
  })

  const open = (): Socket => {
    const { hostname, port } = new URL(service.url)
    return connect(Number(port), hostname).on('error', () => {})
  }
  const headOf = (address: string, more: string) =>
    `POST / HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${address}\r\nContent-Type: application/json\r\n${more}\r\n\r\n`
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

  /** Opens connections with unfinished bodies. Beyond the bound, a new one ends the oldest. */
  class Flood {
    readonly sockets: Socket[] = []
    ended = 0

    constructor(
      readonly address: string,
      readonly framing: string,
    ) {}

    /** Opens `count` more, and waits until those beyond the bound have ended. */
    async rise(count: number): Promise<void> {
      for (let opened = 0; opened < count; opened++) {
        const socket = open().on('close', () => {
          this.ended += 1
        })
        this.sockets.push(socket)
        socket.resume().write(headOf(this.address, this.framing))
      }
      await expect.poll(() => this.ended).toBeGreaterThanOrEqual(this.sockets.length - places)
    }

    stop(): void {
      for (const socket of this.sockets) socket.destroy()
    }
  }
  /** An honest call that pauses within its body. The returned function sends the rest and returns the answer. */
  function pausing(address: string, isChunked: boolean): () => Promise<string> {
    const socket = open()
    const body = JSON.stringify(call('clients.get', { id: 1 }))
    const [begin, end] = [body.slice(0, 20), body.slice(20)]
    const framing = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`
    socket.write(headOf(address, `X-Api-Key: ${key}\r\n${framing}`) + (isChunked ? chunk(begin) : begin))
    const answered = Promise.race([once(socket, 'data'), once(socket, 'close')])
    return async () => {
      socket.write(isChunked ? `${chunk(end)}0\r\n\r\n` : end)
      const [answer] = (await answered) as unknown[]
      socket.destroy()
      return String(answer)
    }
  }

  test.each([
    ['chunked', 'Transfer-Encoding: chunked'],
    ['announced as long', 'Content-Length: 1048576'],
  ])('from one address and %s let honest ones through that pause', async (_name, framing) => {
    const flood = new Flood('203.0.113.1', framing)
    onTestFinished(() => flood.stop())
    await flood.rise(places + 100)
    for (let round = 0; round < rounds; round++) {
      const begin = (address: string) => [true, false].map((isChunked) => pausing(address, isChunked))
      const others = ['198.51.100.1', '198.51.100.2'].flatMap(begin)
      // At the flood's own address, young bodies survive.
      const own = begin(flood.address)
      await flood.rise(places / 2)
      for (const finish of own) expect(await finish()).toContain('"result"')
      await flood.rise(2 * places)
      for (const finish of others) expect(await finish()).toContain('"result"')
    }
  })

  test.each([
    ['chunked', 'Transfer-Encoding: chunked'],
    ['announced', 'Content-Length: 1048576'],
  ])('and are %s are not kept in memory beyond the bound', async (name, framing) => {
    const memory = async () => {
      const { text } = await send(service.url, '/metrics')
      return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]) / 1_048_576
    }
    await delay(500)
    const before = await memory()
    const sockets = Array.from({ length: 300 }, () => open())
    const head = headOf('203.0.113.2', framing)
    // Each is near the bound of a body. Together they have 285 MiB.
    const text = 'x'.repeat(19_456)
    const piece = name === 'chunked' ? chunk(text) : text
    for (const socket of sockets) socket.resume().write(head)
    for (let part = 0; part < 50; part++) {
      for (const socket of sockets) if (socket.writable) socket.write(piece)
      await delay(20)
    }
    const refused = () => sockets.filter(({ bytesRead }) => bytesRead > 0).length
    await expect.poll(refused).toBeGreaterThan(200)
    const after = await memory()
    for (const socket of sockets) socket.destroy()
    expect(after - before).toBeLessThan(150)
  })
})
