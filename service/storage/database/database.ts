/** A parameter of a statement. numeric, bigint and timestamptz are passed as text. */
export type SqlValue = string | boolean | null | Uint8Array

/** SQL with `$1` parameters. `prepared`: the server keeps it as a prepared statement on each connection. */
export interface Statement {
  readonly text: string
  readonly prepared?: true
  /**
   * Id of the Reseller to whose rows row-level security limits this statement (`migrations/0012-row-security.sql`), and
   * in a transaction all later ones.
   */
  readonly reseller?: string
}

/**
 * Begins the scope of a Reseller, until the end of the transaction. Policies do not bind superusers, so they switch to
 * a role that they bind.
 */
export const enterScope = `select set_config('billing.reseller', $1, true),
  case when not row_security_active('clients') then set_config('role', 'billing_reseller', true) end`

export interface Queryable {
  /**
   * Runs one statement and returns its rows. bigint and numeric columns are text, timestamptz is UTC ISO 8601
   * text with the digits PostgreSQL kept, integer a number, bytea a Uint8Array; the same on both drivers.
   * Without values the text may hold several statements. The result is the rows of the last.
   */
  query<Row extends object>(statement: string | Statement, values?: readonly SqlValue[]): Promise<Row[]>
}

export interface Database extends Queryable {
  /** Runs the work in one transaction. Commits when it resolves, rolls back when it throws. */
  transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>
  /**
   * Listens to a channel (NOTIFY) until the returned function is called. Does not reject while the database is away:
   * it listens again as soon as the database is back.
   */
  listen(channel: string, listener: ChannelListener): Promise<() => Promise<void>>
  /** A connection of its own, which never waits for calls. Nodes share their counts over it. */
  readonly reserved: Queryable
  /** Rejects if the database does not answer or is read-only. Never waits for calls. */
  ping(): Promise<void>
  /** The state of the pool. Absent for the embedded database, which has no pool. */
  pool?(): PoolState
  close(): Promise<void>
}

export interface ChannelListener {
  onMessage(message: string): void
  /** Runs when messages may have been lost, or may be from now on. */
  onGap(): void
}

/** The state of a connection pool at this moment. */
export interface PoolState {
  readonly total: number
  readonly idle: number
  /** Statements that wait for a connection. */
  readonly waiting: number
  /** Statements refused so far, since they would have waited too long. */
  readonly refused: number
  /** Whether statements would wait longer than half of the bound if this many calls had one each. */
  isHalfTaken(calls: number): boolean
}

/** Object identifiers of the types that both drivers return as text, from PostgreSQL's pg_type.dat. */
export const typeIds = { bigint: 20, timestamptz: 1184, numeric: 1700 } as const
