/** A value that a statement takes: numeric, bigint and timestamptz go as text. */
export type SqlValue = string | boolean | null | Uint8Array

/** SQL with `$1` parameters. `prepared`: the server keeps it parsed and planned on each connection. */
export interface Statement {
  readonly text: string
  readonly prepared?: true
  /**
   * Id of the Reseller whose rows alone the database shows and changes (`migrations/0012-row-security.sql`): for this
   * statement, in a transaction also for those behind it.
   */
  readonly reseller?: string
}

/**
 * Begins the scope of a Reseller, up to the end of the transaction. Policies do not bind superusers: they take a role
 * that is bound.
 */
export const enterScope = `select set_config('billing.reseller', $1, true),
  case when not row_security_active('clients') then set_config('role', 'billing_reseller', true) end`

export interface Queryable {
  /**
   * Runs one statement and answers its rows. bigint and numeric columns are text, timestamptz is UTC ISO 8601
   * text with the digits PostgreSQL kept, integer a number, bytea a Uint8Array; the same on both drivers.
   * Without values the text may hold several statements; the rows of the last are answered.
   */
  query<Row extends object>(statement: string | Statement, values?: readonly SqlValue[]): Promise<Row[]>
}

export interface Database extends Queryable {
  /** Runs the work in one transaction: committed when it resolves, rolled back when it throws. */
  transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>
  /**
   * Hears what is told on a channel (NOTIFY), on whichever connection, until the answer is called. Never rejects for
   * a database that is away: it is listened to again as soon as it is back.
   */
  listen(channel: string, hearing: Hearing): Promise<() => Promise<void>>
  /** For what must not wait behind calls: nodes tell each other with it what they have counted. */
  readonly reserved: Queryable
  /** Rejects when the database does not answer, or takes no changes. Does not wait behind calls. */
  ping(): Promise<void>
  /** The connections there are. Absent: it is embedded, and has none. */
  pool?(): PoolState
  close(): Promise<void>
}

export interface Hearing {
  onMessage(message: string): void
  /** Messages may have been missed, up to now or from now on. */
  onGap(): void
}

/** Connections to a database server at this moment. */
export interface PoolState {
  readonly total: number
  readonly idle: number
  /** Statements that wait for one. */
  readonly waiting: number
  /** Statements so far that were refused because they would have waited too long. */
  readonly refused: number
  /** Whether statements would wait for more than half as long as they may if so many calls had one each. */
  isHalfTaken(calls: number): boolean
}

/** Object identifiers of the types whose text both drivers hand over, from PostgreSQL's pg_type.dat. */
export const typeIds = { bigint: 20, timestamptz: 1184, numeric: 1700 } as const
