import { createHash } from 'node:crypto'
import pg from 'pg'
import { Failure, reasonOf } from '../../failure.js'
import {
  type Database,
  enterScope,
  type Queryable,
  type SqlValue,
  type Statement,
  typeIds,
} from '../database/database.js'
import { fromTimestamptz } from '../database/instant.js'
import { type Translate, translator, unavailable } from '../database/unavailable.js'
import { listenOn } from './listening.js'
import { pipelined } from './pipelined.js'
import { PoolWait } from './pool-wait.js'
import { primaryClient } from './primary.js'
import { serverUrls } from './server-urls.js'

/** How a node uses the server. Times are in milliseconds. */
export interface PoolOptions {
  /** Most connections, in addition to the listening one and the reserved one. */
  readonly connections: number
  /** Longest estimated wait of a statement for a connection. Beyond it the statement is refused at once. */
  readonly waitMs: number
  /** Longest wait for a connection, new or returned to the pool. */
  readonly connectMs: number
  /** Longest time of a statement, and longest idle time in a transaction. */
  readonly statementMs: number
  /** Idle time after which a connection closes. */
  readonly idleMs: number
  /** Whether to use prepared statements. */
  readonly prepared: boolean
  /** URL for LISTEN, if it differs: a pooler in transaction mode drops notifications. */
  readonly listenUrl?: string | undefined
}

/** How long an answer may take on its way after the server has cancelled a statement. */
const answerMs = 2_000

export const defaultPool: PoolOptions = {
  connections: 10,
  waitMs: 1_667,
  connectMs: 5_000,
  statementMs: 10_000,
  idleMs: 30_000,
  prepared: true,
}

/**
 * A pool of connections to PostgreSQL 15 or later; with several servers in the URL, to the primary. A failed connection
 * and a statement that times out throw the problem `unavailable`; `onError` receives the cause.
 * @throws Failure if the server is unreachable or too old, or its encoding is not UTF8
 */
export async function openPostgres(
  url: string,
  {
    connections,
    waitMs,
    connectMs,
    statementMs,
    idleMs,
    prepared,
    listenUrl = url,
  }: PoolOptions = defaultPool,
  onError: (error: Error) => void = () => {},
): Promise<Database> {
  const { Client, connection } = connectionTo(url, connectMs)
  const pooled: pg.PoolConfig = {
    ...connection,
    application_name: 'billing',
    statement_timeout: statementMs,
    // Without it a statement and its connection wait forever on a network that drops packets.
    query_timeout: statementMs + answerMs,
    idle_in_transaction_session_timeout: statementMs,
    idleTimeoutMillis: idleMs,
    types: { getTypeParser: typeParser },
  }
  const pool = new pg.Pool({ ...pooled, Client, max: connections })
  // Its statements are short, so one that hangs must not delay the next.
  const reservedPool = new pg.Pool({ ...pooled, Client, max: 1, query_timeout: answerMs })
  for (const each of [pool, reservedPool]) {
    each.on('error', onError)
    // A connection that breaks in use rejects its query. Without a listener it would end the process too.
    each.on('connect', (client) => client.on('error', () => {}))
  }
  const close = async () => {
    await Promise.all([pool.end(), reservedPool.end()])
  }
  try {
    await requireServer(pool, statementMs)
    // Connect in advance, for fast use later.
    ;(await reservedPool.connect()).release()
  } catch (error) {
    await close()
    if (error instanceof Failure) throw error
    throw new Failure(`DATABASE_URL: the database cannot be reached: ${reasonOf(error)}`, 1, { cause: error })
  }
  const translated = translator(onError)
  const queryOn = querying(translated, prepared)
  const queryPool = queryOn(pool)
  const reserved = { query: queryOn(reservedPool) }
  const wait = new PoolWait(pool, waitMs)
  const listening = connectionTo(listenUrl, connectMs)
  const newListener = () =>
    new listening.Client({
      ...listening.connection,
      application_name: 'billing listener',
      query_timeout: connectMs,
    })
  return {
    async query(...statement) {
      wait.enter()
      return queryPool(...statement)
    },
    async transaction(work) {
      wait.enter()
      return transactionOn(pool, work, translated, queryOn)
    },
    reserved,
    listen: (channel, listener) => listenOn(newListener, channel, listener, onError),
    ping: async () => {
      const [row] = await reserved.query<{ readonly transaction_read_only: string }>(
        'show transaction_read_only',
      )
      if (row?.transaction_read_only === 'on') throw unavailable('The database is read-only.')
    },
    pool: () => ({
      total: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      refused: wait.refused,
      isHalfTaken: (calls) => wait.isHalfTaken(calls),
    }),
    close,
  }
}

