import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFile, chmod, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { startServer } from '../../scripts/measure/postgres.mjs'
import { killServer, type PostgresServer } from './postgres-server.js'

/** A primary and its synchronous standby: a commit is acknowledged when both have it. */
export interface PostgresPair extends PostgresServer {
  /** Promotes the standby to primary. */
  promote(): Promise<void>
}

type Server = Awaited<ReturnType<typeof startServer>>

export async function startPair(): Promise<PostgresPair> {
  const primary = await startServer()
  const standby = await withClient(primary, async (client) => {
    const copy = await standbyFolder(client, primary)
    const started = await startServer([], { copyOf: copy, isStandby: true })
    await rm(copy, { recursive: true })
    await client.query("alter system set synchronous_standby_names = '*'")
    await client.query('select pg_reload_conf()')
    await until(client, "select 1 from pg_stat_replication where sync_state = 'sync'")
    return started
  })
  const connect = async (server: Server) => {
    const client = new pg.Client(server.urlOf('postgres'))
    client.on('error', () => {})
    await client.connect()
    return client
  }
  const portOf = (server: Server) => new URL(server.urlOf('postgres')).port
  return {
    urlOf: (database) =>
      `postgres://billing:billing@127.0.0.1:${portOf(primary)},127.0.0.1:${portOf(standby)}/${database}?target_session_attrs=read-write`,
    connect: () => connect(primary),
    kill: () => killServer(primary.directory),
    restart: () => Promise.reject(new Error('The primary of a pair does not come back')),
    promote: () =>
      withClient(standby, async (client) => {
        // After a failover the new primary has no standby to wait for.
        await client.query('select pg_promote(wait => false)')
        await until(client, 'select 1 where not pg_is_in_recovery()')
        await client.query("alter system set synchronous_standby_names = ''")
        await client.query('select pg_reload_conf()')
      }),
    async stop() {
      for (const { directory } of [primary, standby]) {
        await killServer(directory).catch(() => {})
        await rm(directory, { recursive: true, force: true })
      }
    },
  }
}

/** Creates a base backup, since npm does not install pg_basebackup. */
async function standbyFolder(client: pg.Client, { directory, urlOf }: Server): Promise<string> {
  const folder = join(tmpdir(), `billing-standby-${randomBytes(6).toString('hex')}`)
  await client.query("select pg_backup_start('standby', true)")
  await promisify(execFile)('cp', ['-a', directory, folder])
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
  await rm(join(folder, 'postmaster.pid'))
  // The server's user must be able to open it for writing.
  await writeFile(join(folder, 'backup_label'), rows[0]?.labelfile ?? '')
  await chmod(join(folder, 'backup_label'), 0o666)
  await writeFile(join(folder, 'standby.signal'), '')
  const { hostname, port } = new URL(urlOf('postgres'))
  const primary = `host=${hostname} port=${port} user=billing password=billing`
  await appendFile(join(folder, 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`)
  return folder
}

async function withClient<Result>(
  server: Server,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(server.urlOf('postgres'))
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function until(client: pg.Client, query: string): Promise<void> {
  const deadline = Date.now() + 60_000
  while ((await client.query(query)).rowCount === 0) {
    if (Date.now() > deadline) throw new Error(`Not so in time: ${query}`)
    await delay(20)
  }
}
