import { createHash } from 'node:crypto'
import { ProblemError } from '@duet/runtime'
import pg from 'pg'
import { Failure, reasonOf } from '../failure.js'
import { type Database, type Queryable, type SqlValue, type Statement, typeIds } from './database.js'
import { fromTimestamptz } from './instant.js'

const poolSize = 10
const connectMs = 5_000
const statementMs = 10_000

/**
 * A pool of connections to PostgreSQL 15 or later. A connection that can't be had or breaks, and a statement that
 * runs out of time, surface as the problem `unavailable`; `onError` hears what was behind it.
 * @throws Failure when the server can't be reached, is too old, or keeps text in another encoding than UTF8
 */
export async function openPostgres(
  url: string,
  onError: (error: Error) => void = () => {},
): Promise<Database> {
  const { target, options } = withSessionOptions(url)
  const pool = new pg.Pool({
    connectionString: target,
    max: poolSize,
    application_name: 'billing',
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: statementMs,
    keepAlive: true,
    options,
    types: { getTypeParser: typeParser },
  })
  pool.on('error', onError)
  // A connection that breaks while it is in use rejects its query; without a listener it would end the process too.
  pool.on('connect', (client) => client.on('error', () => {}))
  try {
    await requireServer(pool)
  } catch (error) {
    await pool.end()
    if (error instanceof Failure) throw error
    throw new Failure(`DATABASE_URL: the database can't be reached: ${reasonOf(error)}`, 1, { cause: error })
  }
  const translated = translator(onError)
  const query = queryOn(pool, translated)
  return {
    query,
    transaction: (work) => transactionOn(pool, work, translated),
    ping: async () => {
      const [row] = await query<{ readonly transaction_read_only: string }>('show transaction_read_only')
      if (row?.transaction_read_only === 'on')
        throw new ProblemError('unavailable', { detail: 'The database is read-only.' })
    },
    close: () => pool.end(),
  }
}

async function requireServer(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ version: number; encoding: string }>(
    `select current_setting('server_version_num')::integer as version,
      current_setting('server_encoding') as encoding`,
  )
  const [server] = rows
  if (server === undefined || server.version < 150_000) {
    throw new Failure('DATABASE_URL: the server is older than PostgreSQL 15', 1)
  }
  if (server.encoding !== 'UTF8') {
    throw new Failure(`DATABASE_URL: the database is encoded in ${server.encoding}; it must be in UTF8`, 1)
  }
}

type Translate = (error: unknown) => unknown

function queryOn(target: pg.Pool | pg.PoolClient, translated: Translate): Queryable['query'] {
  return async <Row extends object>(statement: string | Statement, values: readonly SqlValue[] = []) => {
    const { text, prepared } = typeof statement === 'string' ? { text: statement } : statement
    const query: pg.QueryConfig<SqlValue[]> = {
      text,
      values: [...values],
      ...(prepared && { name: preparedName(text) }),
    }
    try {
      const result: pg.QueryResult<never> | pg.QueryResult<never>[] = await target.query<never>(query)
      const last = Array.isArray(result) ? result.at(-1) : result
      return (last?.rows ?? []) as Row[]
    } catch (error) {
      throw translated(error)
    }
  }
}

/** A name that no two texts share, and that stays whole: the server cuts one after 63 bytes (NAMEDATALEN). */
function preparedName(text: string): string {
  return `billing_${createHash('sha256').update(text).digest('base64url').slice(0, 24)}`
}

async function transactionOn<Result>(
  pool: pg.Pool,
  work: (transaction: Queryable) => Promise<Result>,
  translated: Translate,
): Promise<Result> {
  const client = await pool.connect().catch((error: unknown) => {
    throw translated(error)
  })
  const query = queryOn(client, translated)
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

// SQLSTATE classes and codes (PostgreSQL, appendix A): connection; read-only; timeouts; lost against another
// transaction; disk, memory or connections used up; lock not to be had; shutdown.
const unavailableStates = /^(08...|25006|25P03|40001|40P01|53[0-3]00|55P03|57014|57P0[1-5])$/
const unavailableErrors = /^E(CONN|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN)|^ENOTFOUND$/
/** A server at a Unix socket that is not there, or that this process may not reach, is out of service as well. */
const isConnect = (error: Error) => 'syscall' in error && error.syscall === 'connect'
const unavailableMessages = /timeout exceeded when trying to connect|Connection terminated|not queryable/i

/** Turns what means that the database can't serve now into the problem `unavailable`, and reports it. */
function translator(report: (error: Error) => void): Translate {
  return (error) => {
    if (!(error instanceof Error) || error instanceof ProblemError) return error
    const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
    const unavailable =
      unavailableStates.test(code) ||
      unavailableErrors.test(code) ||
      isConnect(error) ||
      unavailableMessages.test(error.message)
    if (!unavailable) return error
    report(error)
    return new ProblemError('unavailable', { detail: 'The database does not serve now.', cause: error })
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
