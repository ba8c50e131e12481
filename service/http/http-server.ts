import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { closeGently, endGently, isOver } from 'duet-runtime'
import { Failure, reasonOf } from '../failure.js'
import { acceptAll, dropRest, LastResponses } from './closing.js'
import { Connections } from './connections.js'
import type { Gate } from './gate.js'
import { answerMalformed, type ParseError, refusalOf } from './malformed.js'
import { parseInPieces } from './pieces.js'
import { TrackedRequest } from './tracked-request.js'
import { type TurnBounds, Turns } from './turns.js'

/** The port, open from the start. Requests before `serve`, and after the port closes, get 503. */
export interface HttpServer {
  /** Base URL with the port that was opened. */
  readonly url: string
  readonly state: 'starting' | 'serving' | 'stopping' | 'draining'
  serve(listener: RequestListener): void
  /**
   * Keeps serving for `delayMs`, unready, and ends each connection with its next answer. Then accepts no new
   * connection and no new call, waits for running calls, and closes. False: some ran longer than `timeoutMs` and were
   * cut off.
   */
  drain(timeoutMs: number, delayMs?: number): Promise<boolean>
}

export interface Address {
  readonly host: string
  readonly port: number
}

/**
 * Opens the port. `probe` answers health checks in every state and returns whether it did. Every request passes `gate`.
 * @throws Failure if the address is in use or not available
 */
export async function openHttpServer(
  address: Address,
  probe: (...call: Parameters<RequestListener>) => boolean,
  gate: Gate,
  tighter: Partial<typeof limits> = {},
): Promise<HttpServer> {
  let state: HttpServer['state'] = 'starting'
  let listener: RequestListener | undefined
  const running = new Set<ServerResponse>()
  const { maxConnections, ...bounds } = { ...limits, ...tighter }
  const connections = new Connections(maxConnections)
  // We refuse a request without a host with a problem. node:http would answer without a body.
  const server = createServer({
    ...bounds,
    requireHostHeader: false,
    // Otherwise Node silently drops the second of two header lines with one name.
    joinDuplicateHeaders: true,
    IncomingMessage: TrackedRequest,
  })
  // Node silently drops lines beyond this number. The gate refuses such requests instead.
  server.maxHeadersCount = 0
  server.timeout = silentMs
  const turns = new Turns(turnBounds)
  const lastAnswers = new LastResponses()
  /** Calls that wait while the port closes: a caller without an answer opens no new connection. */
  let held: (() => void)[] | undefined
  /** Whether connections end with their next answer. */
  let endsConnections = false
  const endConnections = () => {
    endsConnections = true
    for (const socket of connections.all) closeGently(socket)
    for (const response of running) lastAnswers.add(response)
  }
  const endIdle = () => {
    for (const socket of connections.idle) endGently(socket)
  }
  let idleAreDue = false
  const take: RequestListener = (request, response) => {
    const { socket } = request
    if (!turns.takes(request) || lastAnswers.areBefore(request)) return
    running.add(response)
    connections.use(socket)
    response.once('close', () => {
      running.delete(response)
      connections.rest(socket)
      if (idleAreDue) setImmediate(endIdle)
    })
    response.once('prefinish', () => gate.answered(request, response))
    if (endsConnections) lastAnswers.add(response)
    const begin = () => {
      if (!isOver(request)) turns.take(request, response, () => enter(request, response))
    }
    if (held !== undefined) held.push(begin)
    // By then the calls that arrived with it are parsed, and we know which answer is the last.
    else if (endsConnections) process.nextTick(begin)
    else begin()
  }
  const enter: RequestListener = (request, response) => {
    if (gate.prepare(request, response)) return
    if (state === 'starting' || state === 'draining' || listener === undefined) {
      if (probe(request, response)) return
      gate.turnAway(
        request,
        response,
        `The service is ${state === 'draining' ? 'shutting down' : 'starting'}.`,
      )
      return
    }
    const refuse = gate.enter(request, response)
    if (refuse === undefined) listener(request, response)
    else if (!probe(request, response)) refuse()
  }
  server.on('request', take)
  server.on('checkContinue', (request, response) => {
    if (!isOver(request)) askForBody(request, response, () => endsConnections)
    take(request, response)
  })
  // A server may ignore an unknown expectation (RFC 9110 section 10.1.1).
  server.on('checkExpectation', take)
  const ending = new WeakSet<Socket>()
  const refuse = (error: ParseError, socket: Socket) => {
    dropRest(socket)
    if (ending.has(socket)) return
    const own = [...running].filter(({ req }) => req.socket === socket)
    const last = own.filter(({ req }) => req.complete).at(-1)
    if (last !== undefined) {
      // The calls before it still get their answers. An answer to this one would be taken for theirs (RFC 9112 section
      // 9.3.2).
      ending.add(socket)
      gate.malformed(refusalOf(error), socket)
      if (!last.headersSent) last.setHeader('connection', 'close')
      last.once('close', () => socket.destroySoon())
      return
    }
    // The written part of an answer still goes out.
    if (own.some(({ headersSent }) => headersSent)) socket.destroySoon()
    else {
      const cut = own.find(({ req }) => !req.complete)?.req
      const refusal = answerMalformed(error, socket, cut)
      // The reader of a body reports every cut as `invalid_request` itself.
      const isReported = cut !== undefined && refusal?.code === 'invalid_request'
      if (refusal !== undefined && !isReported) gate.malformed(refusal, socket)
    }
  }
  // Without a listener node:http closes the connection without an event.
  server.on('connect', (_request, socket) => refuse({ code: 'CONNECT' }, socket as Socket))
  server.on('connection', (socket) => {
    // Node keeps what is read once, and has no address to read once the client has gone.
    void socket.remoteAddress
    connections.add(socket)
    parseInPieces(socket)
    if (endsConnections) closeGently(socket)
    socket.once('close', () => endQueued(running, socket))
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuse(error, socket as Socket))
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
    async drain(timeoutMs, delayMs = 0) {
      state = 'stopping'
      if (delayMs > 0) {
        endConnections()
        await delay(Math.max(0, delayMs - settleMs))
        // Callers that have reconnected by then stay, and open no connection while the port closes.
        endsConnections = false
        await delay(Math.min(settleMs, delayMs))
      }
      held = []
      await acceptAll(server)
      // `close` of node:http would cut off answers that are still on their way.
      const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
      endConnections()
      for (const begin of held) begin()
      held = undefined
      state = 'draining'
      // A call may be on its way on any idle connection.
      const lastCall = setTimeout(
        () => {
          idleAreDue = true
          endIdle()
        },
        Math.min(lastCallMs, timeoutMs / 2),
      )
      const inTime = await settlesWithin(closed, timeoutMs)
      clearTimeout(lastCall)
      if (!inTime) server.closeAllConnections()
      await closed
      // Stops the timer with which node:http looks for slow requests.
      server.close()
      return inTime
    },
  }
}

