import { randomUUID } from 'node:crypto'
import type { NodeState, NodeStore } from '../storage/tables/nodes.js'
import type { CallCounter } from './call-counter.js'

export interface ReportsOptions {
  readonly nodes: Pick<NodeStore, 'report' | 'remove'>
  readonly counter: Pick<CallCounter, 'flush'>
  /** Host and port. */
  readonly name: string
  readonly load: () => { readonly inFlight: number; readonly lagMs: number }
  readonly onError: (error: unknown) => void
}

/** Tells the other nodes of this one, and stores its counts of calls: now and once a minute. */
export interface Reports {
  /** The state of this node now. */
  state(): NodeState
  /** Stores the last counts and removes the node. */
  stop(): Promise<void>
}

export function startReports({ nodes, counter, name, load, onError }: ReportsOptions): Reports {
  const id = randomUUID()
  const startedAt = new Date().toISOString()
  const state = () => ({
    id,
    name,
    startedAt,
    ...load(),
    memoryMb: process.memoryUsage.rss() / 2 ** 20,
  })
  let last: Promise<void> = Promise.resolve()
  const report = () => {
    last = Promise.all([nodes.report(state()), counter.flush()]).then(() => {}, onError)
  }
  report()
  const timer = setInterval(report, reportMs).unref()
  return {
    state,
    async stop() {
      clearInterval(timer)
      await last
      await Promise.all([counter.flush(), nodes.remove(id)]).catch(onError)
    },
  }
}

const reportMs = 60_000
