import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Failure, reasonOf } from '../failure.js'
import { answerProblem } from './answer.js'

/** The port, open from the first moment: what is asked before `serve` and from `drain` on gets 503. */
export interface HttpServer {
  /** Base URL with the port that was opened. */
  readonly url: string
  readonly state: 'starting' | 'serving' | 'draining'
  serve(listener: RequestListener): void
  /**
   * Takes no new connection and no new call, lets running ones end, and closes. False: some ran longer than
   * `timeoutMs` and were cut off.
   */
  drain(timeoutMs: number): Promise<boolean>
}

export interface Address {
  readonly host: string
  readonly port: number
}

/**
 * Opens the port. `probe` answers health checks whatever the state and says whether it did.
 * @throws Failure where the address is in use or can't be had
 */
export async function openHttpServer(
  address: Address,
  probe: (...call: Parameters<RequestListener>) => boolean,
  tighter: Partial<typeof limits> = {},
): Promise<HttpServer> {
  let state: HttpServer['state'] = 'starting'
  let listener: RequestListener | undefined
  const running = new Set<ServerResponse>()
  const sockets = new Set<Socket>()
  const server = createServer({ ...limits, ...tighter })
  const take: RequestListener = (request, response) => {
    running.add(response)
    response.once('close', () => {
      running.delete(response)
      if (state === 'draining') setImmediate(() => server.closeIdleConnections())
    })
    if (state === 'draining') response.setHeader('connection', 'close')
    if (state === 'serving' && listener !== undefined) listener(request, response)
    else if (!probe(request, response)) {
      const detail = state === 'draining' ? 'The service is shutting down.' : 'The service is starting.'
      answerProblem(request, response, 'unavailable', detail, { 'retry-after': '1' })
    }
  }
  server.on('request', take)
  server.on('checkContinue', (request, response) => {
    askForBody(request, response)
    take(request, response)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  /** Ends the connections that `choose` and that no answer is under way on. */
  const endUnused = (choose: (socket: Socket) => boolean) => {
    const used = new Set([...running].map((response) => response.req.socket))
    for (const socket of sockets) if (!used.has(socket) && choose(socket)) socket.destroy()
  }
  await listen(server, address)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${address.host.includes(':') ? `[${address.host}]` : address.host}:${port}`,
    get state() {
      return state
    },
    serve(next) {
      listener = next
      if (state === 'starting') state = 'serving'
    },
    async drain(timeoutMs) {
      state = 'draining'
      for (const response of running) if (!response.headersSent) response.setHeader('connection', 'close')
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      // node:http takes a connection that never carried a request for one that is about to.
      endUnused((socket) => socket.bytesRead === 0)
      const lastHead = setTimeout(() => endUnused(() => true), Math.min(headMs, timeoutMs / 2))
      const inTime = await settlesWithin(closed, timeoutMs)
      clearTimeout(lastHead)
      if (!inTime) server.closeAllConnections()
      await closed
      return inTime
    },
  }
}

/**
 * Says 100 to a caller that waits with its body once the body is read (RFC 9110, section 10.1.1). An answer
 * that needs no body ends the connection, since nobody can tell whether the body comes all the same.
 */
function askForBody(request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false
  request.once('resume', () => {
    if (response.headersSent) return
    response.shouldKeepAlive = true
    response.writeContinue()
  })
}

/** How long a request whose head is under way when draining starts may take to come in and be told 503. */
const headMs = 1_000

export const limits = {
  // Slow headers and bodies hold a socket no longer than this (node:http closes with 408).
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
  // Longer than the 60 s of common proxies, so that they and not this side close an idle connection.
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16_384,
}

function listen(server: Server, { host, port }: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(refusal(error, host, port)))
    server.listen(port, host, () => {
      server.removeAllListeners('error')
      resolve()
    })
  })
}

function refusal(error: NodeJS.ErrnoException, host: string, port: number): Failure {
  const { code, syscall } = error
  if (code === 'EADDRINUSE')
    return new Failure(`PORT ${port} on HOST ${host} is in use by another process`, 1)
  if (code === 'EACCES') {
    return new Failure(`PORT ${port} on HOST ${host} needs more rights than this process has`, 1)
  }
  const unresolved = syscall === 'getaddrinfo'
  return new Failure(`HOST ${host} can't be listened on: ${reasonOf(error)}`, unresolved ? 2 : 1)
}

async function settlesWithin(work: Promise<void>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds)
  })
  const inTime = await Promise.race([work.then(() => true as const), late])
  clearTimeout(timer)
  return inTime
}
