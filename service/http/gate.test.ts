import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { createGate } from './gate.js'
import { watchOverload } from './overload.js'

/** The status of a request with this target, at a gate that accepts loopback and api.example. */
async function statusOf(target: string): Promise<number> {
  const overload = watchOverload({ inFlight: 10, lagMs: 1_000 })
  const gate = createGate({
    overload,
    trustedProxies: undefined,
    maxConnections: 10,
    hosts: new Set(['api.example']),
    origins: undefined,
    onRefusal: () => {},
    onShed: () => {},
    admission: () => undefined,
  })
  const server = createServer((request, response) => {
    if (!gate.prepare(request, response)) response.end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    overload.stop()
    server.close()
  })
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
  return Number((await text(socket)).split(' ')[1])
}

// RFC 9112 section 3.2.2: the host of an absolute target replaces Host.
test.each([
  ['/', 200],
  ['http://localhost:8080/', 200],
  ['http://api.example/', 200],
  ['http://evil.example/', 400],
  ['http://evil.example?x=//localhost', 400],
  ['HTTP://user@localhost/', 400],
])('a request for %s is answered with %d', async (target, status) => {
  expect(await statusOf(target)).toBe(status)
})
