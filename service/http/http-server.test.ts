import { once } from 'node:events'
import { request as send } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { closeAll, open } from '../testing/http-server.js'
import { limits } from './http-server.js'

describe('the HTTP server', () => {
  afterEach(closeAll)

  it('opens a free port', async () => {
    const server = await open()
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/)
  })

  it('answers 503 until it serves, except to probes', async () => {
    const server = await open()
    const early = await fetch(`${server.url}/clients/1`)
    expect(early.status).toBe(503)
    expect(early.headers.get('retry-after')).toBe('1')
    expect(early.headers.get('content-type')).toBe('application/problem+json')
    expect(await early.json()).toMatchObject({
      status: 503,
      code: 'unavailable',
      detail: 'The service is starting.',
    })
    expect(await (await fetch(`${server.url}/probe`)).text()).toBe('probed')
    server.serve((_request, response) => response.end('served'))
    expect(await (await fetch(server.url)).text()).toBe('served')
  })

  it('knows the address of a client that has gone', async () => {
    const server = await open()
    const gone = new Promise<string | undefined>((resolve) => {
      server.serve(({ socket }) => socket.once('close', () => resolve(socket.remoteAddress)))
    })
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    setTimeout(() => socket.resetAndDestroy(), 50)
    expect(await gone).toBe('127.0.0.1')
  })

  it('refuses a port that is in use, in one line', async () => {
    const port = Number(new URL((await open()).url).port)
    await expect(open({ host: '127.0.0.1', port })).rejects.toMatchObject({
      exitCode: 1,
      lines: [`PORT ${port} on HOST 127.0.0.1 is in use by another process`],
    })
  })

  it('refuses a host that it can’t listen on, in one line', async () => {
    await expect(open({ host: '203.0.113.7', port: 0 })).rejects.toMatchObject({
      exitCode: 1,
      lines: [expect.stringMatching(/^Cannot listen on HOST 203\.0\.113\.7: /)],
    })
  })

  it('refuses an unknown host name as wrong configuration', async () => {
    await expect(open({ host: 'no-such-host.invalid', port: 0 })).rejects.toMatchObject({
      exitCode: 2,
      lines: [expect.stringMatching(/^Cannot listen on HOST no-such-host\.invalid: getaddrinfo /)],
    })
  })

  it('keeps all header lines, many or repeated', async () => {
    const server = await open()
    server.serve(({ headers }, response) => response.end(`${headers.authorization} ${headers['x-last']}`))
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    const lines = `${'a:1\r\n'.repeat(1_500)}Authorization: a\r\nAuthorization: b\r\nX-Last: c\r\n`
    socket.write(`GET / HTTP/1.1\r\nHost: a\r\n${lines}\r\n`)
    expect(String((await once(socket, 'data'))[0])).toMatch(/a, b c$/)
    socket.destroy()
  })

  it('closes the socket of a missing body after at most 30 seconds', async () => {
    expect(limits).toMatchObject({ requestTimeout: 30_000, headersTimeout: 10_000 })
    const slow = { requestTimeout: 100, headersTimeout: 100, connectionsCheckingInterval: 20 }
    const server = await open(undefined, slow)
    server.serve((request, response) => request.resume().once('end', () => response.end('served')))
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    let received = ''
    socket.on('data', (data) => {
      received += data
    })
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{')
    await once(socket, 'close')
    expect(received).toMatch(/^HTTP\/1\.1 408 /)
  })

  it.each([
    ['chunked', 'Transfer-Encoding: chunked', true],
    ['longer than 1 MiB', 'Content-Length: 1048577', true],
    ['of 1 MiB', 'Content-Length: 1048576', false],
  ])('closes the connection with an answer that comes before a body %s', async (_name, header, closes) => {
    const server = await open()
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    let received = ''
    socket.on('data', (data) => {
      received += data
    })
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`)
    await expect.poll(() => received).toMatch(/^HTTP\/1\.1 503 /)
    expect(/^connection: close\r$/im.test(received)).toBe(closes)
    socket.destroy()
  })

  it('asks for a waiting body only if it is read, and keeps answering', async () => {
    const server = await open()
    server.serve((request, response) => {
      if (request.url === '/head') response.writeHead(415).end()
      else request.once('end', () => response.end('read')).on('data', () => {})
    })
    const exchange = async (path: string) => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      let received = ''
      let isAsked = false
      socket.on('data', (data) => {
        received += data
        if (isAsked || !received.includes('100 Continue')) return
        isAsked = true
        socket.write('{}')
      })
      socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n`)
      await expect.poll(() => received).toMatch(/^HTTP\/1\.1 (200|415)/m)
      socket.destroy()
      return received
    }
    expect(await exchange('/read')).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 .*keep-alive/s)
    const refused = await exchange('/head')
    expect(refused).toMatch(/^HTTP\/1\.1 415 /)
    expect(refused).toMatch(/^connection: close\r$/im)
  })

  it.each([
    ['malformed bytes', 'no request\r\n\r\n'],
    ['a body that is malformed', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
    ['CONNECT', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('answers the calls before %s on a connection, and closes it', async (_name, bytes) => {
    const server = await open()
    const ends: (() => void)[] = []
    const begun = () => ends.length
    server.serve((request, response) => {
      request.resume()
      if (request.method === 'GET') ends.push(() => response.end(`done ${request.url}`))
    })
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    let received = ''
    socket.on('data', (data) => {
      received += data
    })
    const closed = once(socket, 'close')
    const calls = ['/1', '/2'].map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join('')
    socket.write(calls + bytes)
    await expect.poll(begun).toBe(1)
    socket.write('more that is no request\r\n\r\n')
    await delay(50)
    ends[0]?.()
    await expect.poll(begun).toBe(2)
    ends[1]?.()
    await closed
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200'])
    expect(received.match(/done \/\d/g)).toEqual(['done /1', 'done /2'])
    expect(received.slice(received.lastIndexOf('HTTP/1.1'))).toMatch(/^connection: close\r$/im)
  })

  it('ends the answer of a closed connection, and does not begin its waiting requests', async () => {
    const server = await open()
    const begun: string[] = []
    const closed: string[] = []
    server.serve(({ url = '' }, response) => {
      begun.push(url)
      response.once('close', () => closed.push(url))
    })
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.write(['/1', '/2', '/3'].map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''))
    await expect.poll(() => begun).toEqual(['/1'])
    socket.destroy()
    await expect.poll(() => closed).toEqual(['/1'])
    // Returns at once if no answer counts as running.
    expect(await server.drain(60_000)).toBe(true)
    expect(begun).toEqual(['/1'])
  })

  it('refuses headers beyond 16 KiB', async () => {
    const server = await open()
    server.serve((_request, response) => response.end('served'))
    const status = await new Promise((resolve, reject) => {
      send(server.url, { headers: { 'x-long': 'x'.repeat(20_000) } }, (response) =>
        resolve(response.statusCode),
      )
        .once('error', reject)
        .end()
    })
    expect(status).toBe(431)
  })
})
