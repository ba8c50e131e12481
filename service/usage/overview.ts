import type { Database, PoolState } from '../storage/database/database.js'
import { type CallCount, callCountStore } from '../storage/tables/call-counts.js'
import { type NodeState, nodeStore, type SeenNode } from '../storage/tables/nodes.js'

/** What the first page of the administration area shows: calls over time, nodes and the database. */
export interface Overview {
  /** Names of the operations of all versions. */
  readonly operations: readonly string[]
  /** Calls on all nodes together since a moment in seconds, in steps of as many seconds. */
  calls(since: number, step: number): Promise<readonly CallCount[]>
  /** All nodes that reported within an hour. The one that answers has its state of now. */
  nodes(): Promise<readonly SeenNode[]>
  database(): Promise<DatabaseHealth>
}

export interface DatabaseHealth {
  /** Milliseconds that a short statement took. */
  readonly ms: number
  /** Version of PostgreSQL. */
  readonly version: string
  readonly bytes: number
  /** The pool of the node that answers. Undefined: the embedded database, which has none. */
  readonly pool: PoolState | undefined
}

/** @param self the state of this node; undefined: it does not report */
export function overviewOf(
  database: Database,
  operations: ReadonlySet<string>,
  self: () => NodeState | undefined,
): Overview {
  const counts = callCountStore(database)
  const nodes = nodeStore(database)
  return {
    operations: [...operations].sort(),
    calls: (since, step) => counts.sums(since, step),
    async nodes() {
      const own = self()
      const seen = await nodes.list()
      return seen.map((node) => (node.id === own?.id ? { ...own, seenSeconds: 0 } : node))
    },
    async database() {
      const start = performance.now()
      const [row] = await database.query<{ version: string; bytes: string }>(
        "select current_setting('server_version') as version, pg_database_size(current_database()) as bytes",
      )
      const ms = performance.now() - start
      return { ms, version: row?.version ?? '', bytes: Number(row?.bytes ?? 0), pool: database.pool?.() }
    },
  }
}
