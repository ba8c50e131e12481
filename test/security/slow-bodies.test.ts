import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningService, startService } from '../service-process.js'
import { call, send } from './target.js'

const rounds = process.env.SECURITY === 'all' ? 8 : 2

describe('bodies that never end', () => {
  let service: RunningService
  let key: string
  beforeAll(async () => {
    service = await startService({ TRUST_PROXY: '1', ANONYMOUS_LIMIT: '0', PROCESSOR_SHARE: '0' })
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

  /** Opens connections with unfinished bodies; what it answers stops that, and says how many there were. */
  function flood(address: string, perSecond: number, framing: string): () => number {
    const sockets = new Set<Socket>()
    const start = performance.now()
    let opened = 0
    const timer = setInterval(() => {
      for (; opened < ((performance.now() - start) * perSecond) / 1_000; opened++) {
        const socket = open()
        sockets.add(socket)
        socket.on('close', () => sockets.delete(socket))
        socket.resume().write(headOf(address, framing))
      }
    }, 5)
    return () => {
      clearInterval(timer)
      for (const socket of sockets) socket.destroy()
      return opened
    }
  }
  /** An honest call that pauses within its body; the status of its answer. */
  async function pausing(address: string, pauseMs: number, isChunked: boolean): Promise<string> {
    const socket = open()
    const body = JSON.stringify(call('clients.get', { id: 1 }))
    const [begin, end] = [body.slice(0, 20), body.slice(20)]
    const framing = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`
    socket.write(headOf(address, `X-Api-Key: ${key}\r\n${framing}`) + (isChunked ? chunk(begin) : begin))
    await delay(pauseMs)
    const answered = once(socket, 'data')
    socket.write(isChunked ? `${chunk(end)}0\r\n\r\n` : end)
    const [answer] = (await Promise.race([answered, once(socket, 'close')])) as unknown[]
    socket.destroy()
    return String(answer)
  }

  test.each([
    ['chunked', 'Transfer-Encoding: chunked'],
    ['announced as long', 'Content-Length: 1048576'],
  ])(
    'from one address and %s let honest ones through that pause for half a second',
    async (_name, framing) => {
      const stop = flood('203.0.113.1', 740, framing)
      await delay(2_000)
      const answers: string[] = []
      // The last is behind the address of the flood: of its bodies the young are spared.
      const addresses = ['198.51.100.1', '198.51.100.2', '203.0.113.1']
      for (let round = 0; round < rounds; round++) {
        const pauses = addresses.flatMap((address) =>
          [200, 500].flatMap((ms) => [pausing(address, ms, true), pausing(address, ms, false)]),
        )
        answers.push(...(await Promise.all(pauses)))
      }
      expect(stop()).toBeGreaterThan(1_500)
      for (const answer of answers) expect(answer).toContain('"result"')
    },
  )

  test.each([
    ['chunked', 'Transfer-Encoding: chunked'],
    ['announced', 'Content-Length: 1048576'],
  ])('and are %s are not kept in memory beyond the bound', { timeout: 60_000 }, async (name, framing) => {
    const memory = async () => {
      const { text } = await send(service.url, '/metrics')
      return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]) / 1_048_576
    }
    await delay(500)
    const before = await memory()
    const sockets = Array.from({ length: 300 }, () => open())
    const head = headOf('203.0.113.2', framing)
    // Nearly as much as a body may have, 285 MiB together.
    const text = 'x'.repeat(19_456)
    const piece = name === 'chunked' ? chunk(text) : text
    for (const socket of sockets) socket.resume().write(head)
    for (let part = 0; part < 50; part++) {
      for (const socket of sockets) if (socket.writable) socket.write(piece)
      await delay(20)
    }
    await delay(500)
    const after = await memory()
    for (const socket of sockets) socket.destroy()
    expect(sockets.filter(({ bytesRead }) => bytesRead > 0).length).toBeGreaterThan(200)
    expect(after - before).toBeLessThan(150)
  })
})
