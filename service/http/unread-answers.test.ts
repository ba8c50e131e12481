// @module-tag long

import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ReadTimes, UnreadResponses } from './unread-answers.js'

const long = 'x'.repeat(32 * 1024 * 1024)

describe('unread answers', () => {
  let stop: () => Promise<void>
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(async () => {
    vi.useRealTimers()
    await stop()
  })

  /** Serves a long answer to any request. The path names the address of an anonymous caller. */
  const serve = async (times: ReadTimes) => {
    const unread = new UnreadResponses(times)
    const sockets: Socket[] = []
    let last: ServerResponse | undefined
    const server = createServer(({ url = '' }, response) => {
      last = response
      response.once('prefinish', () => unread.add(response, url === '/' ? undefined : url))
      response.end(long)
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const { port } = server.address() as AddressInfo
    /** Opens a connection that reads only the first bytes of its answer, and tracks whether the server has ended it. */
    const hold = async (path: string) => {
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      sockets.push(socket)
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
      await once(socket, 'data')
      socket.pause()
      const { socket: served } = last ?? {}
      return { socket, isEnded: () => served?.destroyed }
    }
    stop = async () => {
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    }
    return { unread, port, hold }
  }

  it('end only their own connections in time, read slowly or not at all', async () => {
    const { port, hold } = await serve({ known: 2_000, anonymous: 2_000, spared: 0 })
    const nothing = await hold('/a')
    const little = await hold('/')
    const isEnded = () => [nothing, little].map((each) => each.isEnded())
    vi.advanceTimersByTime(1_000)
    // Keeps the connection from being silent.
    await once(little.socket.resume(), 'data')
    little.socket.pause()
    vi.advanceTimersByTime(999)
    expect(isEnded()).toEqual([false, false])
    vi.advanceTimersByTime(1)
    expect(isEnded()).toEqual([true, true])
    const read = await fetch(`http://127.0.0.1:${port}/a`)
    expect((await read.text()).length).toBe(long.length)
  })

  it('have less time if the caller has no good credentials', async () => {
    const { hold } = await serve({ known: 60_000, anonymous: 300, spared: 0 })
    const [known, anonymous] = [await hold('/'), await hold('/a')]
    vi.advanceTimersByTime(300)
    expect([known.isEnded(), anonymous.isEnded()]).toEqual([false, true])
    vi.advanceTimersByTime(60_000)
    expect(known.isEnded()).toBe(true)
  })

  it('are dropped at the address with most of them, except young ones', async () => {
    const { unread, hold } = await serve({ known: 60_000, anonymous: 60_000, spared: 1_000 })
    const old = [await hold('/b'), await hold('/b'), await hold('/a'), await hold('/')]
    vi.advanceTimersByTime(1_000)
    const young = await hold('/b')
    unread.giveWay()
    expect([...old, young].map((each) => each.isEnded())).toEqual([true, true, false, false, false])
  })
})