/**
 * Sends 100 to a caller that waits with its body, when something reads the body (RFC 9110, section 10.1.1). An answer
 * before that ends the connection, since the body may still follow.
 */
function askForBody(request: IncomingMessage, response: ServerResponse, isLast: () => boolean): void {
  response.shouldKeepAlive = false
  request.once('resume', () => {
    if (response.headersSent) return
    response.shouldKeepAlive = !isLast()
    response.writeContinue()
  })
}

/** Ends queued answers when their connection closes. node:http ends only the one whose turn it is. */
function endQueued(running: ReadonlySet<ServerResponse>, socket: Socket): void {
  for (const response of running) {
    if (response.req.socket === socket && response.socket === null) response.destroy().emit('close')
  }
}

/** How long before the port closes connections are kept alive again. */
const settleMs = 100

/** How long idle connections stay open after the port closes, so that calls on their way get a 503. */
const lastCallMs = 1_000

export const limits = {
  // Bounds slow headers and bodies (node:http closes with 408).
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
  // Longer than the 60 s of common proxies, so that the proxy closes an idle connection.
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16_384,
  maxConnections: 10_000,
}

/** A waiting head has at most 16 KB, so all have 16 MB. */
const turnBounds: TurnBounds = { waiting: 100, waitingInAll: 1_000 }

/** How long a connection may be silent while its caller waits for an answer or reads it. */
const silentMs = 90_000

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
  return new Failure(`Cannot listen on HOST ${host}: ${reasonOf(error)}`, unresolved ? 2 : 1)
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
