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

/** How a node uses the server; times are in milliseconds. */
export interface PoolOptions {
  /** Connections at most, beside the one that listens and the reserved one. */
  readonly connections: number
  /** How long a statement may have to wait for one of them, as far as can be told; else it is refused at once. */
  readonly waitMs: number
  /** How long to wait for a connection in any case, made or given back. */
  readonly connectMs: number
  /** How long a statement may take, and a transaction may do nothing. */
  readonly statementMs: number
  /** After which time a connection that nobody uses is closed. */
  readonly idleMs: number
  /** Whether the server keeps statements parsed and planned on each connection. */
  readonly prepared: boolean
  /** Connection for LISTEN, if not the one of statements: a pooler in transaction mode drops notifications. */
  readonly listenUrl?: string | undefined
}

/** How long an answer may take on its way, once the server has given a statement up. */
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
 * A pool of connections to PostgreSQL 15 or later; of several servers in the URL, to the one that takes changes. A connection that can't be had or breaks, and a statement that
 * runs out of time, surface as the problem `unavailable`; `onError` hears what was behind it.
 * @throws Failure when the server can't be reached, is too old, or keeps text in another encoding than UTF8
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
    // Without it a statement waits for ever on a network that passes nothing on, and its connection with it.
    query_timeout: statementMs + answerMs,
    idle_in_transaction_session_timeout: statementMs,
    idleTimeoutMillis: idleMs,
    types: { getTypeParser: typeParser },
  }
  const pool = new pg.Pool({ ...pooled, Client, max: connections })
  // What it does takes moments: one that hangs must not hold up the next.
  const reservedPool = new pg.Pool({ ...pooled, Client, max: 1, query_timeout: answerMs })
  for (const each of [pool, reservedPool]) {
    each.on('error', onError)
    // A connection that breaks while it is in use rejects its query; without a listener it would end the process too.
    each.on('connect', (client) => client.on('error', () => {}))
  }
  const close = async () => {
    await Promise.all([pool.end(), reservedPool.end()])
  }
  try {
    await requireServer(pool, statementMs)
    // To be there when it is wanted in haste.
    ;(await reservedPool.connect()).release()
  } catch (error) {
    await close()
    if (error instanceof Failure) throw error
    throw new Failure(`DATABASE_URL: the database can't be reached: ${reasonOf(error)}`, 1, { cause: error })
  }
  const translated = translator(onError)
  const queryOn = querying(translated, prepared)
  const queryPool = queryOn(pool)
  const reserved = { query: queryOn(reservedPool) }
  const wait = new PoolWait(pool, waitMs)
  const listening = connectionTo(listenUrl, connectMs)
  const listener = () =>
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
    listen: (channel, hearing) => listenOn(listener, channel, hearing, onError),
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
  // A single server is connected to directly; it refuses changes itself when it is read-only.
  return { Client: servers.length > 1 ? primaryClient(servers) : pg.Client, connection: servers[0] }
}

interface ServerRow {
  readonly version: number
  readonly encoding: string
  readonly role: string
  /** Settings of this connection that did not reach the server. */
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
        'DATABASE_URL: a pooler keeps settings of connections from the server. Give them to the role, and have the pooler reconnect:',
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

/** A name that no two texts share, and that stays whole: the server cuts one after 63 bytes (NAMEDATALEN). */
function preparedName(text: string): string {
  let name = preparedNames.get(text)
  if (name === undefined) {
    name = `billing_${createHash('sha256').update(text).digest('base64url').slice(0, 24)}`
    preparedNames.set(text, name)
  }
  return name
}

// Only some hundred texts are ever kept prepared: see pageOf in listing.ts.
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
  // pg would take the URL's options in place of these.
  target.searchParams.delete('options')
  return { target: target.href, options: `${own} ${session}` }
}

function typeParser(typeId: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (typeId === typeIds.bigint || typeId === typeIds.numeric) return (text) => text
  if (typeId === typeIds.timestamptz) return fromTimestamptz
  return pg.types.getTypeParser(typeId, format)
}
