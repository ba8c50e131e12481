import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, it } from 'vitest'
import { type ReadTimes, UnreadAnswers } from './unread-answers.js'

const long = 'x'.repeat(32 * 1024 * 1024)

describe('answers that nobody reads', () => {
  /** A long answer to any request, whose path names the address of nobody known. */
  const serve = async (times: ReadTimes) => {
    const unread = new UnreadAnswers(times)
    const sockets: Socket[] = []
    const server = createServer(({ url = '' }, response) => {
      response.once('prefinish', () => unread.add(response, url === '/' ? undefined : url))
      response.end(long)
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const { port } = server.address() as AddressInfo
    /** A connection that reads nothing but the first bytes of its answer. */
    const hold = async (path: string) => {
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      sockets.push(socket)
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
      await once(socket, 'data')
      socket.pause()
      return socket
    }
    const stop = async () => {
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    }
    return { unread, port, hold, stop }
  }
  const isEnded = async (socket: Socket) => {
    socket.resume()
    const [hadError] = await Promise.race([once(socket, 'close'), delay(2_000, [undefined])])
    return hadError !== undefined && socket.bytesRead < long.length
  }

  // They wait most of their time, each with a server of its own.
  it.concurrent('end their connections in time, a little read at a time or nothing, and nobody else’s', async ({
    expect,
    onTestFinished,
  }) => {
    const { port, hold, stop } = await serve({ known: 2_000, anonymous: 2_000, spared: 0 })
    onTestFinished(stop)
    const read = await fetch(`http://127.0.0.1:${port}/a`)
    expect((await read.text()).length).toBe(long.length)
    const nothing = await hold('/a')
    const little = await hold('/')
    // So that the connection is never silent.
    little.on('data', () => {
      little.pause()
      setTimeout(() => little.resume(), 50)
    })
    little.resume()
    await once(little, 'close')
    expect(little.bytesRead).toBeLessThan(long.length)
    expect(await isEnded(nothing)).toBe(true)
  })

  it.concurrent('have less time where they are to nobody known', async ({ expect, onTestFinished }) => {
    const { hold, stop } = await serve({ known: 60_000, anonymous: 300, spared: 0 })
    onTestFinished(stop)
    const [known, anonymous] = [await hold('/'), await hold('/a')]
    await delay(1_000)
    expect(await isEnded(anonymous)).toBe(true)
    expect(await isEnded(known)).toBe(false)
  })

  it.concurrent('give way at the address that has most of them, but for the young', async ({
    expect,
    onTestFinished,
  }) => {
    const { unread, hold, stop } = await serve({ known: 60_000, anonymous: 60_000, spared: 1_000 })
    onTestFinished(stop)
    const [known, single, first, second] = [
      ...[await hold('/'), await hold('/a')],
      ...[await hold('/b'), await hold('/b')],
    ]
    await delay(1_200)
    const young = await hold('/b')
    unread.giveWay()
    const ended = await Promise.all(
      [first, second, single, known, young].map((each) => each && isEnded(each)),
    )
    expect(ended).toEqual([true, true, false, false, false])
  })
})
