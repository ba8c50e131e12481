import type { CallEvent, CallProtocol, UsageEntry } from 'duet-runtime'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Overload, Overloaded } from '../http/overload.js'
import type { PoolState } from '../storage/database/database.js'

export interface Metrics {
  readonly contentType: string
  /** Prometheus text of everything counted so far. */
  text(): Promise<string>
  /** Counts a finished call. */
  count(event: CallEvent<unknown>): void
  /** Counts what the ledger of usage was told. */
  used(entries: readonly UsageEntry[]): void
  /** Counts a call as in progress until the returned function is called. */
  begin(operation: string, protocol: CallProtocol): () => void
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
  const usageLabels = ['version', 'operation', 'protocol'] as const
  const versionCalls = new Counter({
    name: 'billing_usage_calls_total',
    help: 'Calls by the version that callers use. Counted about once a minute, as are the other counts of usage.',
    labelNames: usageLabels,
    registers,
  })
  const tried = new Counter({
    name: 'billing_usage_sampled_total',
    help: 'Calls that were tried on the next version.',
    labelNames: usageLabels,
    registers,
  })
  const unexplained = new Counter({
    name: 'billing_usage_unattributed_total',
    help: 'Tried calls that the next version refuses for a reason that no change explains.',
    labelNames: usageLabels,
    registers,
  })
  const broken = new Counter({
    name: 'billing_usage_hits_total',
    help: 'Tried calls that a change breaks, by its fingerprint.',
    labelNames: [...usageLabels, 'fingerprint'],
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
    used(entries) {
      for (const { version, operation, protocol, calls: count, sampled, unattributed, hits } of entries) {
        const labels = { version, operation, protocol }
        versionCalls.inc(labels, count)
        tried.inc(labels, sampled)
        unexplained.inc(labels, unattributed)
        for (const [fingerprint, hit] of Object.entries(hits))
          broken.inc({ ...labels, fingerprint }, hit.calls)
      }
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
