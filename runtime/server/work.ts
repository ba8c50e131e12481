import type { HttpRequest } from '../contract/http-request.js'

/**
 * Hears how much processor time requests take, and has a say in whether they go on: what a limit of the processor time
 * of each caller needs.
 */
export interface WorkMeter {
  /**
   * Asked before a body is read, and again once it is there, before it is parsed. What it throws the request is answered
   * with; a ProblemError `rate_limited` tells when to come back.
   */
  readonly admit?: (request: HttpRequest) => void
  /**
   * Told the processor time of each stretch of a request's work in which nothing else could run: reading its head, parsing,
   * validating, a handler up to where it waits, writing the answer. What it throws is dropped.
   */
  readonly spent: (request: HttpRequest, milliseconds: number) => void
}

/** Runs a stretch of work and tells the meter what it took; within another stretch it is a part of that one. */
export function measured<Result>(
  meter: WorkMeter | undefined,
  request: HttpRequest,
  work: () => Result,
): Result {
  if (meter === undefined || isMeasuring) return work()
  isMeasuring = true
  const start = now()
  try {
    return work()
  } finally {
    isMeasuring = false
    tell(meter, request, start)
  }
}

/**
 * The same of work that the platform does piece by piece with nothing to wait for: what others do meanwhile counts with
 * it.
 */
export async function measuredUntil<Result>(
  meter: WorkMeter | undefined,
  request: HttpRequest,
  work: Promise<Result>,
): Promise<Result> {
  if (meter === undefined) return await work
  const start = now()
  try {
    return await work
  } finally {
    tell(meter, request, start)
  }
}

/** One stretch runs at a time, since none waits. */
let isMeasuring = false

interface Moment {
  readonly wallMs: number
  /** Of all threads of the process. */
  readonly processorMs: number
}

function now(): Moment {
  const { user, system } = process.cpuUsage()
  return { wallMs: performance.now(), processorMs: (user + system) / 1000 }
}

/**
 * On a busy machine time passes in which this process does not run, and other threads of it, such as those that hash
 * passwords, run beside this one: the lesser of both is what this one can have taken. A meter that fails must not fail
 * the request.
 */
function tell(meter: WorkMeter, request: HttpRequest, start: Moment): void {
  const { wallMs, processorMs } = now()
  try {
    meter.spent(request, Math.min(wallMs - start.wallMs, processorMs - start.processorMs))
  } catch {}
}
