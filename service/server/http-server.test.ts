import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, get, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { answerProblem } from './answer.js'
import type { Gate } from './gate.js'
import { type HttpServer, limits, openHttpServer } from './http-server.js'

const probe = (request: IncomingMessage, response: ServerResponse) => {
  if (request.url !== '/probe') return false
  response.end('probed')
  return true
}

/** A program that sends 20 calls, makes a file when it has, and prints what comes back. */
const callers = `const [, port, file] = process.argv
let sent = 0
for (let i = 0; i < 20; i++) {
  const socket = require('net').connect(port, '127.0.0.1')
  socket.on('data', (data) => process.stdout.write(data)).on('error', ({ code }) => process.stdout.write(code))
  socket.write('GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n', () => {
    if (++sent === 20) require('fs').writeFileSync(file, '')
  })
}`

/** Lets everything pass. */
const gate: Gate = {
  prepare: () => false,
  enter: () => undefined,
  turnAway(request, response, detail) {
    answerProblem(request, response, 'unavailable', detail, { 'retry-after': '1' })
  },
  malformed: () => {},
  answered: () => {},
}

describe('the HTTP server', () => {
  const opened: HttpServer[] = []
  const open = async (address = { host: '127.0.0.1', port: 0 }, tighter: Partial<typeof limits> = {}) => {
    const server = await openHttpServer(address, probe, gate, tighter)
    opened.push(server)
    return server
  }
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((server) => server.drain(0)))
  })

  it('has the port that was free', async () => {
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
      lines: [expect.stringMatching(/^HOST 203\.0\.113\.7 can't be listened on: /)],
    })
  })

  it('refuses a host name that leads nowhere as wrong configuration', async () => {
    await expect(open({ host: 'no-such-host.invalid', port: 0 })).rejects.toMatchObject({
      exitCode: 2,
      lines: [expect.stringMatching(/^HOST no-such-host\.invalid can't be listened on: getaddrinfo /)],
    })
  })

  it('leaves out no header line, however many there are and how often one stands', async () => {
    const server = await open()
    server.serve(({ headers }, response) => response.end(`${headers.authorization} ${headers['x-last']}`))
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    const lines = `${'a:1\r\n'.repeat(1_500)}Authorization: a\r\nAuthorization: b\r\nX-Last: c\r\n`
    socket.write(`GET / HTTP/1.1\r\nHost: a\r\n${lines}\r\n`)
    expect(String((await once(socket, 'data'))[0])).toMatch(/a, b c$/)
    socket.destroy()
  })

  it('lets running calls end when it drains, and takes no new ones', async () => {
    const server = await open()
    const call = held(server)
    const answer = fetch(`${server.url}/slow`)
    await call.started
    const drained = server.drain(5_000)
    const ask = () =>
      fetch(server.url).then(
        ({ status }) => status,
        () => 'refused',
      )
    await expect.poll(ask).toBe('refused')
    call.release()
    const response = await answer
    expect(response.headers.get('connection')).toBe('close')
    expect(await response.text()).toBe('done')
    expect(await drained).toBe(true)
  })

  it('closes idle connections when it drains', async () => {
    const server = await open()
    server.serve((_request, response) => response.end('served'))
    const agent = new Agent({ keepAlive: true })
    await new Promise((resolve) =>
      get(server.url, { agent }, (response) => response.resume().on('end', resolve)),
    )
    expect(Object.keys(agent.freeSockets)).toHaveLength(1)
    expect(await server.drain(200)).toBe(true)
    agent.destroy()
  })

  it('serves on until its port is closed, unready, with the last answer of each connection', {
    tags: 'long',
  }, async () => {
    const server = await open()
    server.serve((_request, response) => response.end('served'))
    const drained = server.drain(200, 500)
    expect(server.state).toBe('stopping')
    const response = await fetch(server.url)
    expect(await response.text()).toBe('served')
    expect(response.headers.get('connection')).toBe('close')
    expect(await drained).toBe(true)
    expect(server.state).toBe('draining')
  })

  it.each([
    ['served', 'before the port is closed', 500],
    ['told 503', 'after it', 0],
  ])(
    'has calls that are pipelined all %s %s, and ends the connection with the last',
    { tags: 'long' },
    async (_did, _when, delayMs) => {
      const server = await open()
      server.serve((_request, response) => response.end('served'))
      const socket = await connected(server)
      const received = text(socket)
      const drained = server.drain(2_000, delayMs)
      await expect.poll(() => server.state).toBe(delayMs > 0 ? 'stopping' : 'draining')
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(5))
      const answers = (await received).split('HTTP/1.1 ').slice(1)
      expect(answers.map((answer) => answer.slice(0, 3))).toEqual(Array(5).fill(delayMs > 0 ? '200' : '503'))
      const closing = answers.map((answer) => /^connection: close\r$/im.test(answer))
      expect(closing).toEqual([false, false, false, false, true])
      expect(await drained).toBe(true)
    },
  )

  it('answers calls that arrived on connections which it has not accepted yet', async () => {
    const server = await open()
    server.serve((_request, response) => response.end('served'))
    const port = Number(new URL(server.url).port)
    const folder = mkdtempSync(join(tmpdir(), 'billing-calls-'))
    const sent = join(folder, 'sent')
    const child = spawn(process.execPath, ['-e', callers, String(port), sent])
    const answers = text(child.stdout)
    // Nothing is accepted here until all have connected and sent their calls.
    while (!existsSync(sent)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    expect(await server.drain(2_000)).toBe(true)
    expect((await answers).match(/HTTP\/1\.1 200|E[A-Z]+/g)).toEqual(Array(20).fill('HTTP/1.1 200'))
    rmSync(folder, { recursive: true })
  })

  it('answers a call that comes on an idle connection just after the port was closed', async () => {
    const server = await open()
    server.serve((_request, response) => response.end('served'))
    const socket = await connected(server)
    const drained = server.drain(2_000)
    await expect.poll(() => server.state, { interval: 1 }).toBe('draining')
    const received = text(socket)
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(await received).toMatch(/^HTTP\/1\.1 503 .*^connection: close\r$/ims)
    expect(await drained).toBe(true)
  })

  it('closes a connection that becomes idle while it drains', { tags: 'long' }, async () => {
    const server = await open()
    let end = () => {}
    server.serve((_request, response) => {
      response.write('under way ')
      end = () => response.end('done')
    })
    const agent = new Agent({ keepAlive: true })
    const response = await new Promise<IncomingMessage>((resolve) => get(server.url, { agent }, resolve))
    const closed = once(response.socket, 'close')
    const drained = server.drain(60_000)
    end()
    response.resume()
    expect(await drained).toBe(true)
    await closed
    agent.destroy()
  })

  it('lets an answer be read to its end when it drains, however slowly, and keeps no idle connection', {
    tags: 'long',
  }, async () => {
    const server = await open()
    const long = 32 * 1024 * 1024
    server.serve((request, response) => response.end(request.url === '/long' ? 'x'.repeat(long) : 'short'))
    const port = Number(new URL(server.url).port)
    const [reader, idle] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
    idle.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(idle, 'data')
    reader.write('GET /long HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(reader, 'readable')
    const idleClosed = once(idle, 'close')
    const drained = server.drain(20_000)
    await idleClosed
    let received = 0
    reader.on('data', (data) => {
      received += data.length
    })
    await once(reader, 'close')
    expect(received).toBeGreaterThan(long)
    expect(await drained).toBe(true)
  })

  it.each([
    ['that never carried a call', ''],
    ['whose call has not come in soon', 'GET / HTTP/1.1\r\n'],
  ])('closes a connection %s when it drains', { tags: 'long' }, async (_name, sent) => {
    const server = await open()
    server.serve((_request, response) => response.end('served'))
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(sent)
    // An answer on another connection shows that the server has taken this one.
    await (await fetch(server.url)).text()
    expect(await server.drain(1_000)).toBe(true)
  })

  it('holds the socket of a body that does not come for 30 seconds at most', async () => {
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

  it('asks for a body that waits only where it is read, and answers on', async () => {
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

  it('answers 503 to a call that arrives on an open connection while it drains', async () => {
    const server = await open()
    server.serve((_request, response) => response.end('served'))
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    let received = ''
    socket.on('data', (data) => {
      received += data
    })
    const closed = once(socket, 'close')
    socket.write('GET /first HTTP/1.1\r\nHost: x\r\n\r\nGET /second HTTP/1.1\r\nHost: x\r\n')
    await expect.poll(() => received).toContain('served')
    const drained = server.drain(2_000)
    await expect.poll(() => server.state).toBe('draining')
    socket.write('\r\n')
    await closed
    expect(await drained).toBe(true)
    const second = received.slice(received.lastIndexOf('HTTP/1.1'))
    expect(second).toMatch(/^HTTP\/1\.1 503 /)
    expect(second).toMatch(/^connection: close\r$/im)
    expect(second).toMatch(/^retry-after: 1\r$/im)
  })

  it('cuts off what runs longer than it may', async () => {
    const server = await open()
    const call = held(server)
    const answer = fetch(`${server.url}/slow`).catch((error: unknown) => error)
    await call.started
    expect(await server.drain(50)).toBe(false)
    expect(await answer).toBeInstanceOf(Error)
  })

  it('tells the answer of a connection that has gone, and begins nothing that waited', async () => {
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
    // Returns at once where no answer is taken for running.
    expect(await server.drain(5_000)).toBe(true)
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

  async function connected(server: HttpServer) {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(socket, 'data')
    return socket
  }

  function held(server: HttpServer) {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const started = new Promise<void>((resolve) => {
      server.serve((request, response) => {
        resolve()
        if (request.url === '/slow') void released.then(() => response.end('done'))
        else response.end(`served ${request.url}`)
      })
    })
    return { started, release }
  }
})
