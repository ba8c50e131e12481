import type { IncomingMessage, ServerResponse } from 'node:http'
import { protocolOf } from './answer.js'
import { bodyLength } from './unfinished-bodies.js'

/** What a node bears before it turns calls away. */
export interface Bounds {
  /** Calls at work at the same time; a batch, and one with a long body, count as several. */
  readonly inFlight: number
  /** Milliseconds that the event loop may lag behind. */
  readonly lagMs: number
}

/** Why calls are turned away. */
export type Overloaded = 'in_flight' | 'lag'

/** Watches what a node bears. */
export interface Overload {
  readonly inFlight: number
  /** Whether half of the requests are at work that may be. */
  readonly isHalfTaken: boolean
  /** Milliseconds that the event loop lags behind, smoothed. */
  readonly lagMs: number
  /** Whether every call has been turned away for a second: a short burst is none of a load balancer's concern. */
  readonly isLasting: boolean
  /** Why a request can't be taken; undefined where it can. */
  look(request: IncomingMessage): Overloaded | undefined
  /** Counts a request, whose body is here, until its answer is done. */
  take(request: IncomingMessage, response: ServerResponse): void
  stop(): void
}

export function watchOverload({ inFlight: most, lagMs: mostLag }: Bounds): Overload {
  let inFlight = 0
  let lagMs = 0
  let due = performance.now() + sampleMs
  /** Since when even the lightest call is turned away. */
  let fullSince: number | undefined
  const timer = setInterval(() => {
    const now = performance.now()
    // What lasts counts: one long task, such as opening an embedded database, is no overload.
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

/** Bytes of a body that weigh as much as a call: so the bodies in memory are bounded too. */
const bytesOfCall = 16_384
/**
 * Bytes of a body over JSON-RPC that weigh as much as a call: a batch answers many at once, and the answers of all
 * are in memory until it is done. Most single calls are shorter.
 */
const bytesOfBatched = 256
const mostBatched = 100

function weightOf(request: IncomingMessage): number {
  const length = bodyLength(request)
  const batched =
    protocolOf(request) === 'jsonrpc' ? Math.min(Math.floor(length / bytesOfBatched), mostBatched) : 0
  return 1 + batched + Math.floor(length / bytesOfCall)
}
