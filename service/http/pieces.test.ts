import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { dropRest } from './closing.js'
import { parseInPieces } from './pieces.js'
import { TrackedRequest } from './tracked-request.js'

/** A connection to a server that parses in pieces, and the number of parsed requests. */
async function connected(answer: RequestListener) {
  let parsed = 0
  const count = () => {
    parsed += 1
  }
  subscribe('http.server.request.start', count)
  const server = createServer({ IncomingMessage: TrackedRequest }, answer)
  server.on('connection', parseInPieces)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  onTestFinished(() => {
    unsubscribe('http.server.request.start', count)
    socket.destroy()
    server.closeAllConnections()
    server.close()
  })
  return { socket, parsed: () => parsed }
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`

it('parses nothing after the piece with a refused request', async () => {
  const { socket, parsed } = await connected(({ socket: own }) => {
    if (parsed() === 50) dropRest(own)
  })
  socket.write(get('/').repeat(1_800))
  await expect.poll(parsed).toBeGreaterThanOrEqual(50)
  for (let i = 0; i < 20; i++) await turn()
  expect(parsed()).toBeLessThan(50 + 65)
})

it('accepts every request of a slow reader, and a long body unchanged', async () => {
  const body = Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 251))
  const { socket, parsed } = await connected(async (request, response) => {
    if (request.method === 'GET') response.end('x'.repeat(100_000))
    else response.setHeader('connection', 'close').end(`equal: ${body.equals(await buffer(request))}`)
  })
  socket.pause()
  socket.write(Array.from({ length: 100 }, (_, i) => get(`/${i}`)).join(''))
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n`)
  socket.write(body)
  await expect.poll(parsed).toBeGreaterThan(0)
  const answers = await text(socket)
  expect(answers.match(/HTTP\/1\.1 200/g)).toHaveLength(101)
  expect(answers.endsWith('equal: true')).toBe(true)
})

it('passes a body of known length to the parser unchanged', async () => {
  let pieces = 0
  const { socket } = await connected((request, response) => {
    request.on('received', () => {
      pieces += 1
    })
    request.resume().once('end', () => response.end())
  })
  const length = 200_000
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`)
  socket.write(Buffer.alloc(length))
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200/)
  expect(pieces).toBeLessThan(30)
})
