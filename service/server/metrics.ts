import type { CallEvent } from '@duet/runtime'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

export interface Metrics {
  readonly contentType: string
  /** Prometheus text of everything counted so far. */
  text(): Promise<string>
  /** Counts a finished call. */
  count(event: CallEvent<unknown>): void
}

/** The process's own metrics, and calls by operation and protocol. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const calls = new Counter({
    name: 'billing_calls_total',
    help: 'Finished calls.',
    labelNames: ['operation', 'protocol'],
    registers,
  })
  const errors = new Counter({
    name: 'billing_call_errors_total',
    help: 'Finished calls that answered a problem, by its code.',
    labelNames: ['operation', 'protocol', 'code'],
    registers,
  })
  const duration = new Histogram({
    name: 'billing_call_duration_seconds',
    help: 'Time from the request to its answer.',
    labelNames: ['operation', 'protocol'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    count({ operation = 'unknown', protocol, code, durationMs }) {
      calls.inc({ operation, protocol })
      if (code !== undefined) errors.inc({ operation, protocol, code })
      duration.observe({ operation, protocol }, durationMs / 1000)
    },
  }
}
