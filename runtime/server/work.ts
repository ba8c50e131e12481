import type { HttpRequest } from '../contract/http-request.js'
import type { WorkMeter } from './api/options.js'

/** Runs a stretch of work and reports its time to the meter. A nested stretch counts with the outer one. */
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
    reportTime(meter, request, start)
  }
}

/**
 * The same for work that the platform does in several short pieces: concurrent work of other requests counts
 * with it.
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
    reportTime(meter, request, start)
  }
}

/** Stretches are synchronous, so one runs at a time. */
let isMeasuring = false

interface Moment {
  readonly wallMs: number
  /** Processor time of all threads of the process. */
  readonly processorMs: number
}

function now(): Moment {
  const { user, system } = process.cpuUsage()
  return { wallMs: performance.now(), processorMs: (user + system) / 1000 }
}

/**
 * On a busy machine, wall time includes waits, and processor time includes other threads, such as those that
 * hash passwords. This stretch took at most the smaller of both. A meter that fails must not fail the
 * request.
 */
function reportTime(meter: WorkMeter, request: HttpRequest, start: Moment): void {
  const { wallMs, processorMs } = now()
  try {
    meter.spent(request, Math.min(wallMs - start.wallMs, processorMs - start.processorMs))
  } catch {}
}
