import type { IncomingMessage } from 'node:http'

/**
 * Hears how long requests hold the event loop, and has a say in whether they go on: what a limit of the processor time
 * of each caller needs.
 */
export interface WorkMeter {
  /**
   * Asked before a body is read, and again once it is there, before it is parsed. What it throws the request is answered
   * with; a ProblemError `rate_limited` tells when to come back.
   */
  readonly admit?: (request: IncomingMessage) => void
  /**
   * Told after each stretch of a request's work in which nothing else could run: reading its head, parsing, validating, a
   * handler up to where it waits, writing the answer. What it throws is dropped.
   */
  readonly spent: (request: IncomingMessage, milliseconds: number) => void
}

/** Runs a stretch of work and tells the meter how long it took; within another stretch it is a part of that one. */
export function measured<Result>(
  meter: WorkMeter | undefined,
  request: IncomingMessage,
  work: () => Result,
): Result {
  if (meter === undefined || isMeasuring) return work()
  isMeasuring = true
  const start = performance.now()
  try {
    return work()
  } finally {
    isMeasuring = false
    tell(meter, request, performance.now() - start)
  }
}

/**
 * The same of work that the platform does piece by piece with nothing to wait for: what others do meanwhile counts with
 * it.
 */
export async function measuredUntil<Result>(
  meter: WorkMeter | undefined,
  request: IncomingMessage,
  work: Promise<Result>,
): Promise<Result> {
  const start = performance.now()
  try {
    return await work
  } finally {
    if (meter !== undefined) tell(meter, request, performance.now() - start)
  }
}

/** One stretch runs at a time, since none waits. */
let isMeasuring = false

/** A meter that fails must not fail the request. */
function tell(meter: WorkMeter, request: IncomingMessage, milliseconds: number): void {
  try {
    meter.spent(request, milliseconds)
  } catch {}
}
