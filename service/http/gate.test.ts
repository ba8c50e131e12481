import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { ProblemError } from 'duet-runtime'
import { expect, onTestFinished, test } from 'vitest'
import { createGate, type Gate } from './gate.js'
import { watchOverload } from './overload.js'

/** The address of a gate that accepts loopback and api.example, and refuses as `answer` says. */
async function served(
  answer: (gate: Gate, ...exchange: [IncomingMessage, ServerResponse]) => void,
): Promise<number> {
  const overload = watchOverload({ inFlight: 10, lagMs: 1_000 })
  const gate = createGate({
    overload,
    trustedProxies: undefined,
    maxConnections: 10,
    hosts: new Set(['api.example']),
    origins: undefined,
    onRefusal: () => {},
    onShed: () => {},
    admission: () => ({
      count() {},
      enter: () => () =>
        new ProblemError('rate_limited', { detail: 'This address sends too many requests.', retryAfter: 7 }),
      isAuthenticated: () => false,
    }),
  })
  const server = createServer((request, response) => {
    if (!gate.prepare(request, response)) answer(gate, request, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    overload.stop()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

async function statusOf(target: string): Promise<number> {
  const socket = connect(await served((_, __, response) => response.end()), '127.0.0.1')
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

const refusals = {
  limited: (gate: Gate, request: IncomingMessage, response: ServerResponse) =>
    gate.enter(request, response)?.(),
  busy: (gate: Gate, request: IncomingMessage, response: ServerResponse) =>
    gate.turnAway(request, response, 'The service starts.'),
}

test.each<[keyof typeof refusals, number, string, string]>([
  ['limited', 429, '7', 'This address sends too many requests. Try again in 7 s.'],
  ['busy', 503, '1', 'The service starts. Try again in 1 s.'],
])(
  'a person who is refused as %s gets a page, and a client a problem',
  async (refusal, status, retry, words) => {
    const url = `http://127.0.0.1:${await served(refusals[refusal])}/clients/1`
    const ask = async (accept: string) => {
      const response = await fetch(url, { headers: { accept } })
      const { headers } = response
      return [response.status, headers.get('retry-after'), headers.get('content-type'), await response.text()]
    }
    expect(await ask('text/html,*/*;q=0.8')).toEqual([
      ...[status, retry, 'text/html; charset=utf-8'],
      expect.stringContaining(`<p>${words}</p>`),
    ])
    const client = await ask('*/*')
    expect(client.slice(0, 3)).toEqual([status, retry, 'application/problem+json'])
  },
)
