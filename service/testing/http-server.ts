import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { answerProblem } from '../http/answer.js'
import type { Gate } from '../http/gate.js'
import { type HttpServer, type limits, openHttpServer } from '../http/http-server.js'

const probe = (request: IncomingMessage, response: ServerResponse) => {
  if (request.url !== '/probe') return false
  response.end('probed')
  return true
}

/** Accepts every request. */
const gate: Gate = {
  prepare: () => false,
  enter: () => undefined,
  turnAway(request, response, detail) {
    answerProblem(request, response, 'unavailable', detail, { 'retry-after': '1' })
  },
  malformed: () => {},
  answered: () => {},
}

const opened: HttpServer[] = []

/** Opens a server on a free port, until {@link closeAll}. */
export const open = async (
  address = { host: '127.0.0.1', port: 0 },
  tighter: Partial<typeof limits> = {},
) => {
  const server = await openHttpServer(address, probe, gate, tighter)
  opened.push(server)
  return server
}

export async function closeAll(): Promise<void> {
  await Promise.all(opened.splice(0).map((server) => server.drain(0)))
}

/** Opens a connection and waits for its first answer. */
export async function connected(server: HttpServer) {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(socket, 'data')
  return socket
}

/** Serves requests. The answer to `/slow` waits for `release`. */
export function held(server: HttpServer) {
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
