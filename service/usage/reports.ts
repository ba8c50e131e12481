import { randomUUID } from 'node:crypto'
import type { NodeState, NodeStore } from '../storage/tables/nodes.js'

export interface ReportsOptions {
  readonly nodes: Pick<NodeStore, 'report' | 'remove'>
  /** Stores what this node has counted since the last time. */
  readonly flush: () => Promise<unknown>
  /** Host and port. */
  readonly name: string
  readonly load: () => { readonly inFlight: number; readonly lagMs: number }
  readonly onError: (error: unknown) => void
}

/** Tells the other nodes of this one, and stores what it has counted: now and once a minute. */
export interface Reports {
  /** The state of this node now. */
  state(): NodeState
  /** Stores the last counts and removes the node. */
  stop(): Promise<void>
}

export function startReports({ nodes, flush, name, load, onError }: ReportsOptions): Reports {
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
    last = Promise.all([nodes.report(state()), flush()]).then(() => {}, onError)
  }
  report()
  const timer = setInterval(report, reportMs).unref()
  return {
    state,
    async stop() {
      clearInterval(timer)
      await last
      await Promise.all([flush(), nodes.remove(id)]).catch(onError)
    },
  }
}

const reportMs = 60_000
