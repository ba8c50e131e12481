import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { endConnection } from 'duet-runtime'
import { expect, it, onTestFinished } from 'vitest'
import { keepResponse } from './response-of.js'
import { type TurnBounds, Turns } from './turns.js'

/** A server that handles requests in turns, and the paths in the order of their begin. */
async function serve(answer: RequestListener, bounds: Partial<TurnBounds> = {}) {
  const begun: string[] = []
  let parsed = 0
  const turns = new Turns({ waiting: 100, waitingInAll: 100, ...bounds })
  const server = createServer((request, response) => {
    parsed += 1
    if (!turns.takes(request)) return
    turns.take(request, response, () => {
      keepResponse(request, response)
      begun.push(request.url ?? '')
      answer(request, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const ask = (...paths: string[]) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''))
    return socket
  }
  return { begun, ask, parsed: () => parsed, turns }
}

const paths = Array.from({ length: 10 }, (_, i) => `/${i}`)
const answered = (answers: string) => answers.match(/HTTP\/1\.1 \d+/g) ?? []

it('begins a request after the answer to the previous one, and never two in one turn', async () => {
  const held: (() => void)[] = []
  const { begun, ask } = await serve((request, response) => {
    if (request.url === '/9') response.shouldKeepAlive = false
    held.push(() => response.end('x'))
  })
  const answers = text(ask(...paths))
  for (let answer = 1; answer <= 10; answer++) {
    while (begun.length < answer) await turn()
    for (let i = 0; i < 10; i++) await turn()
    expect(begun).toEqual(paths.slice(0, answer))
    held.shift()?.()
    expect(begun).toHaveLength(answer)
  }
  expect(answered(await answers)).toHaveLength(10)
})

it('gives others a turn between two requests of a connection', async () => {
  let now = 0
  const turns: number[] = []
  const { begun, ask } = await serve((_request, response) => {
    turns.push(now)
    response.end('x')
  })
  ask(...paths)
  for (; begun.length < 10; now++) await turn()
  expect(new Set(turns).size).toBe(10)
})

it('answers a begun request before the connection ends, and begins none after it', async () => {
  const { begun, ask } = await serve((request, response) => {
    if (request.url === '/2') endConnection(request)
    response.end('x')
  })
  const answers = await text(ask(...paths))
  expect(answered(answers)).toHaveLength(3)
  expect(answers.match(/Connection: close/g)).toHaveLength(1)
  expect(begun).toEqual(['/0', '/1', '/2'])
})

it('ends a connection after the request in progress', async () => {
  const { begun, ask } = await serve((request, response) => {
    if (request.url === '/0') {
      // As if the decision came only then.
      setImmediate(() => {
        endConnection(request)
        response.end('refused')
      })
    } else setTimeout(() => response.end('x'), 10)
  })
  const answers = await text(ask(...paths))
  expect(answered(answers)).toHaveLength(begun.length)
  expect(begun.length).toBeLessThan(10)
  expect(answers).toContain('Connection: close')
})

it('ends a connection whose last answer is already sent', async () => {
  const { ask } = await serve((request, response) => {
    response.end('x')
    endConnection(request)
  })
  expect(answered(await text(ask('/')))).toHaveLength(1)
})

it.each([
  ['of a connection', { waiting: 3 }],
  ['of all', { waitingInAll: 3 }],
])('answers what came before too many %s, and ends the connection', async (_, bounds) => {
  const { begun, ask } = await serve((_request, response) => response.end('x'), bounds)
  const answers = await text(ask(...paths))
  expect(begun).toEqual(['/0', '/1', '/2', '/3'])
  expect(answered(answers)).toHaveLength(4)
  expect(answers.match(/Connection: close/g)).toHaveLength(1)
})

it('has room again after a caller disconnects', async () => {
  const { begun, ask } = await serve((_request, response) => response.end('x'), { waitingInAll: 3 })
  const gone = ask(...paths.slice(0, 5))
  gone.destroy()
  await once(gone, 'close')
  for (let i = 0; i < 20; i++) await turn()
  begun.splice(0)
  expect(answered(await text(ask(...paths)))).toHaveLength(4)
})

it('parses nothing more of a connection after a refused request', async () => {
  const { begun, ask, parsed } = await serve(() => {}, { waiting: 2 })
  const socket = ask(...paths)
  while (begun.length < 1 || parsed() < 4) await turn()
  const before = parsed()
  for (let i = 0; i < 5; i++) {
    await new Promise<void>(
      (resolve) => void socket.write('GET /late HTTP/1.1\r\nHost: a\r\n\r\n', () => resolve()),
    )
    for (let moment = 0; moment < 10; moment++) await turn()
  }
  expect(parsed()).toBe(before)
  socket.destroy()
})
