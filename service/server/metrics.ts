import type { CallEvent, Protocol } from 'duet-runtime'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Overload, Overloaded } from '../http/overload.js'
import type { PoolState } from '../storage/database/database.js'

export interface Metrics {
  readonly contentType: string
  /** Prometheus text of everything counted so far. */
  text(): Promise<string>
  /** Counts a finished call. */
  count(event: CallEvent<unknown>): void
  /** Counts a call as in progress until the returned function is called. */
  begin(operation: string, protocol: Protocol | 'local'): () => void
  /** Counts a call that a limit refused. */
  limited(policy: string): void
  /** Counts a call that the overloaded node refused. */
  shed(reason: Overloaded | 'share'): void
}

/** Values that are read when /metrics is requested. */
export interface Gauges {
  readonly overload: Pick<Overload, 'inFlight' | 'lagMs'>
  /** Undefined if there is no pool. */
  readonly pool: () => PoolState | undefined
  /** Log lines dropped so far. */
  readonly droppedLines: () => number
}

/** Metrics of the process, calls by operation and protocol, and the load in relation to the bounds. */
export function createMetrics({ overload, pool, droppedLines }: Gauges): Metrics {
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
    help: 'Time from the request to its response.',
    labelNames: ['operation', 'protocol'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  const underWay = new Gauge({
    name: 'billing_calls_in_flight',
    help: 'Authenticated calls in progress.',
    labelNames: ['operation', 'protocol'],
    registers,
  })
  const limited = new Counter({
    name: 'billing_rate_limited_total',
    help: 'Calls refused by a rate limit, by its policy.',
    labelNames: ['policy'],
    registers,
  })
  const shed = new Counter({
    name: 'billing_shed_total',
    help: 'Requests refused because the node reached a limit, by that limit.',
    labelNames: ['reason'],
    registers,
  })
  measure(
    'billing_requests_in_flight',
    'Requests in progress. One with a long body counts as several.',
    () => [[overload.inFlight]],
  )
  measure('billing_event_loop_lag_seconds', 'Delay of the event loop, smoothed.', () => [
    [overload.lagMs / 1000],
  ])
  measure('billing_database_connections', 'Connections to the database, by state.', () => {
    const state = pool()
    return state === undefined
      ? []
      : [
          [state.total - state.idle, 'busy'],
          [state.idle, 'idle'],
        ]
  })
  measure('billing_database_waiting', 'Statements that wait for a connection.', () => {
    const state = pool()
    return state === undefined ? [] : [[state.waiting]]
  })
  countOf(
    'billing_database_refused_total',
    'Statements refused because they would have waited too long for a connection.',
    () => pool()?.refused ?? 0,
  )
  countOf('billing_log_dropped_total', 'Log lines dropped because they were not read in time.', droppedLines)
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    count({ operation = 'unknown', protocol, code, durationMs }) {
      calls.inc({ operation, protocol })
      if (code !== undefined) errors.inc({ operation, protocol, code })
      duration.observe({ operation, protocol }, durationMs / 1000)
    },
    begin(operation, protocol) {
      underWay.inc({ operation, protocol })
      return () => underWay.dec({ operation, protocol })
    },
    limited: (policy) => limited.inc({ policy }),
    shed: (reason) => shed.inc({ reason }),
  }

  /** Registers a counter whose value is kept elsewhere. */
  function countOf(name: string, help: string, value: () => number): void {
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset()
        this.inc(value())
      },
    })
  }

  /** Registers a gauge that is read on request. Each of `values` may have a state label. */
  function measure(name: string, help: string, values: () => [value: number, state?: string][]): void {
    new Gauge({
      name,
      help,
      labelNames: ['state'],
      registers,
      collect() {
        this.reset()
        for (const [value, state] of values()) this.set(state === undefined ? {} : { state }, value)
      },
    })
  }
}
