import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Protocol } from 'duet-runtime'
import { protocolOf } from './answer.js'
import { bodyLength } from './unfinished-bodies.js'

/** The load at which a node refuses calls. */
export interface Bounds {
  /** Calls in progress at the same time. A batch and a call with a long body count as several. */
  readonly inFlight: number
  /** Greatest lag of the event loop in milliseconds. */
  readonly lagMs: number
}

/** Why the node refuses calls. */
export type Overloaded = 'in_flight' | 'lag'

/** Watches the load of a node. */
export interface Overload {
  readonly inFlight: number
  /** Whether requests in progress have reached half of the bound. */
  readonly isHalfTaken: boolean
  /** Lag of the event loop in milliseconds, smoothed. */
  readonly lagMs: number
  /** Whether the node has refused every call for a second. A load balancer can ignore a shorter burst. */
  readonly isLasting: boolean
  /** Why the node refuses a request. Undefined: it accepts the request. */
  look(request: IncomingMessage): Overloaded | undefined
  /** Counts a request with a complete body until its answer ends. */
  take(request: IncomingMessage, response: ServerResponse): void
  stop(): void
}

export function watchOverload({ inFlight: most, lagMs: mostLag }: Bounds): Overload {
  let inFlight = 0
  let lagMs = 0
  let due = performance.now() + sampleMs
  /** Since when the node refuses even the lightest call. */
  let fullSince: number | undefined
  const timer = setInterval(() => {
    const now = performance.now()
    // Only lasting lag counts. One long task, such as opening an embedded database, is no overload.
    const lag = Math.min(Math.max(0, now - due), 2 * mostLag)
    lagMs += (lag - lagMs) * newShare
    due = now + sampleMs
    if (lagMs > mostLag || inFlight >= most) fullSince ??= now
    else fullSince = undefined
  }, sampleMs).unref()
  return {
    get inFlight() {
      return inFlight
    },
    get isHalfTaken() {
      return inFlight > most / 2
    },
    get lagMs() {
      return lagMs
    },
    get isLasting() {
      return fullSince !== undefined && performance.now() - fullSince >= lastingMs
    },
    look(request) {
      if (lagMs > mostLag) return 'lag'
      return inFlight > 0 && inFlight + weightOf(request) > most ? 'in_flight' : undefined
    },
    take(request, response) {
      if (response.closed || response.destroyed) return
      const weight = weightOf(request)
      inFlight += weight
      response.once('close', () => {
        inFlight -= weight
        if (inFlight < most && lagMs <= mostLag) fullSince = undefined
      })
    },
    stop: () => clearInterval(timer),
  }
}

const sampleMs = 100
const newShare = 0.3
const lastingMs = 1_000

/** Bytes of a body that count as one call, which bounds the bodies in memory too. */
const bytesOfCall = 16_384
/**
 * Bytes of a JSON-RPC body that count as one call. The answers of all calls of a batch stay in memory until it ends.
 * Most single calls are shorter.
 */
const bytesOfBatched = 256
const mostBatched = 100

/** The further calls that a body of this length may contain. */
const batchedIn: { readonly [protocol in Protocol]: (length: number) => number } = {
  rest: () => 0,
  jsonrpc: batched,
  // Older revisions of MCP have batches.
  mcp: batched,
}

function batched(length: number): number {
  return Math.min(Math.floor(length / bytesOfBatched), mostBatched)
}

function weightOf(request: IncomingMessage): number {
  const length = bodyLength(request)
  return 1 + batchedIn[protocolOf(request)](length) + Math.floor(length / bytesOfCall)
}
