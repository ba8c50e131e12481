import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { createInterface } from 'node:readline'
import * as api1 from '@billing/api/1.1.0'
import { type Context, type Port, ProblemError } from 'duet-runtime'
import { afterAll, beforeAll, expect, it } from 'vitest'

// A protocol from outside: lines over a socket. The first line of a connection is a key; each other one is the name of
// an operation and its params, and is answered by a line.

function serveLines(port: Port): Server {
  return createServer((socket) => {
    const gone = new AbortController()
    socket.once('close', () => gone.abort())
    let key: string | undefined
    createInterface({ input: socket }).on('line', async (line) => {
      if (key === undefined) {
        key = line
        return
      }
      const [operation = '', params = ''] = line.split(/ (.*)/)
      const answer = await port.call({
        operation,
        params,
        headers: { 'x-api-key': key },
        signal: gone.signal,
      })
      socket.write(
        answer.problem ? `- ${answer.problem.code} ${answer.problem.detail ?? ''}\n` : `+ ${answer.result}\n`,
      )
    })
  })
}

const api = api1.createApi({
  logger: false,
  authenticate({ apiKey }) {
    if (apiKey === 'good') return { name: 'ann' }
    throw new ProblemError('invalid_api_key')
  },
  handlers: {
    clients: {
      get({ id }: { id: number }, { protocol, principal }: Context<{ name: string }>) {
        if (id > 7) throw new ProblemError('not_found', { detail: `No client ${id}.` })
        return { id, name: `${principal.name} over ${protocol}`, credit: 1, currency: 'EUR', version: '1' }
      },
    },
  } as never,
})

let server: Server
beforeAll(async () => {
  server = serveLines(api.port('x-lines')).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => void server.close())

async function ask(key: string, line: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(`${key}\n${line}\n`)
  const [answer] = await once(createInterface({ input: socket }), 'line')
  socket.destroy()
  return answer
}

it.each([
  [
    'good',
    'clients.get {"id":7}',
    '+ {"id":7,"name":"ann over x-lines","credit":1,"currency":"EUR","version":"1"}',
  ],
  ['good', 'clients.get {"id":8}', '- not_found No client 8.'],
  ['good', 'clients.get {"id":"7"}', '- validation_failed '],
  ['good', 'clients.get {"id":7', '- parse_error '],
  ['good', 'clients.get [7]', '- validation_failed '],
  ['good', 'clients.nope {}', '- unknown_operation '],
  ['bad', 'clients.get {"id":7}', '- invalid_api_key '],
])('a protocol of a team has the rules of all: %s, %s', async (key, line, expected) => {
  expect((await ask(key, line)).startsWith(expected)).toBe(true)
})

it('has every operation', () => {
  expect([...api.port('x-lines').operations.keys()].sort()).toEqual(Object.keys(api1.operations).sort())
})