function connectionTo(url: string, connectMs: number) {
  const servers = (serverUrls(url) ?? [url]).map((each) => {
    const { target, options } = withSessionOptions(each)
    return { connectionString: target, connectionTimeoutMillis: connectMs, keepAlive: true, options }
  })
  // Connect to a single server directly. If it is read-only, it refuses changes itself.
  return { Client: servers.length > 1 ? primaryClient(servers) : pg.Client, connection: servers[0] }
}

interface ServerRow {
  readonly version: number
  readonly encoding: string
  readonly role: string
  /** Settings of the connection that the server did not receive. */
  readonly lost: readonly string[]
}

async function requireServer(pool: pg.Pool, statementMs: number): Promise<void> {
  const { rows } = await pool.query<ServerRow>(
    `select current_setting('server_version_num')::integer as version,
      current_setting('server_encoding') as encoding, quote_ident(current_user) as role,
      array_remove(array[
        case when current_setting('TimeZone') <> 'UTC' then 'TimeZone = ''UTC''' end,
        case when current_setting('DateStyle') not like 'ISO%' then 'DateStyle = ''ISO''' end,
        case when current_setting('statement_timeout') = '0' then 'statement_timeout = ${statementMs}' end,
        case when current_setting('idle_in_transaction_session_timeout') = '0'
          then 'idle_in_transaction_session_timeout = ${statementMs}' end
      ], null) as lost`,
  )
  const [server] = rows
  if (server === undefined || server.version < 150_000) {
    throw new Failure('DATABASE_URL: the server is older than PostgreSQL 15', 1)
  }
  if (server.encoding !== 'UTF8') {
    throw new Failure(`DATABASE_URL: the database is encoded in ${server.encoding}; it must be in UTF8`, 1)
  }
  if (server.lost.length > 0) {
    throw new Failure(
      [
        'DATABASE_URL: a pooler drops the settings of connections. Set them on the role, and let the pooler reconnect:',
        ...server.lost.map((setting) => `alter role ${server.role} set ${setting};`),
      ],
      1,
    )
  }
}

type QueryOn = (target: pg.Pool | pg.PoolClient) => Queryable['query']

function querying(translated: Translate, prepared: boolean): QueryOn {
  const nameOf = (text: string) => prepared && { name: preparedName(text) }
  return (target) =>
    async <Row extends object>(statement: string | Statement, values: readonly SqlValue[] = []) => {
      const {
        text,
        prepared: keeps,
        reseller,
      }: Statement = typeof statement === 'string' ? { text: statement } : statement
      const query: pg.QueryConfig<SqlValue[]> = { text, values: [...values], ...(keeps && nameOf(text)) }
      try {
        const result: pg.QueryResult<never> | pg.QueryResult<never>[] = await (reseller === undefined
          ? target.query<never>(query)
          : pipelined<never>(target, { text: enterScope, values: [reseller], ...nameOf(enterScope) }, query))
        const last = Array.isArray(result) ? result.at(-1) : result
        return (last?.rows ?? []) as Row[]
      } catch (error) {
        throw translated(error)
      }
    }
}

/** A unique name for a text. It fits into 63 bytes, after which the server would cut it (NAMEDATALEN). */
function preparedName(text: string): string {
  let name = preparedNames.get(text)
  if (name === undefined) {
    name = `billing_${createHash('sha256').update(text).digest('base64url').slice(0, 24)}`
    preparedNames.set(text, name)
  }
  return name
}

// Only some hundred texts are prepared: see pageOf in listing.ts.
const preparedNames = new Map<string, string>()

async function transactionOn<Result>(
  pool: pg.Pool,
  work: (transaction: Queryable) => Promise<Result>,
  translated: Translate,
  queryOn: QueryOn,
): Promise<Result> {
  const client = await pool.connect().catch((error: unknown) => {
    throw translated(error)
  })
  const query = queryOn(client)
  let broken = false
  try {
    await query('begin')
    const result = await work({ query })
    const { command } = await client.query('commit')
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back: a statement in it had failed')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {
      broken = true
    })
    throw translated(error)
  } finally {
    client.release(broken)
  }
}

function withSessionOptions(url: string): { target: string; options: string } {
  const session = '-c TimeZone=UTC -c DateStyle=ISO'
  const target = new URL(url)
  const own = target.searchParams.get('options')
  if (own === null) return { target: url, options: session }
  // pg would prefer the URL's options to these.
  target.searchParams.delete('options')
  return { target: target.href, options: `${own} ${session}` }
}

function typeParser(typeId: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (typeId === typeIds.bigint || typeId === typeIds.numeric) return (text) => text
  if (typeId === typeIds.timestamptz) return fromTimestamptz
  return pg.types.getTypeParser(typeId, format)
}
