import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { closeAll, connected, held, open } from '../testing/http-server.js'

/** A program that sends 20 calls, then creates a file, and prints the answers. */
const callers = `const [, port, file] = process.argv
let sent = 0
for (let i = 0; i < 20; i++) {
  const socket = require('net').connect(port, '127.0.0.1')
  socket.on('data', (data) => process.stdout.write(data)).on('error', ({ code }) => process.stdout.write(code))
  socket.write('GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n', () => {
    if (++sent === 20) require('fs').writeFileSync(file, '')
  })
}`

describe('the HTTP server, draining', () => {
  afterEach(closeAll)

  it('waits for running calls, and accepts no new ones', async () => {
    const server = await open()
    const call = held(server)
    const answer = fetch(`${server.url}/slow`)
    await call.started
    const drained = server.drain(60_000)
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

  it('closes idle connections', { tags: 'long' }, async () => {
    const server = await open()
    server.serve((_request, response) => response.end('served'))
    const agent = new Agent({ keepAlive: true })
    await new Promise((resolve) =>
      get(server.url, { agent }, (response) => response.resume().on('end', resolve)),
    )
    expect(Object.keys(agent.freeSockets)).toHaveLength(1)
    expect(await server.drain(60_000)).toBe(true)
    agent.destroy()
  })

  it('keeps serving until its port closes, unready, and ends each connection with its next answer', {
    tags: 'long',
  }, async () => {
    const server = await open()
    server.serve((_request, response) => response.end('served'))
    const drained = server.drain(60_000, 500)
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
      const drained = server.drain(60_000, delayMs)
      await expect.poll(() => server.state).toBe(delayMs > 0 ? 'stopping' : 'draining')
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(5))
      const answers = (await received).split('HTTP/1.1 ').slice(1)
      expect(answers.map((answer) => answer.slice(0, 3))).toEqual(Array(5).fill(delayMs > 0 ? '200' : '503'))
      const closing = answers.map((answer) => /^connection: close\r$/im.test(answer))
      expect(closing).toEqual([false, false, false, false, true])
      expect(await drained).toBe(true)
    },
  )

  it('answers calls on connections that it has not accepted yet', async () => {
    const server = await open()
    server.serve((_request, response) => response.end('served'))
    const port = Number(new URL(server.url).port)
    const folder = mkdtempSync(join(tmpdir(), 'billing-calls-'))
    const sent = join(folder, 'sent')
    const child = spawn(process.execPath, ['-e', callers, String(port), sent])
    const answers = text(child.stdout)
    // Blocks this process until all have connected and sent their calls.
    while (!existsSync(sent)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    expect(await server.drain(60_000)).toBe(true)
    expect((await answers).match(/HTTP\/1\.1 200|E[A-Z]+/g)).toEqual(Array(20).fill('HTTP/1.1 200'))
    rmSync(folder, { recursive: true })
  })

  it('answers a call on an idle connection just after the port has closed', async () => {
    const server = await open()
    server.serve((_request, response) => response.end('served'))
    const socket = await connected(server)
    const drained = server.drain(60_000)
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

  it('lets slow readers finish an answer, and keeps no idle connection', {
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
    const drained = server.drain(60_000)
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
    // An answer on another connection shows that the server has accepted this one.
    await (await fetch(server.url)).text()
    expect(await server.drain(60_000)).toBe(true)
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
    const drained = server.drain(60_000)
    await expect.poll(() => server.state).toBe('draining')
    socket.write('\r\n')
    await closed
    expect(await drained).toBe(true)
    const second = received.slice(received.lastIndexOf('HTTP/1.1'))
    expect(second).toMatch(/^HTTP\/1\.1 503 /)
    expect(second).toMatch(/^connection: close\r$/im)
    expect(second).toMatch(/^retry-after: 1\r$/im)
  })

  it('cuts off calls beyond the timeout', async () => {
    const server = await open()
    const call = held(server)
    const answer = fetch(`${server.url}/slow`).catch((error: unknown) => error)
    await call.started
    expect(await server.drain(50)).toBe(false)
    expect(await answer).toBeInstanceOf(Error)
  })
})
