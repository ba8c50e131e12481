import type { Database, Statement } from '../database/database.js'

/** The state of a node when it last reported. */
export interface NodeState {
  /** UUID of this start. */
  readonly id: string
  /** Host and port. */
  readonly name: string
  /** UTC datetime. */
  readonly startedAt: string
  /** Requests in progress. */
  readonly inFlight: number
  /** Milliseconds by which its event loop lags. */
  readonly lagMs: number
  /** Resident memory in MiB. */
  readonly memoryMb: number
}

export interface SeenNode extends NodeState {
  /** Seconds since the last report. */
  readonly seenSeconds: number
}

/** The running nodes. Each reports once a minute. */
export interface NodeStore {
  /** Also removes nodes that have not reported for an hour. */
  report(state: NodeState): Promise<void>
  remove(id: string): Promise<void>
  /** By name, at most 100. */
  list(): Promise<readonly SeenNode[]>
}

export function nodeStore(database: Database): NodeStore {
  return {
    async report({ id, name, startedAt, inFlight, lagMs, memoryMb }) {
      await database.query(upsert, [
        id,
        name,
        startedAt,
        String(inFlight),
        String(Math.round(lagMs)),
        String(Math.round(memoryMb)),
      ])
      await database.query("delete from nodes where seen_at < now() - interval '1 hour'")
    },
    async remove(id) {
      await database.query('delete from nodes where id = $1::uuid', [id])
    },
    async list() {
      const rows = await database.query<NodeRow>(
        `select id, name, started_at as "startedAt", in_flight as "inFlight", lag_ms as "lagMs",
            memory_mb as "memoryMb", extract(epoch from now() - seen_at)::int as "seenSeconds"
          from nodes order by name, started_at limit 100`,
      )
      return rows
    },
  }
}

type NodeRow = SeenNode

const upsert: Statement = {
  text: `insert into nodes (id, name, started_at, seen_at, in_flight, lag_ms, memory_mb)
    values ($1::uuid, $2, $3::timestamptz, now(), $4::int, $5::int, $6::int)
    on conflict (id) do update set seen_at = now(), in_flight = excluded.in_flight, lag_ms = excluded.lag_ms,
      memory_mb = excluded.memory_mb`,
}
