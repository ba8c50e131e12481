import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { TrackedRequest } from './tracked-request.js'
import { type BodyBounds, UnfinishedBodies } from './unfinished-bodies.js'

const kibibyte = 1_024
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

describe('arriving bodies', () => {
  let server: Server
  let sockets: Socket[] = []
  let given: string[] = []
  let here: string[] = []
  /** Bytes in memory of arriving bodies, by path. */
  let kept = new Map<string, number>()
  let most = 0
  afterEach(async () => {
    for (const socket of sockets) socket.destroy()
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  })

  const serve = async (bounds: BodyBounds) => {
    ;[sockets, given, here, kept, most] = [[], [], [], new Map(), 0]
    const pathOf = ({ url = '' }: IncomingMessage) => url
    const addressOf = ({ url = '' }: IncomingMessage) => url.slice(1, 2)
    const bodies = new UnfinishedBodies(bounds, addressOf, (request) => {
      given.push(pathOf(request))
      kept.delete(pathOf(request))
      request.destroy()
    })
    server = createServer({ IncomingMessage: TrackedRequest }, (request, response) => {
      const path = pathOf(request)
      kept.set(path, 0)
      bodies.add(request, () => {
        here.push(path)
        kept.delete(path)
      })
      if (path.endsWith('unread')) return
      request.on('error', () => {})
      request.on('data', ({ length }: Buffer) => {
        if (kept.has(path)) kept.set(path, (kept.get(path) ?? 0) + length)
        most = Math.max(
          most,
          [...kept.values()].reduce((sum, each) => sum + each, 0),
        )
      })
      request.once('end', () => response.end(path))
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  }
  /** Begins a request. The first letter of its path is its address. */
  const begin = async (path: string, framing = 'Transfer-Encoding: chunked', body = '') => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    sockets.push(socket)
    socket.on('error', () => {})
    socket.write(`POST /${path} HTTP/1.1\r\nHost: localhost\r\n${framing}\r\n\r\n${body}`)
    await expect
      .poll(() => kept.has(`/${path}`) || given.includes(`/${path}`) || here.includes(`/${path}`))
      .toBe(true)
    return socket
  }

  it('are bounded in number: the oldest of the address with most is dropped', async () => {
    await serve({ bodies: 4, bytes: 1_000 * kibibyte })
    for (const path of ['b1', 'a1', 'a2', 'a3']) await begin(path)
    expect(given).toEqual([])
    await begin('c1')
    expect(given).toEqual(['/a1'])
    await begin('c2')
    // Both addresses have two, so the one with the older body.
    expect(given).toEqual(['/a1', '/a2'])
    await begin('d1')
    await begin('e1')
    expect(given).toEqual(['/a1', '/a2', '/c1', '/b1'])
  })

  it('count by received bytes, not by their announced length', { tags: 'long' }, async () => {
    await serve({ bodies: 100, bytes: 100 * kibibyte })
    for (let index = 0; index < 20; index++) {
      await begin(`a${index}`, 'Content-Length: 1048576', '{')
      await begin(`b${index}`, 'Transfer-Encoding: chunked', chunk('{'))
    }
    expect(given).toEqual([])
  })

  it('are bounded in memory: the longest of the largest sender is dropped', async () => {
    await serve({ bodies: 100, bytes: 512 * kibibyte })
    const short = await begin('a-short', undefined, chunk('{'))
    const other = await begin('b-other', undefined, chunk('x'.repeat(60 * kibibyte)))
    const long = await Promise.all(Array.from({ length: 20 }, (_, index) => begin(`a${index}`)))
    for (let round = 0; round < 30; round++) {
      for (const socket of long) if (socket.writable) socket.write(chunk('x'.repeat(20 * kibibyte)))
      await delay(5)
    }
    await expect.poll(() => given.length).toBeGreaterThan(10)
    expect(given.filter((path) => !/^\/a\d+$/.test(path))).toEqual([])
    expect(most).toBeLessThanOrEqual(512 * kibibyte)
    expect(most).toBeGreaterThan(256 * kibibyte)
    for (const socket of [short, other]) {
      socket.write('0\r\n\r\n')
      const [answer] = await once(socket, 'data')
      expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /)
    }
  })

  it('in many small pieces count with the memory of each piece', async () => {
    await serve({ bodies: 100, bytes: 1_000 * kibibyte })
    await begin('b1', undefined, chunk('x'.repeat(1_000)))
    const socket = await begin('a1', undefined, chunk('x'))
    socket.write(chunk('x').repeat(900))
    await delay(100)
    expect(given).toEqual([])
    socket.write(chunk('x').repeat(200))
    await expect.poll(() => given).toEqual(['/a1'])
  })

  it('are complete with their last byte, read or not, and at once if empty', async () => {
    await serve({ bodies: 2, bytes: 1_000 * kibibyte })
    await begin('a-none', 'X: x')
    await begin('a-with-head', 'Content-Length: 2', '{}')
    const unread = await begin('a-unread', 'Content-Length: 2', '{')
    const read = await begin('a-read', undefined, chunk('{'))
    expect(here).toEqual(['/a-none', '/a-with-head'])
    unread.write('}')
    await expect.poll(() => here.length).toBe(3)
    read.write(`${chunk('}')}0\r\n\r\n`)
    await expect.poll(() => here.length).toBe(4)
    expect(here.slice(2)).toEqual(['/a-unread', '/a-read'])
    // Closed ones do not count.
    for (const path of ['a1', 'a2']) (await begin(path)).destroy()
    await delay(50)
    for (const path of ['b1', 'b2']) await begin(path)
    expect(given).toEqual([])
  })
})
